"""Figures of the embedded log alone, for which there is no mark: each flag one of them.

usage: .venv/bin/python -m benchmarks.log_alone [--replicas] [--durable] [--mails] [--open] [--memory] [--folder DIR]

replicas   messages/s, 200 bytes, level `written`, 1 and 50 an append: three replicas on one disk, two needed
durable    appends/s of 8 processes to one partition, each append durable, one replica and three
mails      MB/s of mails of 100 kB, durable, ten an append, one replica; beside it, in turn, the disk's own rate: one
           file, written by 1 MB and synced each time
open       seconds from start to the first append of a log of 10 GB whose writer was killed, and once more with its
           watermark lost: then all of it is looked through
memory     resident memory over 10 million appends of one message
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from io import FileIO
from pathlib import Path

from benchmarks.log_sides import PLAIN, SOURCE, VERSION, attached, messages, otclog_append, settings
from benchmarks.machine import machine
from log import Record

RUNS = 5
PROCESSES = 8
SECONDS = 5.0
MAIL_BYTES = 100_000
MAILS = 10  # an append
BIG_LOG_BYTES = 10 * 10**9
APPENDS = 10_000_000
LOOKS = 10  # at the memory

DURABLE = """
import sys, time
from pathlib import Path
from benchmarks.log_sides import SOURCE, attached, messages, settings
from log import Record
place, replicas, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
records = [Record(None, value) for value in messages(1)]
with attached(settings(place, replicas, min(2, replicas))) as log:
    log.append(SOURCE.topic, records)
    stop, done = time.monotonic() + seconds, 0
    while time.monotonic() < stop:
        log.append(SOURCE.topic, records)
        done += 1
    print(done)
"""

UNFLUSHED = """
import os, sys
from pathlib import Path
from benchmarks.log_sides import SOURCE, attached, settings
from log import Record
with attached(settings(Path(sys.argv[1]))) as log:
    record = Record(None, os.urandom(int(sys.argv[3])))
    for _ in range(int(sys.argv[2])):
        log.append(SOURCE.topic, [record], "written")
    log.flush(SOURCE.topic)
    log.append(SOURCE.topic, [record] * 10, "written")
    os.kill(os.getpid(), 9)
"""


def replicas(folder: Path) -> None:
    """See the module."""
    for batch, count in ((1, 50_000), (50, 500_000)):
        values, rates = messages(count), []
        for _ in range(RUNS):
            with (
                tempfile.TemporaryDirectory(dir=folder) as place,
                attached(settings(Path(place), replicas=3, min_insync=2)) as log,
            ):
                log.create_topic(SOURCE.topic, 1, PLAIN)
                rates.append(otclog_append(log, values, batch))
        row(f"three replicas, two needed, `written`, {batch} an append", rates, "messages/s")


def durable(folder: Path) -> None:
    """See the module."""
    for count in (1, 3):
        rates = []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                with attached(settings(Path(place), count, min(2, count))) as log:
                    log.create_topic(SOURCE.topic, 1, PLAIN)
                command = [sys.executable, "-c", DURABLE, place, str(count), str(SECONDS)]
                writers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)]
                rates.append(sum(int(writer.communicate()[0]) for writer in writers) / SECONDS)
        row(f"durable appends of {PROCESSES} processes, {count} of {count} replicas on one disk", rates, "appends/s")


def mails(folder: Path) -> None:
    """See the module."""
    ours, disk, record = [], [], Record(b"sender", os.urandom(MAIL_BYTES))
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            with attached(settings(Path(place))) as log:
                log.create_topic(SOURCE.topic, 1, PLAIN)
                ours.append(rate(partial(log.append, SOURCE.topic, [record] * MAILS)))
            with (Path(place) / "file").open("wb", buffering=0) as file:
                disk.append(rate(partial(write_and_sync, file, os.urandom(MAILS * MAIL_BYTES))))
    row(f"mails of {MAIL_BYTES // 1000} kB, {MAILS} a durable append", ours, "MB/s")
    row("the disk itself, 1 MB and a sync in turn", disk, "MB/s")


def write_and_sync(file: FileIO, data: bytes) -> None:
    """As a program does that wants no more than its bytes on the disk."""
    file.write(data)
    os.fdatasync(file.fileno())


def rate(write: Callable[[], object]) -> float:
    """MB/s of something that writes MAILS mails each time."""
    began, done = time.monotonic(), 0
    while time.monotonic() - began < SECONDS:
        write()
        done += 1
    return done * MAILS * MAIL_BYTES / 1e6 / (time.monotonic() - began)


def opening(folder: Path) -> None:
    """See the module."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        options = settings(Path(place))
        with attached(options) as log:
            log.create_topic(SOURCE.topic, 1, PLAIN)
        command = [sys.executable, "-c", UNFLUSHED, place, str(BIG_LOG_BYTES // MAIL_BYTES), str(MAIL_BYTES)]
        subprocess.run(command, check=False)
        for what in ("its writer was killed", "its watermark is lost"):
            began = time.monotonic()
            with attached(options) as log:
                log.append(SOURCE.topic, [Record(None, b"first")])
                took = time.monotonic() - began
            row(f"opening {BIG_LOG_BYTES / 1e9:.0f} GB and the first append, {what}", [took], "s")
            (options.root / "state" / str(SOURCE) / "watermark").unlink()


def memory(folder: Path) -> None:
    """See the module."""
    with tempfile.TemporaryDirectory(dir=folder) as place, attached(settings(Path(place))) as log:
        log.create_topic(SOURCE.topic, 1, PLAIN)
        records, found = [Record(None, value) for value in messages(1)], []
        for done in range(1, APPENDS + 1):
            log.append(SOURCE.topic, records, wait="written")
            if done % (APPENDS // LOOKS) == 0:
                found.append(resident_mb())
        row(f"resident memory over {APPENDS:,} appends, after each tenth", found, "MB")
        print(f"| in order | {', '.join(f'{each:.1f}' for each in found)} MB |", flush=True)


def resident_mb() -> float:
    """Of this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def row(what: str, found: Sequence[float], unit: str) -> None:
    """A line of the table: median and spread."""
    spread = f" ({min(found):,.1f} to {max(found):,.1f}, {len(found)} runs)" if len(found) > 1 else ""
    print(f"| {what} | {statistics.median(found):,.1f} {unit}{spread} |", flush=True)


def main() -> None:
    """Run what is asked for."""
    what = {"replicas": replicas, "durable": durable, "mails": mails, "open": opening, "memory": memory}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in what:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--folder", type=Path, help="on the disk to be measured; default: for temporary files")
    args = parser.parse_args()
    print(f"{machine(f'confluent-kafka {VERSION}')}\n\n| what | measured |\n|---|---|", flush=True)
    for name, measure in what.items():
        if getattr(args, name):
            with tempfile.TemporaryDirectory(dir=args.folder) as folder:
                measure(Path(folder))


if __name__ == "__main__":
    main()
