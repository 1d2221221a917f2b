from dataclasses import replace

import numpy as np
import pytest

from referee.counting.counter import CountedCard, Doubt, Tally
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


def counter_of(tally, log=None):
    log = events() if log is None else log
    game = LiveGame(replay(log), log)
    counter = TableCounter(LAYOUT, game, count=lambda image, belongs, learnt: tally)
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


def test_doubt_is_not_sure_and_never_passed_on_as_a_proof():
    doubt = Doubt(np.zeros((4, 2), np.float32), "move these apart")
    found = counter_of(Tally(cards(green_pump=1), (doubt,))).take_count()
    assert not found.sure
    assert found.unread == 1
    assert not found.seats[0].sure


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
    counter = TableCounter(LAYOUT, LiveGame(replay(log), log), count=lambda *_: Tally((), ()))
    arm = Reach(np.array(area(0, 0), np.float32), (0.0, 100.0), (0.0, 0.0), 1)
    counter(Frame(IMAGE, 10.0), Observation(10.0, (), (arm,)), [])
    assert "take all hands off" in counter.take_count().problem


def test_only_what_lies_outside_the_seats_areas_is_counted():
    asked = []

    def look(image, belongs, learnt):
        asked.extend(belongs(card_quad(Pose(x, 100, 0), (57.0, 89.0))) for x in (400, 100, 700))
        return Tally((), ())

    log = events()
    counter = TableCounter(LAYOUT, LiveGame(replay(log), log), count=look)
    counter(Frame(IMAGE, 10.0), Observation(10.0, ()), [])
    counter.take_count()
    assert asked == [True, False, False]


def test_hands_before_the_deal_propose_the_decks():
    bare = replace(LAYOUT, seats=tuple(replace(item, deck="") for item in LAYOUT.seats))
    counter = TableCounter(bare, LiveGame(replay([])), count=lambda *_: Tally((), ()))
    seen = (
        Detection(card_quad(Pose(-300, 0, 0), (57.0, 89.0)), "back", 0.9, Reading("back:red-carriage", 0.9)),
        Detection(card_quad(Pose(300, 0, 0), (57.0, 89.0)), "back", 0.9, Reading(None, 0.2)),
    )
    counter(Frame(IMAGE, 1.0), Observation(1.0, seen), [])
    assert counter.decks() == {1: "red-carriage", 2: "deck of seat 2"}


def test_settling_by_the_count_gives_plays_to_their_owners():
    match = replay(events())
    rows = tuple(replace(row, dutch=1) for row in match.round.tally())
    scored = RoundScored(time_s=9.5, seen_s=9.5, by="counted", round=1, seats=rows)
    fitted = fit_owners([scored], match)
    assert [(event.move, event.changes) for event in fitted[:-1]] == [(12, {"seat": 2})]
    assert fitted[-1] is scored
    followed = RoundScored(time_s=9.5, seen_s=9.5, by="followed", round=1, seats=rows)
    assert list(fit_owners([followed], match)) == [followed]
