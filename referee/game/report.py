"""What `referee judge` prints: a ruling a line, then doubts and the score; as text or as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .consistency import find_contradictions
from .event_types import Certainty, Event
from .events import read_log
from .judging import judge_log
from .match import Match
from .notation import parse_game
from .ruling import Ruling


def report_log(text: str, as_json: bool = False) -> Iterator[str]:
    """Judge a log and give the lines of the report.

    Parameters
    ----------
    text
        A game in notation, or events as JSON lines.
    as_json
        One JSON object a line; else words.

    Raises
    ------
    NotationError, EventError, MatchError
        If the log can't be read or says something that cannot be.
    """
    events: tuple[Event, ...]
    if text.lstrip().startswith("{"):
        lines = text.splitlines()
        events = tuple(read_log(lines))
        places = (number for number, line in enumerate(lines, 1) if line.strip())
        numbers = {event.id: number for number, event in zip(places, events, strict=True)}
    else:
        game = parse_game(text)
        events, numbers = game.events, game.lines
    match = Match.new()
    for judged in judge_log(events):
        match = judged.match
        if judged.ruling is not None:
            line = numbers.get(judged.event.id, 0)
            record = {"line": line, "id": judged.event.id, **_record(judged.ruling)}
            yield json.dumps(record, ensure_ascii=False) if as_json else _words(line, judged.ruling)
    yield from _report_doubts(match, numbers, as_json)
    if not as_json:
        yield from _report_scores(match)


def _record(ruling: Ruling) -> dict[str, Any]:
    return {
        "move": str(ruling.move),
        "violations": [violation.value for violation in ruling.violations],
        "certainty": ruling.certainty.value,
        "remedy": ruling.remedy,
    }


def _words(line: int, ruling: Ruling) -> str:
    if not ruling.violations:
        verdict = "legal" if ruling.certainty is Certainty.CERTAIN else "legal as far as is known"
        return f"line {line}: {ruling.move}  {verdict}"
    names = ", ".join(violation.value for violation in ruling.violations)
    return f"line {line}: {ruling.move}  ILLEGAL: {names} ({ruling.certainty.value}): {ruling.remedy}"


def _report_doubts(match: Match, numbers: dict[int, int], as_json: bool) -> Iterator[str]:
    for round_ in match.rounds:
        for found in find_contradictions(round_):
            lines = [numbers[id_] for id_ in found.moves if id_ in numbers]
            if as_json:
                yield json.dumps({"doubt": "duplicate_card", "words": found.words, "lines": lines}, ensure_ascii=False)
            else:
                yield f"doubt: {found.words} (lines {', '.join(map(str, lines))})"


def _report_scores(match: Match) -> Iterator[str]:
    for round_ in match.rounds:
        rows = ", ".join(
            f"{match.seat(row.seat).name} {row.score} ({row.dutch} Dutch, {row.blitz} Blitz left)"
            for row in round_.score()
        )
        yield f"round {round_.number}, {round_.phase.value}: {rows}"
