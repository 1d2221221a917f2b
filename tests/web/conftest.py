"""A real match from a real log: two scored rounds and a third in the middle of play."""

from __future__ import annotations

from itertools import count

import pytest

from referee.game.cards import Face
from referee.game.events import (
    BlitzSeen,
    CardMoved,
    Event,
    MatchStarted,
    Player,
    RoundScored,
    RoundStarted,
    Ruled,
    SeatScore,
    Violation,
)
from referee.game.match import Match, replay
from referee.game.moves import PileId
from referee.web.live import LiveGame

NAMES = ("Ann", "Ben", "Clara", "David")
DECKS = (
    "green-pump",
    "yellow-pail",
    "blue-plow",
    "red-carriage",
    "blue-pump",
    "green-pail",
    "red-plow",
    "yellow-carriage",
)
HOSTILE = (
    "<script>document.title='pwned'</script>",
    "A" * 200,
    "محمد بن عبد الله آل سعود",
    "👩‍👩‍👧‍👦 Zoë \u202egnorw",
    "Ann",
    "Ann",
    "{t} %s {{7*7}} <b onmouseover=x>",
    " \u200b\u202e ",
)


class Log:
    """Writes a log event by event, with growing ids and times."""

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.events: list[Event] = []
        self.names = names
        self.time_s = 0.0
        self._ids = count(1)

    def add(self, kind: type[Event], after_s: float = 1.0, **values: object) -> int:
        self.time_s += after_s
        event = kind(time_s=self.time_s, seen_s=self.time_s + 0.1, id=next(self._ids), **values)  # type: ignore[arg-type]
        self.events.append(event)
        return event.id

    def start(self, variant: str = "official") -> Log:
        players = tuple(Player(seat, name, DECKS[seat - 1]) for seat, name in enumerate(self.names, 1))
        self.add(MatchStarted, players=players, variant=variant)
        return self

    def go(self) -> Log:
        self.add(RoundStarted, seats=len(self.names))
        return self

    def play(self, seat: int | None, card: str, source: str | None, target: str, **values: object) -> int:
        return self.add(
            CardMoved,
            seat=seat,
            cards=(Face.parse(card),),
            source=None if source is None else PileId.parse(source),
            target=PileId.parse(target),
            **values,
        )

    def rule(self, move: int, *violations: Violation, **values: object) -> int:
        return self.add(Ruled, 0.1, move=move, violations=violations, **values)

    def score(self, by: str, *rows: tuple[int, int]) -> Log:
        seats = tuple(
            SeatScore(seat, dutch, blitz, dutch - 2 * blitz, True) for seat, (dutch, blitz) in enumerate(rows, 1)
        )
        self.add(RoundScored, by=by, seats=seats)
        return self

    def play_round(self) -> int:
        """Play a little: an illegal play that is put back, and one that stays; give the id of that one."""
        self.go()
        self.play(1, "R1", "s1.blitz", "d1")
        self.play(2, "B1", "s2.post1", "d2")
        self.play(1, "R2", "s1.blitz", "d1")
        self.play(3, "R3", "s3.wood", "d1")
        wrong = self.play(3, "G4", "s3.post2", "d2")
        self.rule(wrong, Violation.WRONG_COLOR, Violation.WRONG_NUMBER)
        self.play(3, "G4", "d2", "s3.post2", undoes=wrong)
        self.rule(wrong)
        self.play(4, "R4", "s4.blitz", "d1")
        self.play(1, "R5", "s1.post1", "d1")
        illegal = self.play(2, "R7", "s2.post2", "d1")
        self.rule(illegal, Violation.WRONG_NUMBER, remedy="take back R7")
        return illegal

    def end_round(self) -> Log:
        """Let seat 1 blitz, and score as followed."""
        self.add(BlitzSeen, seat=1)
        return self.score_followed()

    def score_followed(self) -> Log:
        round_ = replay(self.events).round
        assert round_ is not None
        self.add(RoundScored, by="followed", seats=round_.tally())
        return self

    def match(self) -> Match:
        return replay(self.events)

    def game(self) -> LiveGame:
        return LiveGame(self.match(), self.events)


def full_log(names: tuple[str, ...] = NAMES) -> Log:
    """Two scored rounds and a third in the middle of play."""
    log = Log(names).start()
    rest = [(7, 6)] * (len(names) - 4)
    log.go().score("followed", (19, 3), (12, 5), (21, 0), (8, 7), *rest)
    log.go().score("counted", (17, 2), (22, 0), (14, 4), (9, 8), *rest)
    log.play_round()
    return log


@pytest.fixture
def log() -> Log:
    return full_log()


@pytest.fixture
def hostile_log() -> Log:
    return full_log(HOSTILE)


@pytest.fixture
def new_log() -> type[Log]:
    return Log


@pytest.fixture
def game(log: Log) -> LiveGame:
    return log.game()
