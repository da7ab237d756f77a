"""Seconds of `otclog ops search` for a mail among many lines, and lines/s of `otclog ops analyse`.

usage: .venv/bin/python -m benchmarks.search [--runs 5] [--lines 10000000] [--folder DIR]

Of five lines of a mail four are otclog's own, with Message-ID and SHA-256 as fields, and one is a mail server's, which
has the Message-ID in its text; the lines of a hundred mails come mixed. They are appended to a log of one replica and
analysed, a million at a time. Each search is a process of its own, its start included, for another mail; half ask for
the Message-ID, half for the SHA-256. Each must find all the mail's lines.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import conf
from benchmarks.machine import machine
from benchmarks.options import options
from log import CommitLog, Record, open_log
from log.opslog import TOPIC, ensure_topic, record_of

OTCLOG = str(Path(sys.executable).with_name("otclog"))
BATCH = 1_000_000
TOGETHER = 100  # mails whose lines come mixed
EACH = 5  # lines of a mail
APPENDED = 10_000  # lines at once


def message_id(mail: int) -> str:
    """That of a mail by its number."""
    return f"{sha256(b'%d' % mail).hexdigest()[:20]}.{mail}@desk{mail % 97}.dealer.example"


def digest(mail: int) -> str:
    """Its SHA-256, hex."""
    return sha256(message_id(mail).encode()).hexdigest()


def line(number: int) -> Record:
    """The line of that number."""
    block, within = divmod(number, TOGETHER * EACH)
    nth, mail = within // TOGETHER, block * TOGETHER + within % TOGETHER
    said: dict[str, str | int] = {
        "timestamp": f"2026-11-29T{number % 24:02}:{number % 60:02}:00.{number % 999_983:06}Z",
        "level": "info",
    }
    if nth == 0:
        said |= {"process": 77, "program": "postfix/cleanup", "event": f"{number:X}: message-id=<{message_id(mail)}>"}
        return record_of(said, "mx1", "postfix.service")
    about = {"message_id": message_id(mail), "sha256": digest(mail), "topic": "mails", "partition": 3, "offset": mail}
    said |= {"process": 4711, "logger": "ingest.accept", "event": f"mails-3, offset {mail}: step {nth}"}
    return record_of(said | about, "desk-1", "otclog watch")


def fill(log: CommitLog, config: str, lines: int) -> float:
    """Append and analyse that many lines; the seconds of the analysis."""
    spent = 0.0
    for begin in range(0, lines, BATCH):
        end = min(begin + BATCH, lines)
        for first in range(begin, end, APPENDED):
            log.append(TOPIC, [line(number) for number in range(first, min(first + APPENDED, end))])
        clock = time.perf_counter()
        subprocess.run([OTCLOG, "ops", "analyse", "--config", config], check=True, capture_output=True)
        spent += time.perf_counter() - clock
    return spent


class Spent(NamedTuple):
    """Seconds of one search."""

    wall: float
    cpu: float


def search(config: str, named: str, lines: int) -> Spent:
    """What it took. Raises SystemExit unless it finds so many lines."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [OTCLOG, "ops", "search", named, "--json", "--config", config], check=True, capture_output=True, text=True
    )
    wall, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    found = [json.loads(each) for each in done.stdout.splitlines()]
    if len(found) != lines:
        raise SystemExit(f"{named}: {len(found)} lines instead of {lines}")
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def told(spent: list[Spent]) -> str:
    """Of both clocks."""
    return f"{shown([each.wall for each in spent])}, CPU {shown([each.cpu for each in spent])}"


def shown(seconds: list[float]) -> str:
    """Median and spread."""
    return f"{statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"


def main() -> None:
    """Run, and print what was measured."""
    args = options(__doc__, runs=5, lines=10_000_000)
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        file = Path(name) / "otclog.toml"
        file.write_text(
            '[log]\nreplicas = ["log/replica-1"]\nmin_insync = 1\n[[ingest.sources]]\npath = "mail"\nkind = "drop"\n'
        )
        with closing(open_log(conf.load(file, {}).log)) as log:
            ensure_topic(log)
            spent = fill(log, str(file), args.lines)
        stored = sum(each.stat().st_size for each in (Path(name) / "tables").rglob("*.parquet"))
        print(f"{machine()}; {args.lines:,} lines, {stored / 2**20:,.0f} MiB of tables", flush=True)
        print(f"analyse: {args.lines / spent:,.0f} lines/s", flush=True)
        mails = args.lines // EACH
        asked = [mails * (each + 1) // (args.runs + 2) for each in range(args.runs)]
        print(f"by Message-ID: {told([search(str(file), message_id(each), EACH) for each in asked])}", flush=True)
        print(f"by SHA-256: {told([search(str(file), digest(each), EACH - 1) for each in asked])}", flush=True)


if __name__ == "__main__":
    main()
