"""Many viewers in one process of their own: `python -m referee.evaluation.viewer_clients PORT COUNT`.

Each holds a stream of the scoreboard open, as a browser does, and notes when it was told of which version. They say
`ready` once all have the first picture; when their input is closed they print as JSON the share of one processor that
they took themselves, and what they noted.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

Note = tuple[int, float]
"""A version of the match, and when it came (the system's monotonic clock, the same in all processes)."""


async def _watch(port: int, notes: list[Note], there: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    try:
        writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")
        version = 0
        while line := await reader.readline():
            if line.startswith(b"id: "):
                version = int(line.rpartition(b"-")[2])
            elif line.startswith(b"data: ") and version:
                # Only now the picture is here whole.
                notes.append((version, time.monotonic()))
                version = 0
                there.set()
    finally:
        writer.close()


async def _watch_all(port: int, count: int) -> tuple[float, list[list[Note]]]:
    notes: list[list[Note]] = [[] for _ in range(count)]
    there = [asyncio.Event() for _ in range(count)]
    tasks = [asyncio.create_task(_watch(port, *pair)) for pair in zip(notes, there, strict=True)]
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in there)), 60)
    print("ready", flush=True)
    since, cpu = time.monotonic(), time.process_time()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    share = (time.process_time() - cpu) / (time.monotonic() - since)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return share, notes


def main() -> None:
    """Watch until the input is closed, then tell."""
    port, count = (int(text) for text in sys.argv[1:3])
    print(json.dumps(asyncio.run(_watch_all(port, count))), flush=True)


if __name__ == "__main__":
    main()
