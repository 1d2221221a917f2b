from dataclasses import replace

import pytest

from referee.game.event_types import RoundEnded, RoundResumed
from referee.game.events import (
    BlitzSeen,
    CardMoved,
    Certainty,
    PileSeen,
    Revised,
    RoundScored,
    RoundStarted,
    Ruled,
    Violation,
)
from referee.game.moves import PileId, PileKind


def plays(events):
    return [event for event in events if isinstance(event, CardMoved) and event.target.kind is PileKind.DUTCH]


def rulings(events):
    return [event for event in events if isinstance(event, Ruled)]


def test_deal_is_no_play(table):
    assert table.events == []


def test_first_play_starts_the_round_and_shows_the_tops(table):
    said = table.play(1, "s1b", 0, 0)
    assert isinstance(said[0], RoundStarted)
    tops = {str(event.pile): str(event.top) for event in said if isinstance(event, PileSeen)}
    assert tops["s1.post1"] == "R9"
    assert tops["s2.blitz"] == "B1"


def test_play_has_its_card_place_source_owner_and_time(table):
    began = table.now_s
    (play,) = plays(table.play(1, "s1b", 30, -40))
    assert [str(face) for face in play.cards] == ["R1"]
    assert play.at_mm == pytest.approx((30, -40), abs=1)
    assert (play.seat, str(play.source), str(play.target)) == (1, "s1.blitz", "d1")
    assert play.time_s == pytest.approx(began + 0.7, abs=0.25)
    assert play.seen_s - play.time_s < 0.5


def test_legal_plays_are_not_ruled(table):
    table.play(1, "s1b", 0, 0)
    table.lay("s2p1", "R2", *table.layout.seats[1].post_mm[0])
    table.wait(0.5, ((2, *table.layout.seats[1].post_mm[0][:2]),))
    table.wait(1.0)
    said = table.play(2, "s2p1", 2, 1, angle=80)
    assert [str(play.target) for play in plays(said)] == ["d1"]
    assert not rulings(table.events)


def test_illegal_play_is_ruled_and_settled_when_taken_back(table):
    table.play(1, "s1b", 0, 0)
    said = table.play(1, "s1p1", 3, -2, angle=9)
    (play,) = plays(said)
    (ruling,) = rulings(said)
    assert ruling.move == play.id
    assert ruling.violations == (Violation.WRONG_NUMBER,)
    table.wait(0.3, ((1, 0.0, 0.0),))
    table.take("s1p1'")
    table.lay("s1p1", "R9", *table.layout.seats[0].post_mm[0])
    said = table.wait(1.5)
    (undo,) = [event for event in said if isinstance(event, CardMoved) and event.undoes == play.id]
    assert str(undo.target) == "s1.post1"
    assert [event.violations for event in rulings(said)] == [()]


def test_top_is_known_again_where_it_lay_though_a_wrong_card_lay_unread_on_it_first(table):
    table.play(1, "s1b", 0, 0)
    table.lay("s1p1'", "?", 8, -9, 4)
    table.wait(0.2)
    table.lay("s1p1'", "R9", 8, -9, 4)
    table.take("s1p1")
    (play,) = plays(table.wait(4.0))
    table.take("s1p1'")
    said = table.wait(0.7)
    assert [event.undoes for event in said if isinstance(event, CardMoved)] == [play.id]


def test_start_with_another_number_than_one_is_ruled(table):
    said = table.play(1, "s1p1", 100, 50)
    assert [ruling.violations for ruling in rulings(said)] == [(Violation.START_NOT_ONE,)]


def test_hidden_is_not_gone(table):
    table.play(1, "s1b", 0, 0)
    assert table.wait(4.0, ((1, 0.0, 0.0), (2, 70.0, -300.0))) == []
    assert table.wait(1.0) == []


def test_nudged_pile_stays_the_same_pile(table):
    table.play(1, "s1b", 0, 0)
    table.wait(0.3, ((1, 0.0, 0.0),))
    table.lay("s1b'", "R1", 70, 25, 20)
    assert plays(table.wait(1.5)) == []
    table.lay("s2p1", "R2", *table.layout.seats[1].post_mm[0])
    table.wait(0.5, ((2, *table.layout.seats[1].post_mm[0][:2]),))
    table.wait(1.0)
    assert [str(play.target) for play in plays(table.play(2, "s2p1", 71, 24, angle=30))] == ["d1"]


def test_unread_top_that_was_nudged_and_lost_for_a_moment_is_no_play(table):
    table.play(1, "s1b", 0, 0)
    table.lay("next", "?", 12, 8, 30)
    assert [str(play.cards[0]) for play in plays(table.wait(1.5))] == ["R2"]
    for step in range(4):
        table.lay("next", "?", 12, 8 + 7 * step, 30)
        table.wait(0.3)
    lying = {name: table.cards.pop(name) for name in ("s1b'", "next")}
    table.wait(0.7)
    table.cards |= lying
    assert plays(table.wait(3.0)) == []


def nudge(table, seconds):
    table.wait(0.3, ((1, 0.0, 0.0),))
    table.lay("s1b'", "R1", 18, 10, 30)
    return table.wait(seconds)


@pytest.mark.parametrize("flipped_s", [0.0, 0.7])
def test_nudged_pile_is_no_play_though_a_card_of_its_face_is_turned_under(table, flipped_s):
    wood = table.layout.seats[1].wood_mm
    table.lay("wood", "R1", *wood)
    table.play(1, "s1b", 0, 0)
    said = [] if flipped_s == 0.0 else nudge(table, flipped_s)
    table.wait(0.2, ((2, *wood[:2]),))
    table.lay("flip", "G3", *wood)
    said += nudge(table, 3.0) if flipped_s == 0.0 else table.wait(3.0)
    assert plays(said) == []


def test_second_card_of_the_tops_face_is_ruled_when_one_left_a_post_pile(table):
    post = table.layout.seats[1].post_mm[0]
    table.lay("s2p1", "R1", *post)
    table.wait(1.0)
    table.play(1, "s1b", 0, 0)
    table.wait(0.3, ((2, *post[:2]),))
    table.take("s2p1")
    table.wait(0.3, ((2, 0.0, 0.0),))
    table.lay("s2p1'", "R1", 18, 10, 30)
    said = table.wait(3.0)
    assert [(str(play.target), play.seat) for play in plays(said)] == [("d1", 2)]
    assert [ruling.violations for ruling in rulings(said)] == [(Violation.WRONG_NUMBER,)]


def play_one_of_two(table):
    """Let seat 1 play R1, while another R1 lies on a post of seat 2."""
    table.lay("s2p1", "R1", *table.layout.seats[1].post_mm[0])
    table.wait(1.0)
    table.play(1, "s1b", 0, 0, angle=0.0)


def take_other(table):
    table.wait(0.3, ((2, *table.layout.seats[1].post_mm[0][:2]),))
    table.take("s2p1")


def slap(table, x=0.0):
    """Let seat 2 lay its R1 exactly where seat 1's lies, or only reach out beside it."""
    play_one_of_two(table)
    take_other(table)
    table.wait(0.3, ((2, x, 0.0),))
    return table.wait(3.0)


def undone(events):
    return [event.undoes for event in events if isinstance(event, CardMoved) and event.undoes]


def test_card_slapped_down_exactly_on_its_like_is_ruled_and_the_pile_goes_on(table):
    said = slap(table)
    (play,) = plays(said)
    assert (str(play.cards[0]), play.seat, str(play.source), str(play.target)) == ("R1", 2, "s2.post1", "d1")
    assert play.time_s == pytest.approx(table.now_s - 3.3, abs=0.15)
    (ruling,) = rulings(said)
    assert (ruling.violations, ruling.certainty) == ((Violation.WRONG_NUMBER,), Certainty.DOUBTFUL)
    table.lay("s1p1", "R2", *table.layout.seats[0].post_mm[0])
    table.wait(0.5, ((1, *table.layout.seats[0].post_mm[0][:2]),))
    table.wait(1.0)
    said = table.play(1, "s1p1", 2, 1, angle=30)
    assert [(str(play.cards[0]), str(play.target)) for play in plays(said)] == [("R2", "d1")]
    assert rulings(said) == []


def test_hand_that_passes_by_the_like_of_its_card_does_not_play_it(table):
    assert plays(slap(table, x=120.0)) == []


def test_card_held_above_its_like_and_laid_beside_it_is_played_once(table):
    play_one_of_two(table)
    take_other(table)
    said = table.wait(1.0, ((2, 60.0, -100.0),)) + table.wait(0.3, ((2, 0.0, 0.0),))
    table.lay("s2p1'", "R1", 150, 20)
    said += table.wait(0.2, ((2, 150.0, 20.0),)) + table.wait(4.0)
    assert [(str(play.target), play.seat) for play in plays(said)] == [("d2", 2)]
    assert rulings(said) == []


def test_seat_that_may_have_played_the_card_that_is_seen_lays_none_on_it(table):
    posts = [seat.post_mm[0][:2] for seat in table.layout.seats]
    for seat in (1, 2):
        table.lay(f"s{seat}p1", "Y1", *table.layout.seats[seat - 1].post_mm[0])
    table.wait(1.0)
    table.wait(0.3, ((1, *posts[0]), (2, *posts[1])))
    table.take("s1p1")
    table.take("s2p1")
    both = ((1, 38.0, 0.0), (2, -38.0, 0.0))
    table.wait(0.2, both)
    table.lay("d1", "Y1", 0.0, 0.0)
    said = table.wait(0.3, both) + table.wait(0.2, ((2, -300.0, 0.0),))
    said += table.wait(0.3, ((2, 0.0, 0.0),)) + table.wait(3.0)
    assert [str(play.target) for play in plays(said)] == ["d1"]
    assert rulings(said) == []


def test_slapped_card_that_is_taken_back_settles_the_ruling(table):
    (play,) = plays(slap(table))
    post = table.layout.seats[1].post_mm[0]
    table.wait(0.3, ((2, 0.0, 0.0),))
    table.wait(0.3, ((2, *post[:2]),))
    table.lay("s2p1", "R1", *post)
    said = table.wait(2.0)
    assert undone(said) == [play.id]
    assert [event.violations for event in rulings(said)] == [()]


def test_another_seats_card_of_its_face_does_not_settle_a_slap(table):
    slap(table)
    table.lay("s1w", "R1", *table.layout.seats[0].wood_mm)
    assert undone(table.wait(2.0)) == []


def test_slap_that_a_person_took_back_leaves_the_play_below_it(table):
    (play,) = plays(slap(table))
    table.tracker.heed(Revised(id=999, time_s=play.time_s, seen_s=table.now_s, move=play.id, reason="", retracted=True))
    table.lay("s2p1", "R1", *table.layout.seats[1].post_mm[0])
    assert undone(table.wait(2.0)) == []


def test_slap_after_the_end_of_the_round_is_no_play(table):
    play_one_of_two(table)
    table.tracker.heed(RoundEnded(id=999, time_s=table.now_s, seen_s=table.now_s, reason="stuck"))
    table.wait(0.7)
    take_other(table)
    assert plays(table.wait(0.3, ((2, 0.0, 0.0),)) + table.wait(1.9)) == []
    table.tracker.heed(RoundResumed(id=1000, time_s=table.now_s, seen_s=table.now_s))
    assert plays(table.wait(2.0)) == []


def test_well_read_card_under_a_hand_is_not_believed_at_once(table):
    table.lay("held", "R5", 0, 0)
    arm = ((1, 60.0, 36.0),)
    assert plays(table.wait(0.9, arm)) == []
    assert [str(play.cards[0]) for play in plays(table.wait(0.5, arm))] == ["R5"]


def test_held_card_is_not_on_the_table(table):
    table.lay("held", "R1", 0, 0)
    table.scale["held"] = 1.25
    assert plays(table.wait(2.0)) == []


def test_blurred_frames_bring_nothing(table):
    table.sharp = False
    table.lay("x", "R1", 0, 0)
    assert table.wait(2.0) == []


def test_single_misread_changes_nothing(table):
    table.play(1, "s1b", 0, 0)
    table.lay("s1b'", "R7", 0, 0, 4)
    table.wait(0.05)
    table.lay("s1b'", "R1", 0, 0, 4)
    assert table.wait(2.0) == []


def test_unseen_card_is_inferred_when_a_pile_lost_it(table):
    table.play(1, "s1b", 0, 0)
    seat = table.layout.seats[1]
    table.lay("s2b", "R2", *seat.blitz_mm)
    table.lay("s2p1", "R3", *seat.post_mm[0])
    table.wait(1.0, ((2, 70.0, -300.0),))
    table.wait(2.0)
    # Both go at once, and the 3 hides the 2 before anybody could see it.
    for name in ("s2b", "s2p1"):
        table.wait(0.2, ((2, 0.0, -250.0),))
        table.take(name)
    table.wait(0.8, ((2, 0.0, 0.0),))
    table.lay("three", "R3", 2, 2, 8)
    said = table.wait(0.3, ((2, 0.0, 0.0),)) + table.wait(2.0)
    assert [str(play.cards[0]) for play in plays(said)] == ["R2", "R3"]
    assert not rulings(said)


def test_missing_card_without_evidence_is_ruled(table):
    table.play(1, "s1b", 0, 0)
    table.lay("s1p1", "R3", *table.layout.seats[0].post_mm[0])
    table.wait(0.5, ((1, -70.0, 300.0),))
    table.wait(1.0)
    said = table.play(1, "s1p1", 2, 2, angle=8)
    assert rulings(said)[0].violations == (Violation.WRONG_NUMBER,)


def test_finished_pile_turned_over_keeps_its_count_and_names_the_owner(table):
    for number in range(1, 10):
        table.lay(f"r{number}", f"R{number}", 0.5 * number, 0, 3.0 * number)
        table.wait(0.2, ((1 + number % 2, 0.0, 0.0),))
        table.wait(0.8)
        table.take(f"r{number}")
    table.wait(0.4, ((1, 0.0, 0.0),))
    table.lay("back", "back:yellow-pail", 4, 2, 6)
    (ten,) = plays(table.wait(1.5))
    assert str(ten.cards[0]) == "R10"
    assert ten.seat == 2


def test_blitz_is_seen_when_the_pile_is_empty_and_the_sweep_is_no_play(table):
    seat = table.layout.seats[0]
    order = ["R1", "B1", "Y1", "G1", "R2", "B2", "Y2", "G2", "R3", "B3"]
    place = {"R": -150.0, "B": -50.0, "Y": 50.0, "G": 150.0}
    table.lay("s1b", "R1", *seat.blitz_mm)
    for index, label in enumerate(order):
        x = place[label[0]]
        table.wait(0.2, ((1, 70.0, 300.0),))
        table.take("s1b")
        if index + 1 < len(order):
            table.lay("s1b", order[index + 1], *seat.blitz_mm)
        table.wait(0.2, ((1, x, 150.0),))
        table.lay(label, label, x + index, 0, 7.0 * index)
        table.wait(0.2, ((1, x, 0.0),))
        table.wait(0.6)
        table.cards.pop(f"{label[0]}{int(label[1:]) - 1}", None)
    table.wait(1.0)
    (blitz,) = [event for event in table.events if isinstance(event, BlitzSeen)]
    assert blitz.seat == 1
    assert len(plays(table.events)) == 10
    before = len(plays(table.events))
    table.lay("G2", "G2", 20, 20, 40)
    table.lay("stray", "Y9", -200, 100, 0)
    table.wait(5.0)
    assert len(plays(table.events)) == before
    (scored,) = [event for event in table.events if isinstance(event, RoundScored)]
    assert [(row.seat, row.dutch, row.blitz) for row in scored.seats] == [(1, 10, 0), (2, 0, 10)]


def test_owner_is_revised_when_the_card_is_seen_later_with_the_one_who_was_named(table):
    table.play(2, "s2b", 200, 100)
    # Nobody's pile showed Y1; seat 1's arm was there, but seat 1 still has its Y1.
    table.wait(0.3, ((1, 0.0, 0.0),))
    table.lay("y", "Y1", 0, 0, 3)
    (play,) = plays(table.wait(0.2, ((1, 0.0, 0.0),)) + table.wait(1.0))
    assert play.seat == 1
    table.wait(0.3, ((1, -140.0, 300.0),))
    table.lay("w", "Y1", *table.layout.seats[0].wood_mm)
    said = table.wait(2.0)
    assert [event.changes["seat"] for event in said if isinstance(event, Revised) and event.move == play.id] == [2]


def test_what_lay_under_a_top_left_too_when_both_went_while_nobody_could_see(table):
    post = table.layout.seats[0].post_mm[0]
    table.lay("s1p1", "G2", *post)
    table.lay("s2b", "G1", *table.layout.seats[1].blitz_mm)
    table.wait(1.0)
    table.play(2, "s2b", 200, 0)
    table.below["s1b"] = "Y4"
    table.play(1, "s1b", post.x_mm, post.y_mm + 14, 0)
    over_post = (1, post.x_mm, post.y_mm)
    table.wait(0.4, (over_post, (2, 0.0, 0.0)))
    table.lay("r", "R1", 0, 0)
    table.take("s1b'")
    table.take("s1p1")
    table.wait(0.4, (over_post, (2, 0.0, 0.0)))
    table.wait(0.4, (over_post, (2, 200.0, 0.0)))
    table.lay("g", "G2", 200, 0)
    said = table.wait(0.5, (over_post, (2, 200.0, 0.0))) + table.wait(2.0)
    (green,) = [play for play in plays(table.events) if str(play.cards[0]) == "G2"]
    assert green.source is None
    sources = {event.move: event.changes.get("source") for event in said if isinstance(event, Revised)}
    assert sources[green.id] == PileId(PileKind.POST, 1, 1)
    assert [event.changes["seat"] for event in said if isinstance(event, Revised) and event.move == green.id] == [1]


def test_post_filled_from_blitz_is_said(table):
    table.play(1, "s1p1", 200, 100)
    blitz, post = table.layout.seats[0].blitz_mm, table.layout.seats[0].post_mm[0]
    table.wait(0.3, ((1, blitz.x_mm, blitz.y_mm),))
    table.lay("s1b", "Y4", *blitz)
    table.lay("s1p1", "R1", *post)
    said = table.wait(0.2, ((1, post.x_mm, post.y_mm),)) + table.wait(1.0)
    (move,) = [event for event in said if isinstance(event, CardMoved) and event.target == PileId(PileKind.POST, 1, 1)]
    assert (str(move.cards[0]), str(move.source)) == ("R1", "s1.blitz")


def test_wood_flip_waits_until_the_old_top_has_not_landed(table):
    wood = table.layout.seats[0].wood_mm
    table.play(2, "s2b", 200, 100)
    table.lay("w", "Y5", *wood)
    table.wait(1.0)
    table.wait(0.3, ((1, wood.x_mm, wood.y_mm),))
    table.lay("w", "G8", *wood)
    said = table.wait(2.5)
    (flip,) = [event for event in said if isinstance(event, CardMoved)]
    assert (str(flip.source), str(flip.target)) == ("s1.hand", "s1.wood")
    assert [None if face is None else str(face) for face in flip.cards] == [None, None, "G8"]


def test_play_before_the_signal_is_ruled(start_at_ten):
    said = start_at_ten.play(1, "s1b", 0, 0)
    assert [ruling.violations for ruling in rulings(said)] == [(Violation.BEFORE_START,)]


def test_events_come_in_order_with_growing_ids(table):
    table.play(1, "s1b", 0, 0)
    table.play(1, "s1p1", 100, 50)
    seen = [event.seen_s for event in table.events]
    ids = [event.id for event in table.events]
    assert seen == sorted(seen)
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(
    "word",
    [
        RoundScored(time_s=0.0, seen_s=0.0, by="corrected", round=1, seats=()),
        BlitzSeen(time_s=0.0, seen_s=0.0, seat=1),
        RoundEnded(time_s=0.0, seen_s=0.0, reason="abandoned"),
    ],
    ids=lambda word: word.type,
)
def test_word_about_the_round_before_does_not_end_the_next(table, word):
    table.play(1, "s1b", 0, 0)
    table.tracker.heed(RoundScored(time_s=table.now_s, seen_s=table.now_s, by="counted", round=1, seats=()))
    table.take("s1b'")
    table.deal()
    table.wait(4.0)
    table.tracker.heed(word)
    before = len(table.events)
    table.play(2, "s2b", 0, 0)
    table.wait(4.0)
    table.lay("R2", "R2", 120, 0)
    table.wait(1.0)
    said = table.events[before:]
    assert isinstance(said[0], RoundStarted)
    assert [str(play.cards[0]) for play in plays(said)] == ["B1", "R2"]
    assert not [event for event in said if isinstance(event, RoundScored)]


def test_count_after_the_sweep_ends_the_round_at_once(table):
    table.play(1, "s1b", 0, 0)
    table.take("s1b'")
    table.deal()
    table.wait(4.0)
    table.tracker.heed(RoundScored(time_s=table.now_s, seen_s=table.now_s, by="counted", round=1, seats=()))
    said = table.play(2, "s2b", 0, 0)
    assert isinstance(said[0], RoundStarted)
    assert [str(play.cards[0]) for play in plays(said)] == ["B1"]


@pytest.mark.parametrize(
    "word",
    [RoundEnded(time_s=0.0, seen_s=0.0, reason="stuck"), BlitzSeen(time_s=0.0, seen_s=0.0, seat=1)],
    ids=lambda word: word.type,
)
def test_round_that_is_resumed_is_followed_on(table, word):
    table.play(1, "s1b", 0, 0)
    table.tracker.heed(replace(word, time_s=table.now_s, seen_s=table.now_s))
    table.wait(2.5)
    table.tracker.heed(RoundResumed(time_s=table.now_s, seen_s=table.now_s))
    said = table.play(2, "s2b", 90, 0)
    assert [str(play.cards[0]) for play in plays(said)] == ["B1"]
    table.take("s1b")
    said = table.wait(12.0)
    assert [event.seat for event in said if isinstance(event, BlitzSeen)] == [1]
    assert [event.by for event in said if isinstance(event, RoundScored)] == ["followed"]


def test_round_resumed_before_its_first_play_is_not_begun_again(table):
    table.tracker.heed(RoundStarted(time_s=table.now_s, seen_s=table.now_s, seats=2))
    table.wait(3.0)
    table.tracker.heed(RoundEnded(time_s=table.now_s, seen_s=table.now_s, reason="stuck"))
    table.wait(3.0)
    table.tracker.heed(RoundResumed(time_s=table.now_s, seen_s=table.now_s))
    said = table.play(1, "s1b", 0, 0)
    assert [str(play.cards[0]) for play in plays(said)] == ["R1"]
    assert not [event for event in said if isinstance(event, RoundStarted)]


def wait_for_blitz(table):
    while not (said := [event for event in table.wait(0.1) if isinstance(event, BlitzSeen)]):
        assert table.now_s < 60.0
    return [event.seat for event in said]


def test_blitz_that_was_none_is_not_seen_again_in_the_same_bare_pile(table):
    table.play(1, "s1b", 0, 0)
    table.take("s1b")
    assert wait_for_blitz(table) == [1]
    table.tracker.heed(RoundResumed(time_s=table.now_s, seen_s=table.now_s))
    assert not table.wait(8.0), "a person said that it was none"
    table.lay("s1b", "Y4", *table.layout.seats[0].blitz_mm)
    table.wait(2.0)
    table.take("s1b")
    assert wait_for_blitz(table) == [1]


def test_blitz_told_after_the_sweep_ends_the_round_at_once(table):
    table.play(1, "s1b", 0, 0)
    table.take("s1b'")
    table.deal()
    table.wait(10.0)
    table.tracker.heed(BlitzSeen(time_s=table.now_s, seen_s=table.now_s, seat=1))
    said = table.play(2, "s2b", 0, 0)
    assert [type(event) for event in said[:2]] == [RoundScored, RoundStarted]
    assert [str(play.cards[0]) for play in plays(said)] == ["B1"]
