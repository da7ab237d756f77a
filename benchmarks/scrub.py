"""What the slow scrub costs: CPU time of checking segments' CRCs, by the size of what is in a batch.

usage: .venv/bin/python -m benchmarks.scrub [--runs 5] [--bytes 134217728] [--folder DIR]

A log of about that size each, written as ingest and as a topic of small records would, read as the scrub reads it:
out of memory's copy dropped before, every batch checked. CPU seconds of this process, user and system; from them the
share of a core at the default rate. The median of all runs, with their spread.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import conf
from benchmarks.log_sides import attached, settings
from benchmarks.machine import machine
from log import Record, TopicPartition
from log.embedded.segment.names import segment_bases
from log.embedded.upkeep.scrubbing import check_segment, cost

SHAPES = {
    "mails of 20 kB, one a batch": (20_000, 1),
    "mails of 20 kB, 20 a batch": (20_000, 20),
    "records of 200 bytes, one a batch": (200, 1),
}
SMALL = 8  # times less is written one small record at a time
SOURCE = TopicPartition("messages", 0)


class Cost(NamedTuple):
    """Of all segments of a copy, checked once."""

    bytes: int
    allowance: int  # what of the rate they take
    cpu_s: float


def check(copy: Path, stop: int) -> Cost:
    """All segments of a copy once."""
    begun = time.process_time()
    found = [check_segment(copy, base, stop) for base in segment_bases(copy)]
    took_s = time.process_time() - begun
    if not all(each.is_whole for each in found):
        raise ValueError(f"{copy} is damaged")
    return Cost(sum(each.bytes for each in found), sum(map(cost, found)), took_s)


def measured(folder: Path, runs: int, size: int, record_bytes: int, each: int) -> list[Cost]:
    """Each run over a log of about `size` bytes."""
    with attached(settings(folder)) as log:
        log.create_topic(SOURCE.topic, 1)
        for _ in range(size // (record_bytes * each)):
            log.append(SOURCE.topic, [Record(None, os.urandom(record_bytes)) for _ in range(each)], wait="written")
        log.flush(SOURCE.topic)
        copy, stop = log.home.partition_folder(SOURCE, 1), log.span(SOURCE).stop
        return [check(copy, stop) for _ in range(runs)]


def main() -> None:
    """Run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--bytes", type=int, default=2**27)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured; default: for temporary files")
    given = parser.parse_args()
    rate = conf.defaults({}).log.scrub_bytes_s
    print(f"{machine()}; default rate {rate:,} bytes/s\n")
    print("| segment | MB a CPU second, median (spread) | share of a core at the default rate |\n|---|---|---|")
    for name, (record_bytes, count) in SHAPES.items():
        size = given.bytes if record_bytes * count > 1000 else given.bytes // SMALL
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            found = measured(Path(folder), given.runs, size, record_bytes, count)
        speeds = [each.bytes / each.cpu_s / 1e6 for each in found]
        shares = [100 * rate * each.cpu_s / each.allowance for each in found]
        speed = f"{statistics.median(speeds):,.0f} ({min(speeds):,.0f} to {max(speeds):,.0f})"
        share = f"{statistics.median(shares):.2f} % ({min(shares):.2f} to {max(shares):.2f})"
        print(f"| {name} | {speed} | {share} |")


if __name__ == "__main__":
    main()
