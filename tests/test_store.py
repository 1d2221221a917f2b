import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from referee.game.cards import Face
from referee.game.events import PileSeen, RoundStarted
from referee.game.moves import PileId
from referee.store import Store, StoreError


def some_events(first, count):
    return [
        PileSeen(id=number, time_s=number / 8, seen_s=number / 8, pile=PileId.parse("s1.blitz"), top=Face.parse("R7"))
        for number in range(first, first + count)
    ]


def test_events_come_back_as_they_were(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    events = [RoundStarted(id=1, time_s=0.0, seen_s=0.0, seats=4), *some_events(2, 3)]
    store.append(game, events[:2])
    store.append(game, events[2:])
    assert store.events(game) == events
    store.close()


def test_open_game_goes_on_until_it_is_closed(tmp_path):
    with_game = Store(tmp_path)
    game = with_game.begin_game("table")
    with_game.append(game, some_events(1, 2))
    with_game.close()
    again = Store(tmp_path)
    assert again.find_open_game("table") == game
    assert again.find_open_game("another") is None
    again.close_game(game)
    assert again.find_open_game("table") is None
    again.close()


def test_log_is_append_only(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    store.append(game, some_events(1, 1))
    with sqlite3.connect(store.path) as db:
        for statement in ("UPDATE events SET body = '{}'", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                db.execute(statement)
    db.close()
    store.close()


def test_id_that_is_used_again_is_refused_and_nothing_of_the_batch_stays(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    store.append(game, some_events(1, 2))
    with pytest.raises(StoreError):
        store.append(game, [*some_events(3, 1), *some_events(2, 1)])
    assert [event.id for event in store.events(game)] == [1, 2]
    store.close()


def test_second_referee_is_refused_and_a_reader_is_not(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    store.append(game, some_events(1, 1))
    with pytest.raises(StoreError, match="another referee uses this folder"):
        Store(tmp_path)
    reader = Store(tmp_path, read_only=True)
    assert len(reader.events(game)) == 1
    reader.close()
    store.close()
    Store(tmp_path).close()


def test_damaged_file_is_kept_aside_and_a_new_one_begun(tmp_path):
    (tmp_path / "referee.db").write_bytes(b"this was a database once" * 100)
    store = Store(tmp_path)
    assert "damaged" in store.warning
    assert [path.name for path in tmp_path.glob("referee.damaged-*.db")]
    game = store.begin_game("table")
    store.append(game, some_events(1, 1))
    assert len(store.events(game)) == 1
    store.close()


def test_what_can_be_read_of_a_damaged_file_is_saved(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    for first in range(1, 2001, 200):
        store.append(game, some_events(first, 200))
    store.close()
    path = tmp_path / "referee.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = os.urandom(4096)
    path.write_bytes(data)
    again = Store(tmp_path)
    assert "events could be saved" in again.warning
    assert len(again.events(game)) > 100
    again.close()


def test_file_of_a_newer_version_is_refused_and_untouched(tmp_path):
    Store(tmp_path).close()
    db = sqlite3.connect(tmp_path / "referee.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = (tmp_path / "referee.db").read_bytes()
    with pytest.raises(StoreError, match="newer version"):
        Store(tmp_path)
    assert (tmp_path / "referee.db").read_bytes() == before


def test_folder_that_cannot_be_made_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="--data"):
        Store(tmp_path / "file" / "data")


def test_full_disk_is_one_clear_error_and_loses_nothing(tmp_path):
    store = Store(tmp_path)
    game = store.begin_game("table")
    store.append(game, some_events(1, 1))
    store._db.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="disk is full"):
        store.append(game, some_events(2, 5000))
    store._db.execute("PRAGMA max_page_count = 1000000")
    kept = store.events(game)
    assert [event.id for event in kept] == list(range(1, len(kept) + 1))
    store.append(game, some_events(len(kept) + 1, 500))
    assert len(store.events(game)) == len(kept) + 500
    store.close()


def test_everything_that_was_answered_survives_a_kill(tmp_path):
    script = textwrap.dedent(
        """
        import sys, itertools
        from pathlib import Path
        from referee.game.events import RoundStarted
        from referee.store import Store
        store = Store(Path(sys.argv[1]))
        game = store.begin_game("table")
        for number in itertools.count(1):
            store.append(game, [RoundStarted(id=number, time_s=0.0, seen_s=0.0, seats=2)])
            print(number, flush=True)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    last = 0
    for line in child.stdout:
        last = int(line)
        if last >= 50:
            break
    child.send_signal(signal.SIGKILL)
    child.wait()
    for line in child.stdout:
        last = int(line)
    child.stdout.close()
    store = Store(tmp_path)
    game = store.find_open_game("table")
    assert game is not None
    assert len(store.events(game)) >= last
    store.close()


def test_errno_of_a_full_disk_is_told_as_such():
    from pathlib import Path

    from referee.store import _explain

    assert "the disk is full" in str(_explain(Path("x"), OSError(errno.ENOSPC, "No space left on device")))


def test_deleted_game_is_gone_and_its_number_is_never_used_again(tmp_path):
    store = Store(tmp_path)
    for source in ("a", "b"):
        store.append(store.begin_game(source), [RoundStarted(id=1, time_s=0.0, seen_s=0.0, seats=2)])
    beside = Store(tmp_path, read_only=True)
    beside.delete_game(2)
    beside.close()
    assert [game.id for game in store.games()] == [1]
    assert store.events(2) == []
    assert len(store.events(1)) == 1
    assert store.find_open_game("b") is None
    assert store.begin_game("b") == 3
    with pytest.raises(StoreError, match="no game 2"):
        store.delete_game(2)
    store.close()


def test_single_events_can_still_not_be_deleted(tmp_path):
    store = Store(tmp_path)
    store.append(store.begin_game("a"), [RoundStarted(id=1, time_s=0.0, seen_s=0.0, seats=2)])
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        store._db.execute("DELETE FROM events")
    store.close()


def test_count_is_kept_with_its_game_until_it_is_forgotten(tmp_path):
    store = Store(tmp_path)
    first, second = store.begin_game("a camera"), store.begin_game("a film")
    beside = Store(tmp_path, read_only=True)
    beside.keep_count(first, "one")
    beside.keep_count(first, "two")
    beside.keep_count(second, "other")
    assert [store.find_count(number) for number in (first, second, 99)] == ["two", "other", ""]
    beside.keep_count(second, "")
    beside.delete_game(first)
    assert [store.find_count(number) for number in (first, second)] == ["", ""]
    beside.close()
    store.close()
