import itertools
import json
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from referee.config import Config
from referee.game.event_types import (
    BlitzSeen,
    CardMoved,
    MatchStarted,
    Revised,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundStarted,
)
from referee.game.variant import get_variant
from referee.journal import Journal
from referee.layout import Pose, SeatLayout, TableLayout
from referee.pipeline import Capture, Health, Referee
from referee.running import Kept, RunError, WebBoard, choose_variant, find_layout, run_to_end, set_table
from referee.store import Store
from referee.tracking.tracker import Tracker
from referee.vision.frames import Detection, Frame, Observation, Reach, Reading
from referee.vision.geometry import card_quad
from referee.web.live import LiveGame
from referee.web.ports import CameraState, Command

IMAGE = np.zeros((16, 16, 3), np.uint8)
CARD_MM = (57.0, 89.0)
STEP_S = 0.1


def make_layout():
    def seat(y, turn, side, deck):
        area = ((-400.0, y - 80), (400.0, y - 80), (400.0, y + 80), (-400.0, y + 80))
        poses = [Pose(x * side, y, turn) for x in (-70, 0, 70, 140, 210)]
        return SeatLayout(
            f"Name {deck}", deck, area, tuple(poses), Pose(280 * side, y, turn), Pose(-140 * side, y, turn)
        )

    return TableLayout(
        card_mm=CARD_MM,
        image_size_px=(1280, 720),
        px_from_mm=((1.0, 0.0, 640.0), (0.0, 1.0, 360.0), (0.0, 0.0, 1.0)),
        dutch_mm=((-400.0, -200.0), (400.0, -200.0), (400.0, 200.0), (-400.0, 200.0)),
        seats=(seat(300.0, 0.0, 1.0, "green-pump"), seat(-300.0, 180.0, -1.0, "yellow-pail")),
    )


def round_of_plays(count=6, wrong=()):
    """Give the observations of a table on which seat 1 lays `count` red cards on one pile; `wrong` are laid aside."""
    layout = make_layout()
    tops = [(seat, slot, pose) for seat in (1, 2) for slot, pose in enumerate(layout.seats[seat - 1].post_mm)]
    seen = []

    def look(cards, arm=None):
        found = [Detection(card_quad(pose, CARD_MM), "face", 0.95, Reading(label, 0.97)) for label, pose in cards]
        reaches = ()
        if arm is not None:
            outline = np.array([[arm - 30, -10], [arm + 30, -10], [arm + 30, 360], [arm - 30, 360]], np.float32)
            reaches = (Reach(outline, (arm, 360.0), (arm, 0.0), 1),)
        seen.append(Observation(round(len(seen) * STEP_S, 3), tuple(found), reaches))

    still = [(f"{'BYGRB'[slot]}{9 - slot % 2}", pose) for _, slot, pose in tops]
    still += [("Y5", layout.seats[0].blitz_mm), ("G5", layout.seats[1].blitz_mm)]
    middle = []
    for _ in range(10):
        look(still)
    for number in range(1, count + 1):
        x = 150.0 if number in wrong else 0.0
        for _ in range(4):
            look(still, arm=x)
        middle = [*(card for card in middle if card[1].x_mm != x), (f"R{number}", Pose(x, 0.0, 8.0 * number))]
        for _ in range(12):
            look(still + middle)
    return seen


class Recorded:
    """A film of observations: frames carry nothing but their number."""

    live = False
    size_px = (16, 16)
    name = "recorded"

    def __init__(self, seen, pause_s=0.0):
        self.seen = seen
        self.pause_s = pause_s
        self.given = 0
        self.message = ""

    def frames(self):
        for index, observation in enumerate(self.seen):
            self.given += 1
            if self.pause_s:
                time.sleep(self.pause_s)
            yield Frame(IMAGE, observation.time_s, index)

    def close(self):
        pass


class Camera(Recorded):
    live = True


class Broken(Recorded):
    """A film that breaks off."""

    def frames(self):
        yield from super().frames()
        raise RuntimeError("the cable was pulled")


class Recall:
    """An eye that remembers what each frame shows."""

    def __init__(self, seen):
        self.seen = seen

    def observe(self, frame):
        seen = self.seen[frame.index]
        return Observation(frame.time_s, seen.cards, seen.reaches, seen.sharp)


def table_for(seen, source=None, **more):
    kept = Kept()
    source = source or Recorded(seen)
    table = set_table(source, Recall(seen), make_layout(), get_variant("official"), sinks=[kept], **more)
    return table, kept


def labels(events):
    return [str(event.cards[0]) for event in events if isinstance(event, CardMoved) and event.target.slot == 1]


def test_film_becomes_events_match_and_status():
    seen = round_of_plays()
    table, kept = table_for(seen)
    run_to_end(table, threading.Event(), stay=False)
    assert labels(kept.events) == ["R1", "R2", "R3", "R4", "R5", "R6"]
    match = table.game.match()
    assert [seat.name for seat in match.seats] == ["Name green-pump", "Name yellow-pail"]
    assert match.round.count_dutch(1) == 6
    assert table.game.status().camera is CameraState.ENDED
    assert table.referee.frames == len(seen)


def test_film_drops_no_frame_though_the_referee_is_slow():
    seen = round_of_plays(1)
    capture = Capture(Recorded(seen))
    got = []
    while (frame := capture.take(5.0)) is not None:
        time.sleep(0.002)
        got.append(frame.index)
    capture.close()
    assert got == list(range(len(seen)))


def test_of_a_camera_only_the_newest_frame_is_taken():
    seen = round_of_plays(2)
    camera = Camera(seen, pause_s=0.002)
    capture = Capture(camera)
    time.sleep(0.002 * len(seen) + 0.3)
    first = capture.take(1.0)
    capture.close()
    assert first is None or first.index == len(seen) - 1
    assert camera.given == len(seen)


def test_what_ends_the_source_reaches_the_caller_and_events_stay(tmp_path):
    seen = round_of_plays(2)

    store = Store(tmp_path)
    table, kept = table_for(seen, Broken(seen), store=store)
    with pytest.raises(RuntimeError, match="cable"):
        run_to_end(table, threading.Event(), stay=False)
    game = store.find_open_game("recorded")
    assert labels(store.events(game)) == ["R1", "R2"] == labels(kept.events)
    store.close()


def in_background(table, stay=True):
    stop = threading.Event()
    thread = threading.Thread(target=run_to_end, args=(table, stop, stay))
    thread.start()
    return stop, thread


def test_commands_are_answered_after_their_event_is_in_the_log(tmp_path):
    seen = round_of_plays(3)
    store = Store(tmp_path)
    table, kept = table_for(seen, store=store)
    stop, thread = in_background(table)
    while table.game.status().camera is not CameraState.ENDED:
        time.sleep(0.01)
    move = next(event for event in kept.events if isinstance(event, CardMoved) and labels([event]) == ["R2"])
    correction = Revised(time_s=move.time_s, seen_s=move.seen_s, move=move.id, reason="a person", changes={"seat": 2})
    outcome = table.game.submit(Command((correction,)))
    assert outcome.done
    logged = store.events(store.games()[-1].id)
    assert logged[-1].changes == {"seat": 2}
    assert table.game.match().round.count_dutch(2) == 1
    refused = table.game.submit(Command((RoundEnded(time_s=0.0, seen_s=0.0, reason="boredom"),)))
    assert not refused.done
    assert "boredom" in refused.reason
    assert store.events(store.games()[-1].id) == logged
    stop.set()
    thread.join()
    store.close()


def test_command_of_several_events_is_carried_out_whole_or_not_at_all():
    seen = round_of_plays(1)
    table, _ = table_for(seen)
    stop, thread = in_background(table)
    while table.game.status().camera is not CameraState.ENDED:
        time.sleep(0.01)
    before = table.game.version()
    bad = Command((BlitzSeen(time_s=0.0, seen_s=0.0, seat=1), BlitzSeen(time_s=0.0, seen_s=0.0, seat=7)))
    assert not table.game.submit(bad).done
    assert table.game.version() == before
    assert table.game.match().round.blitz_seat is None
    stop.set()
    thread.join()


def test_nothing_is_followed_while_play_is_paused():
    seen = round_of_plays(4)
    source = Recorded(seen)
    table, kept = table_for(seen, source)
    board = WebBoard(table.game)
    referee = table.referee
    for frame in itertools.islice(source.frames(), 0, 30):
        referee._look(frame)
    assert labels(kept.events) == ["R1"]
    board.append(RoundPaused(id=next(referee._ids), time_s=2.9, seen_s=2.9))
    for observation in seen[30:40]:
        referee._look(Frame(IMAGE, observation.time_s, 30))
    assert labels(kept.events) == ["R1"]
    assert table.game.status().camera is CameraState.PAUSED
    board.append(RoundResumed(id=next(referee._ids), time_s=3.9, seen_s=3.9))
    for index in range(40, len(seen)):
        referee._look(Frame(IMAGE, seen[index].time_s, index))
    assert labels(kept.events)[-1] == "R4"


def test_camera_that_gives_nothing_is_shown_as_lost():
    seen = round_of_plays(1)
    silent = threading.Event()

    class Hanging(Camera):
        def frames(self):
            yield from itertools.islice(super().frames(), 3)
            silent.wait(20)

        def close(self):
            silent.set()

    table, kept = table_for(seen, Hanging(seen))
    stop, thread = in_background(table)
    deadline = time.monotonic() + 15
    while table.game.status().camera is not CameraState.LOST and time.monotonic() < deadline:
        time.sleep(0.05)
    assert table.game.status().camera is CameraState.LOST
    assert not kept.events
    stop.set()
    thread.join()


def test_game_goes_on_in_memory_when_the_disk_fails_and_is_written_once_it_works(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.journal.RETRY_S", 0.0)
    store = Store(tmp_path)
    journal = Journal(store, store.begin_game("table"))
    journal.append([RoundStarted(id=1, time_s=0.0, seen_s=0.0, seats=2)])
    store._db.execute("PRAGMA query_only = ON")
    journal.append([RoundStarted(id=2, time_s=0.0, seen_s=0.0, seats=2)])
    assert "in memory only" in journal.warning
    store._db.execute("PRAGMA query_only = OFF")
    journal.append([RoundStarted(id=3, time_s=0.0, seen_s=0.0, seats=2)])
    assert journal.warning == ""
    assert [event.id for event in store.events(1)] == [1, 2, 3]
    store.close()


def test_event_that_cannot_be_is_left_out_and_told():
    seen = round_of_plays(1)
    game = LiveGame(table_for(seen)[0].game.match())
    health = []

    class Board(WebBoard):
        def report(self, state: Health):
            health.append(state)

    tracker = Tracker(make_layout(), get_variant("official"), ids := itertools.count(10))
    referee = Referee(Recorded(seen), Recall(seen), tracker, Board(game), ids)
    assert referee._commit([BlitzSeen(id=5, time_s=0.0, seen_s=0.0, seat=1)]) == []
    referee._report("film")
    assert "round_started comes first" in health[-1].warnings[0]


CHILD = """
import pickle, sys, threading
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import test_pipeline as parts
from referee.store import Store
seen = pickle.loads(Path(sys.argv[2]).read_bytes())
source = parts.Recorded(seen, pause_s=0.01)
store = Store(Path(sys.argv[1]))
table, kept = parts.table_for(seen, source, store=store)
table.referee._listeners = (lambda frame, seen, events: [print(event.id, event.type, flush=True) for event in events],)
parts.run_to_end(table, threading.Event(), stay=False)
"""


def test_killed_program_goes_on_with_the_same_game(tmp_path):
    seen = round_of_plays(6)
    (tmp_path / "seen").write_bytes(pickle.dumps(seen))
    here = str(__import__("pathlib").Path(__file__).parent)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path / "data"), str(tmp_path / "seen"), here],
        stdout=subprocess.PIPE,
        text=True,
    )
    moves = last = 0
    for line in child.stdout:
        last = int(line.split()[0])
        moves += "card_moved" in line
        if moves == 3:
            break
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()

    store = Store(tmp_path / "data")
    game = store.find_open_game("recorded")
    before = store.events(game)
    assert before[-1].id >= last
    assert isinstance(before[0], MatchStarted)
    table, _ = table_for(seen, store=store)
    assert table.game.match().round is not None
    run_to_end(table, threading.Event(), stay=False)
    after = store.events(game)
    assert after[: len(before)] == before
    assert labels(after) == ["R1", "R2", "R3", "R4", "R5", "R6"]
    assert [event.target.slot for event in after if isinstance(event, CardMoved)] == [1] * 6
    assert table.game.match().round.count_dutch(1) == 6
    store.close()


def test_camera_clock_goes_on_after_a_restart(tmp_path):
    seen = round_of_plays(2)
    store = Store(tmp_path)
    table, _ = table_for(seen, Broken(seen), store=store)
    with pytest.raises(RuntimeError, match="cable"):
        run_to_end(table, threading.Event(), stay=False)
    ended_s = table.game.match().time_s
    later = [Observation(number * STEP_S, seen[-1].cards) for number in range(20)]
    again, kept = table_for(later, Camera(later, pause_s=0.005), store=store)
    run_to_end(again, threading.Event(), stay=False)
    assert labels(kept.events) == []
    assert again.game.status().time_s > ended_s + 0.9
    store.close()


def test_finished_film_begins_a_new_game_next_time(tmp_path):
    seen = round_of_plays(1)
    store = Store(tmp_path)
    for _ in range(2):
        table, _ = table_for(seen, store=store)
        run_to_end(table, threading.Event(), stay=False)
    assert [game.closed for game in store.games()] == [True, True]
    store.close()


def test_unknown_rules_and_layouts_are_one_clear_line(tmp_path):
    with pytest.raises(RunError, match="no rules are called 'chess'"):
        choose_variant(Config(variant="chess"))
    (tmp_path / "layout.toml").write_text("cards = 1\n", encoding="utf-8")
    with pytest.raises(RunError, match="unknown key 'cards'"):
        find_layout(tmp_path / "layout.toml", "film.mp4", None)


def test_events_file_holds_the_formats_events_only(tmp_path):
    from referee.running import EventFile

    seen = round_of_plays(2)
    file = EventFile(tmp_path / "events.jsonl")
    table = set_table(Recorded(seen), Recall(seen), make_layout(), get_variant("official"), sinks=[file])
    run_to_end(table, threading.Event(), stay=False)
    file.close()
    records = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert records[0]["type"] == "round_started"
    assert {record["type"] for record in records} <= {"round_started", "pile_seen", "card_moved", "revised"}
    assert [record["seen_s"] for record in records] == sorted(record["seen_s"] for record in records)


def shifted(seen, by_s):
    return [Observation(round(look.time_s + by_s, 3), look.cards, look.reaches, look.sharp) for look in seen]


def bare(from_s, seconds):
    return [Observation(round(from_s + number * STEP_S, 3), ()) for number in range(int(seconds / STEP_S))]


def press(table, action, **form):
    """Press a button of the desk, as the web does."""
    from referee.web.desk_commands import read_command
    from referee.web.language import get_language

    return table.game.submit(read_command(action, form, table.game.match(), get_language("en")))


class Stepped(Recorded):
    """A camera whose pictures come when the test lets them."""

    live = False

    def __init__(self, seen):
        super().__init__(seen)
        self.upto = 0
        self.go_on = threading.Condition()

    def let(self, count):
        with self.go_on:
            self.upto = count
            self.go_on.notify_all()

    def frames(self):
        for frame in super().frames():
            with self.go_on:
                self.go_on.wait_for(lambda index=frame.index: index < self.upto, 20)
            yield frame


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_new_game_during_a_run_starts_anew_and_the_old_one_stays_in_the_log(tmp_path):
    first = round_of_plays(3)
    lying_s = first[-1].time_s + STEP_S
    still = [Observation(round(lying_s + k * STEP_S, 3), first[-1].cards) for k in range(30)]
    swept = bare(still[-1].time_s + STEP_S, 4.0)
    second = shifted(round_of_plays(2), swept[-1].time_s + STEP_S)
    seen = [*first, *still, *swept, *second]
    source = Stepped(seen)
    store = Store(tmp_path)
    table, kept = table_for(seen, source, store=store)
    stop, thread = in_background(table)
    source.let(len(first))
    wait_until(lambda: labels(kept.events) == ["R1", "R2", "R3"] and table.referee.frames == len(first))
    assert not press_new_game(table).done, "a round is being played"
    assert press(table, "blitz", seat="1").done
    assert press(table, "count", round="1", by="counted", **counts((3, 0), (0, 10))).done
    old, ids = table.game.number(), table.game.version()
    assert table.game.match().totals() == {1: 3, 2: -20}
    assert press_new_game(table).done
    assert table.game.number() == old + 1
    source.let(len(seen))
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    stop.set()
    thread.join()
    match = table.game.match()
    assert [seat.name for seat in match.seats] == ["Name green-pump", "Name yellow-pail"]
    assert len(match.rounds) == 1
    assert match.round.count_dutch(1) == 2, "the cards of the old game are none of the new one's"
    assert table.game.status().warnings == ()
    before, after = store.events(old), store.events(old + 1)
    assert labels(before) == ["R1", "R2", "R3"]
    assert labels(after) == ["R1", "R2"]
    assert isinstance(after[0], MatchStarted)
    assert after[0].id == ids + 1
    assert [game.closed for game in store.games()] == [True, True]
    store.close()


def press_new_game(table):
    from referee.web.desk_commands import FormError
    from referee.web.ports import Outcome

    try:
        return press(table, "new-game", variant="official")
    except FormError as error:
        return Outcome(False, str(error))


def counts(*rows):
    return {
        f"{what}-{seat}": str(count)
        for seat, row in enumerate(rows, 1)
        for what, count in zip(("dutch", "blitz"), row, strict=True)
    }


def test_new_game_keeps_the_house_rules(tmp_path):
    seen = round_of_plays(1)
    table, _ = table_for(seen, config=Config(rules={"target": 40}))
    stop, thread = in_background(table)
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    assert press(table, "count", round="1", by="counted", **counts((3, 0), (0, 10))).done
    assert press(table, "new-game", variant="official").done
    assert table.game.match().variant.target == 40
    assert press(table, "new-game", variant="family").done
    assert table.game.match().variant.target == 75
    stop.set()
    thread.join()


def watch(table, source, count):
    """Let pictures come up to this one, and wait until the referee has dealt with them all: what it says then stays."""
    source.let(count)
    wait_until(lambda: table.referee.frames == count)


def test_correcting_an_old_round_does_not_end_the_one_that_is_played():
    first = round_of_plays(2)
    swept = bare(first[-1].time_s + STEP_S, 4.0)
    second = shifted(round_of_plays(4), swept[-1].time_s + STEP_S)
    lying_s = second[-1].time_s + STEP_S
    still = [Observation(round(lying_s + k * STEP_S, 3), second[-1].cards) for k in range(50)]
    seen = [*first, *swept, *second, *still]
    source = Stepped(seen)
    table, kept = table_for(seen, source)
    stop, thread = in_background(table)
    watch(table, source, len(first))
    assert labels(kept.events) == ["R1", "R2"]
    assert press(table, "count", round="1", by="counted", **counts((2, 1), (0, 10))).done
    watch(table, source, len(first) + len(swept) + 25)
    assert labels(kept.events)[2:] == ["R1"]
    assert press(table, "count", round="1", by="corrected", **counts((2, 2), (0, 10))).done
    watch(table, source, len(first) + len(swept) + len(second))
    assert labels(kept.events)[2:] == ["R1", "R2", "R3", "R4"]
    assert table.game.match().totals() == {1: -2, 2: -20}
    assert press(table, "blitz", seat="1").done
    source.let(len(seen))
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    assert set(table.game.match().round.scores) == {"followed"}
    assert table.game.match().totals() == {1: 2, 2: -40}
    stop.set()
    thread.join()


@pytest.mark.parametrize(
    "before", [{}, {"blitz": {"seat": "1"}}, {"stuck": {}}, {"count": {"round": "1", **counts((2, 1), (0, 10))}}]
)
def test_count_just_before_the_next_round_does_not_end_it(before):
    first = round_of_plays(2)
    swept = bare(first[-1].time_s + STEP_S, 4.0)
    second = shifted(round_of_plays(3), swept[-1].time_s + STEP_S)
    seen = [*first, *swept, *second]
    source = Stepped(seen)
    table, kept = table_for(seen, source)
    stop, thread = in_background(table)
    watch(table, source, len(first))
    for action, form in before.items():
        assert press(table, action, **form).done
    watch(table, source, len(first) + len(swept))
    assert press(table, "count", round="1", by="counted", **counts((2, 2), (0, 10))).done
    source.let(len(seen))
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    stop.set()
    thread.join()
    assert labels(kept.events) == ["R1", "R2", "R1", "R2", "R3"]
    match = table.game.match()
    assert [round_.count_dutch(1) for round_ in match.rounds] == [2, 3]
    assert match.rounds[0].score()[0].blitz == 2
    assert table.game.status().warnings == ()


def test_round_that_ended_stuck_is_scored_as_followed_when_nobody_counts():
    first = round_of_plays(2)
    swept = bare(first[-1].time_s + STEP_S, 10.0)
    seen = [*first, *swept, *shifted(round_of_plays(3), swept[-1].time_s + STEP_S)]
    source = Stepped(seen)
    table, _ = table_for(seen, source)
    stop, thread = in_background(table)
    watch(table, source, len(first))
    assert press(table, "stuck").done
    source.let(len(seen))
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    stop.set()
    thread.join()
    match = table.game.match()
    assert [set(round_.scores) for round_ in match.rounds] == [{"followed"}, set()]
    assert [row.dutch for row in match.rounds[0].score()] == [2, 0]
    assert table.game.status().warnings == ()


def test_zones_moved_at_the_desk_are_watched_by_from_the_next_round(tmp_path):
    from dataclasses import replace

    from referee.table_keeper import TableKeeper

    wrong = make_layout()
    first = replace(wrong.seats[0], blitz_mm=Pose(-330.0, 300.0, 0.0))
    wrong = replace(wrong, seats=(first, wrong.seats[1]))
    still = [Observation(round(k * STEP_S, 3), round_of_plays(1)[0].cards) for k in range(15)]
    seen = [*still, *shifted(round_of_plays(2), still[-1].time_s + STEP_S)]
    source = Stepped(seen)
    kept = Kept()
    table = set_table(source, Recall(seen), wrong, get_variant("official"), sinks=[kept])
    keeper = TableKeeper(wrong, tmp_path / "layout.toml", (1280, 720), table.game, [table.tracker.lay_out])
    table.referee._listeners = (keeper,)
    stop, thread = in_background(table)
    source.let(10)
    wait_until(lambda: table.referee.frames >= 5)
    assert keeper.change_layout(make_layout()).done
    source.let(len(seen))
    wait_until(lambda: table.game.status().camera is CameraState.ENDED)
    stop.set()
    thread.join()
    tops = {str(event.pile): str(event.top) for event in kept.events if event.type == "pile_seen"}
    assert tops["s1.blitz"] == "Y5", "the Blitz Pile was found where its zone was moved to"
    assert labels(kept.events) == ["R1", "R2"]
