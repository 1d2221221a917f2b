from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game import events as ev
from referee.game.cards import FACES, ORDINARY_FACES
from referee.game.events import EVENT_TYPES, EventError, from_json, read_log, to_json
from referee.game.moves import PileId, PileKind

CONTRACT = """\
{"type": "round_started", "time_s": 2.0, "seen_s": 2.0, "seats": 4, "variant": "dutch-blitz"}
{"type": "pile_seen", "time_s": 2.1, "seen_s": 2.3, "pile": "s1.blitz", "top": "G4"}
{"type": "card_moved", "time_s": 12.48, "seen_s": 12.61, "id": 17, "seat": 2, "cards": ["R7"], "source": "s2.post2", \
"target": "d3", "at_mm": [40, -12], "confidence": 0.97}
{"type": "ruled", "time_s": 12.48, "seen_s": 12.61, "move": 17, "violations": ["wrong_number"], \
"certainty": "certain", "remedy": "take back R7"}
{"type": "card_moved", "time_s": 15.2, "seen_s": 15.4, "id": 21, "undoes": 17, "seat": 2, "cards": ["R7"], \
"source": "d3", "target": "s2.post2", "confidence": 0.95}
{"type": "revised", "time_s": 12.48, "seen_s": 16.0, "move": 17, "seat": 3, "reason": "seen later on s2.wood"}
{"type": "blitz_seen", "time_s": 71.3, "seen_s": 71.6, "seat": 1}
{"type": "round_scored", "time_s": 75.0, "seen_s": 75.0, "by": "followed", \
"seats": [{"seat": 1, "dutch": 19, "blitz": 3, "score": 13, "sure": true}]}
""".splitlines()

TIMES = st.integers(0, 10_000_000).map(lambda ms: ms / 1000)
SEATS = st.integers(1, 8)
IDS = st.integers(1, 10_000)
FACE = st.none() | st.sampled_from(FACES + ORDINARY_FACES)
PILE = st.one_of(
    st.builds(PileId.of, st.sampled_from([PileKind.HAND, PileKind.WOOD, PileKind.BLITZ]), SEATS),
    st.builds(PileId.of, st.just(PileKind.POST), SEATS, st.integers(1, 5)),
    st.builds(PileId.dutch, IDS),
)
WHEN = {"time_s": TIMES, "seen_s": TIMES, "id": st.integers(0, 10_000)}
SHARE = st.integers(0, 100).map(lambda percent: percent / 100)
CHANGES = st.fixed_dictionaries(
    {}, optional={"seat": st.none() | SEATS, "source": st.none() | PILE, "cards": st.tuples(FACE), "confidence": SHARE}
)
SCORE = st.builds(ev.SeatScore, SEATS, st.integers(0, 40), st.integers(0, 10), st.integers(-99, 99), st.booleans())
PLAYER = st.builds(ev.Player, SEATS, st.text(max_size=8), st.text(max_size=8))
EVENTS = st.one_of(
    st.builds(ev.MatchStarted, **WHEN, players=st.lists(PLAYER, max_size=4).map(tuple),
              rules=st.sampled_from([{}, {"turn": 1}, {"target": "none", "rounds": 3}])),
    st.builds(ev.SeatJoined, **WHEN, seat=SEATS, name=st.text(max_size=8), deck=st.text(max_size=8)),
    st.builds(ev.SeatLeft, **WHEN, seat=SEATS),
    st.builds(ev.RoundStarted, **WHEN, seats=SEATS, playing=st.lists(SEATS, max_size=4).map(tuple)),
    st.builds(ev.RoundPaused, **WHEN, reason=st.text(max_size=8)),
    st.builds(ev.RoundResumed, **WHEN),
    st.builds(ev.PileSeen, **WHEN, pile=PILE, top=FACE, empty=st.booleans()),
    st.builds(ev.CardMoved, **WHEN, seat=st.none() | SEATS, cards=st.lists(FACE, min_size=1, max_size=4).map(tuple),
              source=st.none() | PILE, target=PILE, at_mm=st.none() | st.tuples(TIMES, TIMES), confidence=SHARE,
              undoes=st.none() | IDS, after=st.none() | IDS, rest_s=st.none() | TIMES, visible_s=st.none() | TIMES),
    st.builds(ev.Ruled, **WHEN, move=IDS, violations=st.lists(st.sampled_from(ev.Violation), max_size=3).map(tuple),
              certainty=st.sampled_from(ev.Certainty), remedy=st.text(max_size=8),
              by=st.sampled_from(["referee", "person"])),
    st.builds(ev.Revised, **WHEN, move=IDS, reason=st.text(max_size=8), retracted=st.booleans(), changes=CHANGES),
    st.builds(ev.DutchCalled, **WHEN, seat=st.none() | SEATS, move=st.none() | IDS),
    st.builds(ev.BlitzSeen, **WHEN, seat=SEATS),
    st.builds(ev.BlitzCalled, **WHEN, seat=SEATS),
    st.builds(ev.StuckAgreed, **WHEN),
    st.builds(ev.RoundEnded, **WHEN, reason=st.sampled_from(["stuck", "abandoned"])),
    st.builds(ev.RoundScored, **WHEN, by=st.sampled_from(["followed", "counted", "corrected"]),
              seats=st.lists(SCORE, max_size=4).map(tuple), round=st.none() | IDS),
)  # fmt: skip


@pytest.mark.parametrize("line", CONTRACT, ids=lambda line: json.loads(line)["type"])
def test_the_contract_is_kept_to_the_letter(line):
    assert json.loads(to_json(from_json(line))) == json.loads(line)


@given(EVENTS)
def test_reading_is_the_inverse_of_writing(event):
    line = to_json(event)
    assert "\n" not in line
    assert from_json(line) == event


def test_the_property_above_covers_every_kind_of_event():
    text = repr(EVENTS)
    assert all(f"builds({cls.__name__}" in text for cls in EVENT_TYPES.values())
    assert len(EVENT_TYPES) == 16


def test_what_holds_its_default_is_left_out():
    event = ev.CardMoved(time_s=1, seen_s=1, seat=None, cards=(None,), source=None, target=PileId.dutch(1))
    assert json.loads(to_json(event)) == {
        "type": "card_moved", "time_s": 1, "seen_s": 1, "seat": None, "cards": [None], "source": None, "target": "d1",
        "confidence": 1.0,
    }  # fmt: skip
    assert json.loads(to_json(ev.Ruled(time_s=1, seen_s=2, move=3, violations=()))) == {
        "type": "ruled", "time_s": 1, "seen_s": 2, "move": 3, "violations": [], "certainty": "certain",
    }  # fmt: skip


def test_an_event_never_changes():
    with pytest.raises(dataclasses.FrozenInstanceError):
        from_json(CONTRACT[0]).time_s = 3.0


MOVE = json.loads(CONTRACT[2])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no event of a known type"),
        ("nonsense", "no event of a known type"),
        ("[1, 2]", "no event of a known type"),
        ("null", "no event of a known type"),
        ('{"time_s": 1}', "no event of a known type"),
        ('{"type": "danced"}', "no event of a known type"),
        ('{"type": ["x"]}', "no event of a known type"),
        ("[" * 100_000, "no event of a known type"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1}', "the field 'seat' is missing"),
        ('{"type": "blitz_seen", "seen_s": 1, "seat": 1}', "the field 'time_s' is missing"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1, "seat": 1, "mood": 2}', "'mood': it is unknown"),
        ('{"type": "blitz_seen", "time_s": "1", "seen_s": 1, "seat": 1}', "'time_s': '1' is no number"),
        ('{"type": "blitz_seen", "time_s": NaN, "seen_s": 1, "seat": 1}', "'time_s': nan is no number"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1, "seat": 1.5}', "'seat': 1.5 is no whole number"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1, "seat": true}', "'seat': True is no whole number"),
        ('{"type": "blitz_seen", "time_s": 1, "seen_s": 1, "seat": null}', "'seat': None is no whole number"),
        (json.dumps({**MOVE, "cards": []}), "at least one"),
        (json.dumps({**MOVE, "cards": ["R11"]}), "'cards': no red card has number 11"),
        (json.dumps({**MOVE, "cards": "R7"}), "'cards': 'R7' is no list"),
        (json.dumps({**MOVE, "target": None}), "'target': None is no text"),
        (json.dumps({**MOVE, "target": "x3"}), "'target': 'x3' is no pile"),
        (json.dumps({**MOVE, "at_mm": [1]}), "'at_mm'"),
        (json.dumps({**MOVE, "confidence": None}), "'confidence': None is no number"),
        ('{"type": "ruled", "time_s": 1, "seen_s": 1, "move": 1, "violations": ["ugly"]}', "'violations': 'ugly'"),
        ('{"type": "revised", "time_s": 1, "seen_s": 1, "move": 1, "reason": "x", "mood": 1}', "'mood': it is unknown"),
        ('{"type": "match_started", "time_s": 1, "seen_s": 1, "players": [{"seat": 1, "x": 2}]}', "'players': 'x'"),
        ('{"type": "match_started", "time_s": 1, "seen_s": 1, "players": [], "version": 2}', "log version 2"),
        (json.dumps({**json.loads(CONTRACT[7]), "seats": [{"seat": 1}]}), "'seats'"),
        (json.dumps({**json.loads(CONTRACT[1]), "empty": 1}), "'empty': 1 is neither true nor false"),
    ],
)
def test_what_is_no_event_is_refused_with_the_reason(line, message):
    with pytest.raises(EventError) as caught:
        from_json(line)
    assert message in str(caught.value)


def test_a_log_is_read_line_by_line():
    assert [event.type for event in read_log([*CONTRACT, "", "  \n"])] == [
        json.loads(line)["type"] for line in CONTRACT
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([CONTRACT[0], "x"], "line 2: no event"),
        ([CONTRACT[2], "", CONTRACT[2]], "line 3: the id 17 is used again"),
        ([CONTRACT[2], CONTRACT[1]], "line 2: out of order: seen at 2.3 s after one seen at 12.61 s"),
    ],
)
def test_a_log_out_of_order_is_refused_at_its_line(lines, message):
    with pytest.raises(EventError) as caught:
        list(read_log(lines))
    assert message in str(caught.value)
