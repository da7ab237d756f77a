"""What reparsing costs over tables of very many mails: all of them beside an extraction, scattered ones, a single one.

usage: .venv/bin/python -m benchmarks.reparse [--mails 1000000] [--shadow 100000] [--scattered 10000]
           [--quotes 1000] [--folder EMPTY]

The outcomes of 500 generated mails, of at most --quotes quotes each, are staged again and again instead of parsing so
many, under positions of a log of as many small records; from there on all is as it always is. Each figure is of a
process of its own, its start-up among it. The single mail is a real one amid the others, found by its Message-ID and
reparsed by the command.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import conf
from benchmarks.machine import machine
from conf.home import make_home
from ingest.generate.write import generate
from log import CommitLog, Record, open_log
from log.reading import sources_of
from parsers.parse import parse_mail
from parsers.taught import Taught
from pipelines.jobs import run
from pipelines.jobs.extract import extract
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.reparse import execute
from pipelines.jobs.reparsing.reparse import reparse as reparse_ranges
from pipelines.jobs.reparsing.shadow import make
from pipelines.jobs.staged import MAIL_COLUMN, StagedFile, stage
from pipelines.readers.conservation import account
from pipelines.readers.selection import Selection, chosen
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.interface import Store
from pipelines.tables.store.store import store_of

OTCLOG = str(Path(sys.executable).with_name("otclog"))
TOPIC, PARTITIONS, GROUP = "mails", 4, "extract"
WHY = "a benchmark"  # though the gate stops it: the real mail has other quotes than the repeated outcome
RUNS = 5
A_BATCH = 500  # records, as ingest appends them
MAILS = 500  # whose outcomes there are
NOW_US = 1_795_000_000_000_000  # received_ts of the first mail
REAL = (
    b"From: desk@bank.example\r\nSubject: HY run\r\nMessage-ID: <%s>\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n\r\n"
    b"BLDR 6.375 06/32 102.25/102.75\r\nCHTR 4.5 32 86.25/86.75\r\n"
)
QUOTES = "BENCHMARK_QUOTES"  # of the mails that are repeated, at most; for the processes that this one starts
BESIDE_S = 2.0  # between two mails that come meanwhile


class Repeated:
    """Stages outcomes of generated mails under any positions, in the place of who reads and parses."""

    def __init__(self, quotes: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            list(generate(Path(folder), MAILS, 1))
            outcomes = [parse_mail(path.read_bytes()) for path in sorted(Path(folder).glob("*.eml"))]
        few = [each for each in outcomes if len(each.quotes) <= quotes]
        self._rows = outcome_batch(_positions([OffsetRange(TOPIC, 0, 0, len(few))]), few)
        self._version = ""

    def staged(
        self, part: Sequence[OffsetRange], _: conf.Settings, __: Taught, version: str, folder: tuple[Store, str]
    ) -> list[StagedFile]:
        """As `pipelines.jobs.parse_step.staged`, of ranges."""
        self._version = version
        store, name = folder
        found = []
        for number, each in enumerate(_pieces(part, 40 * MAILS)):
            made = stage(map(self._batch, _pieces(each, MAILS)), store, f"{name}/{number}.parquet")
            found += [made] if made else []
        return found

    def _batch(self, ranges: Sequence[OffsetRange]) -> pa.RecordBatch:
        """Outcomes by offset, so that the same record has the same one again, under names of their own."""
        offsets = np.concatenate([np.arange(each.start, each.stop) for each in ranges])
        rows = self._rows.take(pa.array(offsets % self._rows.num_rows))
        columns = dict(zip(rows.schema.names, rows.columns, strict=True))
        names = [name_of(each.partition, offset) for each in ranges for offset in range(each.start, each.stop)]
        mail = columns[MAIL_COLUMN]
        fields = dict(zip((field.name for field in mail.type), mail.flatten(), strict=True))
        columns[MAIL_COLUMN] = pa.StructArray.from_arrays(
            list((fields | {"message_id": pa.array(names)}).values()), fields=list(mail.type)
        )
        columns["parser_version"] = pa.array([self._version] * len(offsets))
        columns |= dict(zip(rows.schema.names[:4], _positions(ranges), strict=True))
        return pa.RecordBatch.from_arrays(list(columns.values()), schema=rows.schema)


def name_of(partition: int, offset: int) -> str:
    """The Message-ID of a record."""
    return f"{partition}.{offset}@mails.example"


def _pieces(ranges: Sequence[OffsetRange], mails: int) -> Iterator[list[OffsetRange]]:
    """The same records in lists of at most so many."""
    parts = (part for each in run.sliced(ranges, mails) for part in each)
    taken: list[OffsetRange] = []
    for part in parts:
        if taken and sum(map(len, taken)) + len(part) > mails:
            yield taken
            taken = []
        taken.append(part)
    yield taken


def _positions(ranges: Sequence[OffsetRange]) -> list[pa.Array]:
    offsets = np.concatenate([np.arange(each.start, each.stop) for each in ranges])
    partitions = np.repeat([each.partition for each in ranges], [len(each) for each in ranges])
    return [
        pa.array([ranges[0].topic] * len(offsets)),
        pa.array(partitions.astype(np.int32)),
        pa.array(offsets),
        pa.array(NOW_US + offsets * 20_000, pa.timestamp("us", "UTC")),
    ]


def patched(settings: conf.Settings) -> conf.Settings:
    """Have this process stage repeated outcomes; settings by which it is Spark that works on from there."""
    run.records = lambda _spark, _log, part: part  # type: ignore[assignment, attr-defined, return-value]
    run.staged = Repeated(int(os.environ.get(QUOTES, "1000"))).staged  # type: ignore[assignment, attr-defined]
    return dataclasses.replace(settings, extract=dataclasses.replace(settings.extract, small_mails=0))


def filled(settings: conf.Settings, mails: int) -> None:
    """A log of so many records, one of which is a real mail, amid the last partition."""
    with closing(open_log(settings.log)) as log:
        log.create_topic(TOPIC, PARTITIONS)
        share = mails // PARTITIONS
        for partition in range(PARTITIONS):
            for start in range(0, share, A_BATCH):
                batch = [Record(b"k", b"mail") for _ in range(start, min(start + A_BATCH, share))]
                if partition == PARTITIONS - 1 and start <= share // 2 < start + A_BATCH:
                    batch[share // 2 - start] = Record(b"k", REAL % single(mails).encode())
                log.append(TOPIC, batch, partition)


def single(mails: int) -> str:
    """The Message-ID of the mail that is a real one."""
    return name_of(PARTITIONS - 1, mails // PARTITIONS // 2)


def everything(log: CommitLog) -> list[OffsetRange]:
    """All records."""
    return [OffsetRange(*source, 0, log.span(source).stop) for source in sources_of(log, TOPIC)]


def bytes_of(settings: conf.Settings) -> int:
    """Of all files of the tables."""
    assert settings.tables.folder is not None  # noqa: S101 -- a home's
    return sum(file.stat().st_size for file in settings.tables.folder.rglob("*.parquet"))


def first(ranges: Sequence[OffsetRange], mails: int) -> list[OffsetRange]:
    """An equal share of each partition."""
    return [OffsetRange(each.topic, each.partition, 0, mails // len(ranges)) for each in ranges]


def do(what: str, settings: conf.Settings, number: int) -> dict[str, Any]:
    """The inside of `child`."""
    before = bytes_of(settings)
    with closing(open_log(settings.log)) as log:
        clock = time.monotonic()
        more: dict[str, Any] = {}
        if what == "fill":
            summary = extract(patched(settings), log, GROUP, TOPIC, number)
            more = {"mails": summary.row["mails"], "quotes": summary.row["quotes"]} if summary else {}
        elif what == "reparse":
            done = reparse_ranges(patched(settings), log, first(everything(log), number), "{}", WHY)
            more = {"run": done.plan.run_id, "publication": done.publication}
        elif what == "scattered":
            chance = np.random.default_rng(1)
            share = number // PARTITIONS
            scattered = [
                OffsetRange(each.topic, each.partition, at, at + 1)
                for each in everything(log)
                for at in sorted(chance.choice(each.stop, share, replace=False).tolist())
            ]
            reparse_ranges(patched(settings), log, scattered, "{}", WHY)
        elif what == "shadow":
            make(patched(settings), log, first(everything(log), number), "{}")
        elif what == "execute":
            (shadow,) = shadows.all_of(store_of(settings.tables))
            execute(settings, log, shadow, WHY)
        elif what == "look-up":
            seconds = [_looked_up(settings, log, single(number)) for _ in range(RUNS)]
            more = {"median_s": round(statistics.median(seconds), 3), "most_s": round(max(seconds), 3)}
        elif what == "account":
            found = account(store_of(settings.tables))
            more = {"mails": found.mails, "broken": list(found.broken)}
        took = time.monotonic() - clock
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "s": round(took, 1),
        "driver_cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "driver_mb": round(usage.ru_maxrss / 1024),
        "mb_written": round((bytes_of(settings) - before) / 1e6, 1),
        **more,
    }


def _looked_up(settings: conf.Settings, log: CommitLog, message_id: str) -> float:
    clock = time.monotonic()
    found = chosen(log, store_of(settings.tables), Selection(filters={"message_id": message_id}))
    if len(found) != 1:
        raise SystemExit(f"{message_id} was found {len(found)} times")
    return time.monotonic() - clock


def beside(settings: conf.Settings) -> None:
    """Let a mail come each BESIDE_S, and extract it, until stdin ends; then tell how long each took."""
    os.set_blocking(0, False)
    seconds: list[float] = []
    with closing(open_log(settings.log)) as log:
        while sys.stdin.buffer.read(1) is None:  # b"" at its end
            log.append(TOPIC, [Record(b"k", REAL % b"beside-%d@bank.example" % len(seconds))], 0)
            clock = time.monotonic()
            extract(settings, log, GROUP, TOPIC, 100)
            seconds.append(time.monotonic() - clock)
            time.sleep(BESIDE_S)
    print(json.dumps({"extracts": len(seconds), "median_s": statistics.median(seconds), "most_s": max(seconds)}))


def child(what: str, home: Path, number: int = 0) -> dict[str, Any]:
    """Do something in a process of its own; what it used."""
    command = [sys.executable, "-m", "benchmarks.reparse", "--as", what, str(home), str(number)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"{what} {number:,}: {found}  (load {os.getloadavg()[0]:.1f})", flush=True)
    return found


def one_mail(home: Path, mails: int, runs: int) -> None:
    """Reparse the real one by the command, start to end; how long each run took."""
    seconds = []
    command = [OTCLOG, "reparse", "--message-id", single(mails), "--execute", "--override", WHY, "--json"]
    for _ in range(runs):
        clock = time.monotonic()
        done = subprocess.run(command, cwd=home, stdout=subprocess.PIPE, text=True, check=True)
        seconds.append(time.monotonic() - clock)
        row = json.loads(done.stdout)
    print(
        f"single, command to published: {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f}); "
        f"of it {row['parse_s']} s parse, {row['write_s']} s write; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def whole(folder: Path, mails: int, shadow: int, scattered: int) -> None:
    """All of it, one after the other."""
    file = make_home(folder / "home")
    home, settings = file.parent, conf.load(file, {})
    clock = time.monotonic()
    filled(settings, mails)
    print(f"log of {mails:,} records: {time.monotonic() - clock:.0f} s", flush=True)
    child("fill", home, mails)
    child("look-up", home, mails)
    one_mail(home, mails, RUNS)
    child("account", home)
    child("shadow", home, shadow)
    child("execute", home, shadow)
    child("reparse", home, shadow)
    live = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.reparse", "--as", "beside", str(home), "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    number = latest(store_of(settings.tables)).number
    child("reparse", home, mails)
    told, _ = live.communicate("")
    made = latest(store_of(settings.tables)).number - number
    print(f"beside it: {told.strip()}; of {made} publications one is the reparse's")
    child("scattered", home, scattered)


def main() -> None:
    """Run, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=1_000_000)
    parser.add_argument("--shadow", type=int, default=100_000)
    parser.add_argument("--scattered", type=int, default=10_000)
    parser.add_argument("--quotes", default="1000")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--as", dest="what", help=argparse.SUPPRESS)
    parser.add_argument("more", nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.umask(0o077)
    if args.what:
        home, number = args.more
        settings = conf.load(Path(home) / "otclog.toml", {})
        if args.what == "beside":
            beside(settings)
        else:
            print(json.dumps(do(args.what, settings, int(number))))
        return
    os.environ[QUOTES] = args.quotes
    print(machine())
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        whole(Path(name), args.mails, args.shadow, args.scattered)


if __name__ == "__main__":
    main()
