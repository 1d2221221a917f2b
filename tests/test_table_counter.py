from dataclasses import replace

import numpy as np
import pytest

from referee.counting.blitz import LaidCard
from referee.counting.tally import CountedCard, Doubt, Tally
from referee.decks import DeckError, LearntBack, format_decks
from referee.game.cards import Face
from referee.game.event_types import BlitzSeen, CardMoved, MatchStarted, Player, RoundScored, RoundStarted
from referee.game.match import replay
from referee.game.moves import PileId, PileKind
from referee.layout import Pose, SeatLayout, TableLayout
from referee.pipeline import fit_owners
from referee.table_counter import TableCounter
from referee.vision.frames import Detection, Frame, Observation, Reach, Reading
from referee.vision.geometry import card_quad
from referee.web.live import LiveGame

SQUARE = ((-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0))


def area(x, y):
    return tuple((x + dx, y + dy) for dx, dy in SQUARE)


def seat(name, deck, x):
    return SeatLayout(name, deck, area(x, 0), (Pose(x, 0, 0),), Pose(x + 60, 0, 0), Pose(x - 60, 0, 0))


LAYOUT = TableLayout(
    (57.0, 89.0), (800, 200), ((1.0, 0, 400), (0, 1.0, 100), (0, 0, 1.0)), area(0, 0),
    (seat("Ann", "green-pump", -300), seat("Ben", "blue-plow", 300)),
)  # fmt: skip
IMAGE = np.full((200, 800, 3), 90, np.uint8)


def play(number, owner, label, confidence=0.97):
    pile = PileId(PileKind.DUTCH, slot=number)
    return CardMoved(
        time_s=float(number), seen_s=float(number), id=10 + number, seat=owner, cards=(Face.parse(label),),
        source=None, target=pile, confidence=confidence,
    )  # fmt: skip


def events(over=True):
    players = (Player(1, "Ann", "green-pump"), Player(2, "Ben", "blue-plow"))
    log = [
        MatchStarted(time_s=0.0, seen_s=0.0, id=1, players=players, variant="official"),
        RoundStarted(time_s=0.0, seen_s=0.0, id=2, seats=2),
        play(1, 1, "R1"),
        play(2, 1, "B1", 0.6),
    ]
    return [*log, BlitzSeen(time_s=9.0, seen_s=9.0, id=20, seat=1)] if over else log


def cards(**decks):
    quad = card_quad(Pose(400, 100, 0), (57.0, 89.0))
    return tuple(
        CountedCard(quad, name.replace("_", "-"), False, True) for name, number in decks.items() for _ in range(number)
    )


def nothing(image, belongs):
    return []


def counter_of(tally, log=None, laid=()):
    log = events() if log is None else log
    game = LiveGame(replay(log), log)

    def read(image, belongs):
        return [card for card in laid if belongs(card.quad_px)]

    counter = TableCounter(LAYOUT, game, count=lambda image, belongs, learnt: tally, read=read)
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    return counter


def test_decks_become_seats_and_a_difference_has_its_cause():
    found = counter_of(Tally(cards(green_pump=1, blue_plow=1), ())).take_count()
    assert found.sure
    assert found.problem == ""
    assert [(row.seat, row.followed, row.counted, row.sure) for row in found.seats] == [
        (1, 2, 1, True),
        (2, 0, 1, True),
    ]
    assert found.seats[1].cause == "B1 on d2 was seat 2's (seat 1 was named)"


def test_more_adds_up_and_a_fresh_count_begins_anew():
    counter = counter_of(Tally(cards(green_pump=1), ()))
    assert counter.take_count().seats[0].counted == 1
    assert counter.take_count(more=True).seats[0].counted == 2
    assert counter.take_count().seats[0].counted == 1


def test_more_is_added_to_a_count_from_before_a_restart():
    before = counter_of(Tally(cards(green_pump=2, blue_plow=1), ())).take_count()
    counter = counter_of(Tally(cards(green_pump=1), ()), laid=(face_at("R7", 355), face_at("B2", 385)))
    counter.take_up(before)
    assert counter.take_blitz(2).seats == before.seats
    assert [row.counted for row in counter.take_count(more=True).seats] == [3, 1]


def test_doubt_is_not_sure_and_never_passed_on_as_a_proof():
    doubt = Doubt(np.zeros((4, 2), np.float32), "move these apart")
    found = counter_of(Tally(cards(green_pump=1), (doubt,))).take_count()
    assert not found.sure
    assert found.unread == 1
    assert not found.seats[0].sure


def test_no_cause_is_told_while_cards_are_left_uncounted():
    doubt = Doubt(np.zeros((4, 2), np.float32), "move these apart")
    found = counter_of(Tally(cards(green_pump=1, blue_plow=1), (doubt,))).take_count()
    assert [row.cause for row in found.seats] == ["", ""]


def test_followed_is_what_was_said_at_the_end_of_play():
    log = events()
    rows = tuple(replace(row, dutch=5, blitz=2) for row in replay(log).round.tally())
    log.append(RoundScored(time_s=9.2, seen_s=9.2, id=21, by="followed", round=1, seats=rows))
    found = counter_of(Tally(cards(green_pump=2), ()), log, (face_at("R7", 355), face_at("B2", 385))).take_count()
    assert [row.followed for row in found.seats] == [5, 5]
    assert (found.blitz[1].followed, found.blitz[1].counted, found.blitz[1].sure) == (2, 2, True)


@pytest.mark.parametrize(
    ("tally", "says"),
    [
        (Tally((), ()), "turn the Dutch Piles over"),
        (Tally(cards(green_pump=41), ()), "41 cards of green-pump"),
        (Tally(cards(green_pump=2, red_plow=1), ()), "which no seat plays with"),
    ],
)
def test_what_cannot_be_is_said(tally, says):
    found = counter_of(tally).take_count()
    assert says in found.problem
    assert found.seats == ()


def test_two_seats_with_one_deck_are_refused():
    log = events()
    same = replace(log[0], players=(Player(1, "Ann", "green-pump"), Player(2, "Ben", "green-pump")))
    found = counter_of(Tally(cards(green_pump=2), ()), [same, *log[1:]]).take_count()
    assert "same back" in found.problem


def test_nothing_is_counted_while_a_round_is_played_or_arms_are_in_the_way():
    assert "once the round is over" in counter_of(Tally((), ()), events(over=False)).take_count().problem
    log = events()
    counter = TableCounter(LAYOUT, LiveGame(replay(log), log), count=lambda *_: Tally((), ()), read=nothing)
    arm = Reach(np.array(area(0, 0), np.float32), (0.0, 100.0), (0.0, 0.0), 1)
    counter(Frame(IMAGE, 10.0), Observation(10.0, (), (arm,)), [])
    assert "take all hands off" in counter.take_count().problem


def test_only_what_lies_outside_the_seats_areas_is_counted():
    asked = []

    def look(image, belongs, learnt):
        asked.extend(belongs(card_quad(Pose(x, 100, 0), (57.0, 89.0))) for x in (400, 100, 700))
        return Tally((), ())

    log = events()
    counter = TableCounter(LAYOUT, LiveGame(replay(log), log), count=look, read=nothing)
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    counter.take_count()
    assert asked == [True, False, False]


def face_at(label, x):
    return LaidCard(card_quad(Pose(400 + x, 100, 0), (57.0, 89.0)), Face.parse(label), False)


def dealt(left):
    """Give a log in which seat 2 has so many Blitz cards left and seat 1 none."""
    log = events()
    moved = [
        CardMoved(
            time_s=3.0 + n, seen_s=3.0 + n, id=100 + n, seat=2, cards=(Face("green", n + 1),),
            source=PileId.of(PileKind.BLITZ, 2), target=PileId.of(PileKind.POST, 2, 1),
        )
        for n in range(10 - left)
    ]  # fmt: skip
    return [*log[:-1], *moved, log[-1]]


BEN_LEFT = (face_at("R7", 355), face_at("B2", 385))


def test_blitz_cards_that_lie_spread_are_counted_and_other_piles_are_not():
    posts = (face_at("G4", 300), face_at("Y4", 240), face_at("Y5", -300))
    found = counter_of(Tally(cards(green_pump=1), ()), dealt(2), (*BEN_LEFT, *posts)).take_count()
    rows = [(row.seat, row.followed, row.counted, row.sure) for row in found.blitz]
    assert rows == [(1, 0, 0, True), (2, 2, 2, True)]


def test_squared_blitz_pile_is_said_and_the_backs_still_count():
    found = counter_of(Tally(cards(green_pump=2), ()), dealt(4), BEN_LEFT[:1]).take_count()
    assert found.seats[0].counted == 2
    assert found.blitz[1].counted is None
    assert "squared" in found.blitz[1].problem


def test_blitz_cards_count_when_no_backs_can_be():
    found = counter_of(Tally((), ()), dealt(2), BEN_LEFT).take_count()
    assert "No backs" in found.problem
    assert found.blitz[1].counted == 2


def test_a_face_in_the_middle_may_be_somebodys_blitz_card():
    face = CountedCard(card_quad(Pose(400, 100, 0), (57.0, 89.0)), None, True, False)
    found = counter_of(Tally((*cards(green_pump=2), face), ()), dealt(2), BEN_LEFT).take_count()
    assert found.faces == 1
    assert not found.blitz[1].sure


def test_what_players_confirm_adds_up_card_by_card_and_keeps_the_backs():
    lying = [face_at("R7", 0)]
    log = dealt(2)

    def read(image, belongs):
        return [card for card in lying if belongs(card.quad_px)]

    counter = TableCounter(
        LAYOUT, LiveGame(replay(log), log), count=lambda *_: Tally(cards(green_pump=2), ()), read=read
    )
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    assert counter.take_count().blitz[1].counted is None
    assert counter.take_blitz(2).blitz[1].counted == 1
    assert counter.take_blitz(2).blitz[1].counted == 1, "the same card again"
    lying[:] = [face_at("B2", 0)]
    found = counter.take_blitz(2)
    assert (found.blitz[1].counted, found.blitz[1].sure) == (2, True)
    assert found.blitz[0].counted == 0
    assert [row.counted for row in found.seats] == [2, 0]
    assert counter.take_count().blitz[1].counted == 2, "a further count of the table keeps it"


def test_blitz_cards_shown_one_by_one_are_counted_once_the_round_is_over():
    log = dealt(2)
    counter = TableCounter(
        LAYOUT, LiveGame(replay(log), log), count=lambda *_: Tally(cards(green_pump=2), ()), read=nothing
    )
    for n, label in enumerate(("R7", "B2")):
        quad = card_quad(Pose(360, 0, 0), (57.0, 89.0))
        card = Detection(quad, "face", 0.9, Reading(label, 0.95))
        for k in range(4):
            time_s = 10 + 2 * n + 0.3 * k
            counter(Frame(IMAGE, time_s), Observation(time_s, (card,)), [])
    assert (counter.take_count().blitz[1].counted, counter.take_count().blitz[1].sure) == (2, True)


def test_what_was_confirmed_is_forgotten_with_its_round():
    counter = counter_of(Tally(cards(green_pump=2), ()), dealt(2), BEN_LEFT)
    counter.take_blitz(2)
    fresh = events(over=False)
    counter._game = LiveGame(replay(fresh), fresh)
    counter(Frame(IMAGE, 11.0), Observation(11.0, ()), [])
    assert counter.take_blitz(2).blitz == ()
    assert "once the round is over" in counter.take_blitz(2).problem


def test_hands_before_the_deal_propose_the_decks():
    bare = replace(LAYOUT, seats=tuple(replace(item, deck="") for item in LAYOUT.seats))
    counter = TableCounter(bare, LiveGame(replay([])), count=lambda *_: Tally((), ()), read=nothing)
    seen = (
        Detection(card_quad(Pose(-300, 0, 0), (57.0, 89.0)), "back", 0.9, Reading("back:red-carriage", 0.9)),
        Detection(card_quad(Pose(300, 0, 0), (57.0, 89.0)), "back", 0.9, Reading(None, 0.2)),
    )
    counter(Frame(IMAGE, 1.0), Observation(1.0, seen), [])
    assert counter.decks() == {1: "red-carriage", 2: "deck of seat 2"}


def learnt(name, seat=None, color=(40, 160, 90)):
    picture = np.full((178, 114, 3), 240, np.uint8)
    picture[30:150, 20:90] = color
    return LearntBack(name, picture, (57.0, 89.0), seat)


def test_a_learnt_deck_counts_for_its_seat_whatever_the_layout_calls_it(tmp_path):
    (tmp_path / "decks.toml").write_text(format_decks([learnt("Grandma's", 2)]))
    log = events()
    asked = []

    def count(image, belongs, backs):
        asked.append([back.name for back in backs])
        return Tally(cards(green_pump=2) + tuple(replace(card, deck="Grandma's") for card in cards(x=3)), ())

    counter = TableCounter(LAYOUT, LiveGame(replay(log), log), tmp_path / "decks.toml", count, nothing)
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    found = counter.take_count()
    assert found.problem == ""
    assert [row.counted for row in found.seats] == [2, 3]
    assert asked == [["Grandma's"]]


def test_two_decks_with_one_back_are_refused_before_the_game(tmp_path):
    (tmp_path / "decks.toml").write_text(format_decks([learnt("one", 1), learnt("other", 2)]))
    with pytest.raises(DeckError, match=r"one \(seat 1\) and other \(seat 2\) have the same back"):
        TableCounter(LAYOUT, LiveGame(replay([])), tmp_path / "decks.toml")


def test_a_hand_of_an_unknown_design_is_a_back_to_go_by_also_under_the_layouts_name():
    named = replace(LAYOUT, seats=(LAYOUT.seats[0], replace(LAYOUT.seats[1], deck="Grandma's")))
    asked = []

    def count(image, belongs, backs):
        asked.extend(back.name for back in backs)
        return Tally((), ())

    game = LiveGame(replay([]))
    counter = TableCounter(named, game, None, count, nothing)
    seen = Detection(card_quad(Pose(300, 0, 0), (57.0, 89.0)), "back", 0.9, Reading(None, 0.2))
    counter(Frame(IMAGE, 1.0), Observation(1.0, (seen,)), [])
    log = events()
    for event in [replace(log[0], players=(log[0].players[0], Player(2, "Ben", "Grandma's"))), *log[1:]]:
        game.append(event)
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    counter.take_count()
    assert asked == ["Grandma's"]


def test_settling_by_the_count_gives_plays_to_their_owners():
    match = replay(events())
    rows = tuple(replace(row, dutch=1) for row in match.round.tally())
    scored = RoundScored(time_s=9.5, seen_s=9.5, by="counted", round=1, seats=rows)
    fitted = fit_owners([scored], match)
    assert [(event.move, event.changes) for event in fitted[:-1]] == [(12, {"seat": 2})]
    assert fitted[-1] is scored
    followed = RoundScored(time_s=9.5, seen_s=9.5, by="followed", round=1, seats=rows)
    assert list(fit_owners([followed], match)) == [followed]
