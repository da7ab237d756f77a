"""What commits cost the driver, and what replacing rewrites: tasks that write files, beside a driver that writes rows.

usage: .venv/bin/python -m benchmarks.commits [--mails 20000] [--runs 3] [--table-mails 200000] [--replaced 10000]

Outcomes of generated mails are staged again and again until there are enough of them. In turn, each time in a process
of its own: `old`, as 0.2.0 did, the driver projects every row and writes it by delta-rs; `new`, two other processes
write the tables' files and the driver commits their names. Then, of tables of many mails, consecutive ones are
replaced, and as many scattered ones. CPU seconds and memory are the driver's; those of the others stand beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import deltalake
import msgspec
import numpy as np
import pyarrow as pa

from benchmarks.machine import machine
from ingest.generate.write import generate
from parsers.parse import parse_mail
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.staged import StagedFile, as_line, from_line, rows_of, stage
from pipelines.jobs.writing import grouped
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import DataFile, write
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import Chosen, Survivors, candidates, survivors
from pipelines.tables.schemas import OUTCOMES, TABLES
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD

STAGED = Folder(Path("/"))  # files are named by their paths
A_FILE = 500  # mails, as a task's share of the log is
PARTITIONS = 4
CORES = 2
NOW_US = 1_795_000_000_000_000  # received_ts of the first mail


def make(mails: int, folder: Path) -> list[StagedFile]:
    """Stage the outcomes of so many mails, those of 500 generated ones again and again, partition after partition."""
    with tempfile.TemporaryDirectory() as generated:
        list(generate(Path(generated), A_FILE, 1))
        outcomes = [parse_mail(path.read_bytes()) for path in sorted(Path(generated).glob("*.eml"))]
    share = mails // PARTITIONS
    staged = []
    rows: pa.RecordBatch | None = None
    for partition in range(PARTITIONS):
        for start in range(0, share, A_FILE):
            if rows is None:
                rows = outcome_batch(positions(partition, start), outcomes)
            batch = pa.RecordBatch.from_arrays([*positions(partition, start), *rows.columns[4:]], schema=rows.schema)
            made = stage([batch], STAGED, f"{folder}/{partition}.{start}")
            assert made is not None  # noqa: S101 -- a batch is never empty
            staged.append(made)
    return staged


def positions(partition: int, start: int) -> list[pa.Array]:
    """Columns topic to received_ts of the mails of a file."""
    offsets = np.arange(start, start + A_FILE)
    return [
        pa.array(["mails"] * A_FILE),
        pa.array(np.full(A_FILE, partition, np.int32)),
        pa.array(offsets),
        pa.array(NOW_US + offsets * 20_000, pa.timestamp("us", "UTC")),
    ]


def used() -> dict[str, float]:
    """CPU seconds of this process so far, and the most memory that it had, in MB."""
    return {"cpu_s": time.process_time(), "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def old(staged: list[StagedFile], root: Path) -> None:
    """Every row through the driver."""
    for table in OUTCOMES:
        rows = pa.RecordBatchReader.from_batches(
            table.arrow_schema(), rows_of(STAGED, [file.name for file in staged], table)
        )
        deltalake.write_deltalake(str(root / table.name), rows, mode="append")


def committed(lines: list[str], root: Path) -> None:
    """The names of the files that others have written."""
    files = [msgspec.json.decode(line, type=tuple[str, DataFile]) for line in lines]
    for table in OUTCOMES:
        commit(Folder(root), table, Change(tuple(file for name, file in files if name == table.name)), {}, HELD)


def task(paths: list[str], root: Path) -> list[str]:
    """Another process's part."""
    return [
        msgspec.json.encode((table.name, file)).decode()
        for table in OUTCOMES
        for file in write(rows_of(STAGED, paths, table), Folder(root), table, "benchmark")
    ]


def rewritten(root: Path, ranges: list[OffsetRange]) -> dict[str, float]:
    """Replace the rows of these records by nothing in `quotes`: bytes of theirs, bytes written, the driver's CPU."""
    quotes, chosen = TABLES["quotes"], Chosen(ranges)
    clock = time.process_time()
    found = candidates(deltalake.DeltaTable(str(root / "quotes")), chosen)
    planned = time.process_time() - clock
    left: list[Survivors] = [survivors(Folder(root), quotes, file, chosen, "benchmark") for file in found]
    tasks = time.process_time() - clock - planned
    clock = time.process_time()
    change = Change(tuple(f for each in left for f in each.files), tuple(each.of for each in left if each.chosen))
    commit(Folder(root), quotes, change, {}, HELD)
    read, rows = sum(file.size for file in change.removed), sum(each.chosen for each in left)
    there = rows + change.rows
    return {
        "files": len(found),
        "times_their_bytes": round(sum(file.size for file in change.added) / max(1, read * rows / max(1, there)), 2),
        "driver_cpu_s": round(planned + time.process_time() - clock, 3),
        "tasks_cpu_s": round(tasks, 2),
    }


def child(how: str, lines: str, root: str, *more: str) -> dict[str, float]:
    """One way in a process of its own; what it used beyond its imports."""
    command = [sys.executable, "-m", "benchmarks.commits", "--as", how, root, *more]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def run_as(how: str, root: Path, more: list[str]) -> None:
    """The inside of `child`."""
    given = sys.stdin.read().splitlines()
    before = used()
    told: dict[str, object] = {}
    if how == "old":
        old([from_line(line) for line in given], root)
    elif how == "task":
        told["lines"] = task(given, root)
    elif how == "new":
        committed(given, root)
    else:
        told |= rewritten(root, [OffsetRange("mails", *map(int, each.split("-"))) for each in more])
    after = used()
    print(json.dumps(told | {"cpu_s": round(after["cpu_s"] - before["cpu_s"], 3), "mb": round(after["mb"])}))


def by_tasks(staged: list[StagedFile], root: Path) -> tuple[list[str], float]:
    """The lines of what tasks wrote, and their CPU seconds."""
    done = [child("task", "\n".join(group), str(root)) for group in grouped(staged, CORES)]
    return [line for each in done for line in each["lines"]], sum(each["cpu_s"] for each in done)  # type: ignore[attr-defined]


def tables(root: Path) -> Path:
    """Empty tables in a folder that is made."""
    root.mkdir()
    for table in OUTCOMES:
        create(Folder(root), table, HELD)
    return root


def appends(folder: Path, mails: int, runs: int) -> None:
    """Print the costs of appending so many mails, old and new in turn."""
    staged = make(mails, folder)
    given = "\n".join(map(as_line, staged))
    found: dict[str, list[dict[str, float]]] = {"old": [], "new": []}
    tasks = []
    for number in range(runs):
        found["old"].append(child("old", given, str(tables(folder / f"old{number}"))))
        root = tables(folder / f"new{number}")
        lines, cpu_s = by_tasks(staged, root)
        tasks.append(cpu_s)
        found["new"].append(child("new", "\n".join(lines), str(root)))
    for how, each in found.items():
        cpu = [one["cpu_s"] for one in each]
        beside = f"; tasks {statistics.median(tasks):.1f} s" if how == "new" else ""
        print(
            f"{mails:,} mails, {how}: driver {statistics.median(cpu):.3f} s CPU ({min(cpu)} to {max(cpu)}), "
            f"{max(one['mb'] for one in each):.0f} MB{beside}"
        )


def replaces(folder: Path, mails: int, replaced: int, mails_a_run: int) -> None:
    """Print what it costs to replace some mails of many, which came in runs of so many."""
    root = tables(folder / "many")
    staged = sorted(make(mails, folder), key=lambda file: (file.ranges[0].start, file.ranges[0].partition))
    files_a_run = mails_a_run // A_FILE
    for at in range(0, len(staged), files_a_run):
        lines, _ = by_tasks(staged[at : at + files_a_run], root)
        committed(lines, root)
    share, start = replaced // PARTITIONS, mails // PARTITIONS // 3
    consecutive = [f"{partition}-{start}-{start + share}" for partition in range(PARTITIONS)]
    print(f"{replaced:,} consecutive of {mails:,} mails:", child("rewrite", "", str(root), *consecutive))
    chance = np.random.default_rng(1)
    offsets = sorted(chance.choice(mails // PARTITIONS, share, replace=False).tolist())
    scattered = [f"{partition}-{at}-{at + 1}" for partition in range(PARTITIONS) for at in offsets]
    print(f"{replaced:,} scattered of {mails:,} mails:", child("rewrite", "", str(root), *scattered))


def main() -> None:
    """Run, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--table-mails", type=int, default=200_000)
    parser.add_argument("--replaced", type=int, default=10_000)
    parser.add_argument("--as", dest="how", help=argparse.SUPPRESS)
    parser.add_argument("more", nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.umask(0o077)
    if args.how:
        run_as(args.how, Path(args.more[0]), args.more[1:])
        return
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        for number, mails in enumerate((args.mails, args.table_mails)):
            folder = Path(name) / str(number)
            folder.mkdir()
            appends(folder, mails, args.runs if mails == args.mails else 1)
        folder = Path(name) / "replaced"
        folder.mkdir()
        replaces(folder, args.table_mails, args.replaced, args.mails)


if __name__ == "__main__":
    main()
