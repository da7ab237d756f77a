"""The same otclog on the embedded log and on one Kafka broker, in turn: mails/s of `watch`, seconds of `explain`.

usage: .venv/bin/python -m benchmarks.kafka_sides [--runs 5] [--mails 5000] [--looks 10] [--folder DIR]

watch     a Maildir of mails of 10 kB (as benchmarks/ingest.py makes them), taken by `otclog watch --once`: start-up
          counts. Embedded: three replicas on one disk, two needed, flushed. Kafka: one broker (KRaft) on loopback, a
          topic of its own for each run, acks=all, flushed when the system likes
explain   the mails of samples/ in either log and in tables; `otclog explain` of one price, as a user waits for it
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from benchmarks import kafka
from benchmarks.ingest import OTCLOG, fill, home
from benchmarks.log_sides import VERSION
from benchmarks.machine import machine
from benchmarks.options import options

SAMPLES = Path(__file__).parent.parent / "samples"
SIDES = ("embedded", "Kafka")
RATIO_MARK = 0.7  # of the rate onto the embedded log, at least
MORE_MARK_S = 0.5  # than from the embedded log, at most

Seconds = dict[tuple[str, str], list[float]]  # by what was done and onto which log


class Otclog:
    """Its commands in a home, on the log of one side."""

    def __init__(self, at: Path, side: str, address: str, topic: str) -> None:
        self._at = at
        self._environment = os.environ | {"OTCLOG_INGEST_TOPIC": topic}
        if side == "Kafka":
            self._environment |= {
                "OTCLOG_LOG_BACKEND": "kafka",
                "OTCLOG_LOG_KAFKA_BOOTSTRAP": address,
                "OTCLOG_LOG_CLAIMS": json.dumps([str(at.parent / "claims")]),  # the cluster's, whatever home it is
            }

    def lines(self, *words: str) -> list[dict[str, object]]:
        """What a command prints as JSON."""
        command = [OTCLOG, *words, "--json"]
        done = subprocess.run(command, cwd=self._at, env=self._environment, check=True, stdout=subprocess.PIPE)
        return [json.loads(line) for line in done.stdout.splitlines()]


def watched(folder: Path, side: str, address: str, mails: int, topic: str) -> float:
    """Mails a second of one run, none missing."""
    with home(folder) as at:
        fill(at / "mail" / "new", mails)
        otclog = Otclog(at, side, address, topic)
        began = time.monotonic()
        batches = otclog.lines("watch", "--once")
        took = time.monotonic() - began
        if sum(int(str(batch["published"])) for batch in batches) != mails:
            raise SystemExit("not every mail was published")
        return mails / took


def explaining(at: Path, side: str, address: str) -> Callable[[], float]:
    """The samples in the log and in tables; what is returned explains a price, and says how long that took."""
    for mail in SAMPLES.glob("*.eml"):
        shutil.copyfile(mail, at / "mail" / "new" / mail.name)
    otclog = Otclog(at, side, address, "samples")
    otclog.lines("watch", "--once")
    otclog.lines("extract")
    record_id = min(str(row["record_id"]) for row in otclog.lines("prices"))

    def explain() -> float:
        began = time.monotonic()
        (told,) = otclog.lines("explain", record_id)
        if not told["mail_is_the_one"]:
            raise SystemExit("the mail was not found in the log")
        return time.monotonic() - began

    return explain


def shown(values: list[float], form: str) -> str:
    """Median and spread."""
    low, middle, high = (format(each, form) for each in (min(values), statistics.median(values), max(values)))
    return f"{middle} ({low} to {high})"


def table(found: Seconds) -> str:
    """Markdown."""
    embedded, brokers = (statistics.median(found["watch", side]) for side in SIDES)
    less, more = (statistics.median(found["explain", side]) for side in SIDES)
    ratio, difference = f"{brokers / embedded:.2f}", f"{more - less:+.2f} s"
    rows = [
        ("median (spread)", *SIDES, "Kafka against embedded", "mark"),
        ("---",) * 5,
        ("`watch --once`, mails/s", *(shown(found["watch", side], ",.0f") for side in SIDES), ratio, f"{RATIO_MARK}"),
        ("`explain`, s", *(shown(found["explain", side], ".2f") for side in SIDES), difference, f"{MORE_MARK_S:+} s"),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    """Run, and print a table."""
    args = options(__doc__, runs=5, mails=5000, looks=10)
    found: Seconds = defaultdict(list)
    with tempfile.TemporaryDirectory(dir=args.folder) as name, kafka.broker(Path(name)) as address:
        folder = Path(name)
        print(f"{machine(f'confluent-kafka {VERSION}')}; {args.runs} runs of {args.mails} mails\n", flush=True)
        for run in range(args.runs):
            for side in SIDES if run % 2 else reversed(SIDES):
                rate = watched(folder, side, address, args.mails, f"mails-{run}")
                print(f"run {run + 1}, {side}: {rate:,.0f} mails/s", flush=True)
                found["watch", side].append(rate)
        with home(folder) as one, home(folder) as two:
            looks = {side: explaining(at, side, address) for side, at in zip(SIDES, (one, two), strict=True)}
            for _ in range(args.looks):
                for side in SIDES:
                    found["explain", side].append(looks[side]())
    print(table(found), flush=True)


if __name__ == "__main__":
    main()
