"""The pulse of a page: what is said once a second whether or not anything happened in the game."""

from __future__ import annotations

from dataclasses import dataclass

from ..game.match import Match
from .language import Language
from .ports import CameraState, Status
from .sentences import translate
from .words import clock

# A camera gives 10 pictures a second at least; two seconds without one is a fault, not a hiccup.
STALE_S = 2.0


@dataclass(frozen=True, slots=True)
class Beat:
    """Connection and camera in words; `state` is `live`, `quiet` or `stale`."""

    state: str
    words: str
    clock: str
    warnings: tuple[str, ...]


def _camera(status: Status, language: Language) -> tuple[str, str]:
    t = language.t
    age = status.frame_age_s
    match status.camera:
        case CameraState.NONE:
            return "live", t("Scored by hand")
        case CameraState.PAUSED:
            return "quiet", t("Paused")
        case CameraState.ENDED:
            return "quiet", t("The film is over")
        case CameraState.LOST:
            return "stale", t("The camera is gone: the referee sees nothing")
        case _ if age is None:
            return "quiet", t("Waiting for the first picture")
        case _ if age > STALE_S:
            return "stale", t("No picture for {seconds} s: the referee sees nothing", seconds=int(age))
        case CameraState.FILM:
            return "live", t("Watching a film")
        case _:
            return "live", t("Live")


def build_beat(match: Match, status: Status, language: Language) -> Beat:
    """Say how the referee is doing, and the round's clock."""
    state, words = _camera(status, language)
    warnings = tuple(translate(warning, language) for warning in status.warnings)
    return Beat(state, words, round_clock(match, status), warnings)


def round_clock(match: Match, status: Status) -> str:
    """Give the time since the round's signal; it stands still once the round is over."""
    round_ = match.round
    if round_ is None:
        return ""
    now_s = max(status.time_s, match.time_s) if round_.ended_s is None else round_.ended_s
    return clock(now_s - round_.started_s)
