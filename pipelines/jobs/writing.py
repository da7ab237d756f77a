"""The data files of a run: of what was staged, and of what is left of files whose rows it replaces.

The same functions work in Spark's tasks and, where there is little to do, in the driver itself: a job of Spark's takes
some tenths of a second.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pipelines.errors import TablesDamaged
from pipelines.jobs.named import Named
from pipelines.jobs.spark.tasks import on_tasks
from pipelines.jobs.staged import rows_of
from pipelines.tables.compacting import shares
from pipelines.tables.datafiles import DataFile, write
from pipelines.tables.publication import oldest
from pipelines.tables.replacing import Chosen, StoredFile, Survivors, candidates, survivors
from pipelines.tables.schemas import OUTCOMES, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import deltalake

    from pipelines.jobs.made import Files, Known
    from pipelines.jobs.plan import Plan
    from pipelines.jobs.spark.session import Session
    from pipelines.jobs.staged import StagedFile
    from pipelines.tables.store.interface import Store

SMALL_BYTES = 4 << 20  # of compressed files: what the driver does by itself, in about a second


def written(spark: Session, staged: Sequence[StagedFile], store: Store, run_id: str) -> Files:
    """Write the staged outcomes' rows of every table; at most as many files a table and day as cores."""
    size = sum(file.size for file in staged)
    groups = grouped(staged, most_at_once(spark, size))
    lines = done(spark, partial(_write_group, groups, store, run_id), [size] * len(groups))
    files: Files = {table.name: [] for table in OUTCOMES}
    for name, file in (msgspec.json.decode(line, type=tuple[str, DataFile]) for line in lines):
        files[name].append(file)
    return files


def most_at_once(spark: Session, size: int) -> int:
    """Into how many pieces work over so many bytes may be cut: as many as cores; one of what the driver does itself."""
    return spark().sparkContext.defaultParallelism if size > SMALL_BYTES else 1


def grouped(staged: Sequence[StagedFile], most: int) -> list[list[str]]:
    """The names in at most so many groups of about equal bytes, each of records that lie together."""
    ordered = sorted(staged, key=lambda file: file.ranges)
    return [[file.name for file in group] for group in shares(ordered, most)]


def _write_group(groups: Sequence[Sequence[str]], store: Store, run_id: str, number: int) -> list[str]:
    return [
        msgspec.json.encode((table.name, file)).decode()
        for table in OUTCOMES
        for file in write(rows_of(store, groups[number], table), store, table, run_id)
    ]


def replaced(
    spark: Session, store: Store, tables: Mapping[str, deltalake.DeltaTable], plan: Plan, known: Known
) -> Known:
    """Of every file of these tables that holds rows of the plan's records: what is left of it without them.

    What is `known` is not written again, and its files go if what they are of is not in the tables any more. So a first
    call may look at what is published while the tables go on, and a second one by their holder has only to do what
    came since.
    """
    chosen = Chosen(plan.ranges)
    held = [
        (table.name, file)
        for table in OUTCOMES
        if table.name in tables
        for file in candidates(tables[table.name], chosen)
    ]
    new = [each for each in held if (each[0], each[1].path) not in known]
    lines = done(spark, partial(_survivors_of, new, store, chosen, plan.run_id), [file.size for _, file in new])
    found = [msgspec.json.decode(line, type=tuple[str, Survivors]) for line in lines]
    all_known = known | {(name, each.of.path): each for name, each in found}
    left = {key: all_known[key] for name, file in held if (key := (name, file.path))}
    for (name, path), each in known.items():
        if (name, path) not in left:
            store.delete(f"{name}/{file.path}" for file in each.files)
    return left


def _survivors_of(
    files: Sequence[tuple[str, StoredFile]], store: Store, chosen: Chosen, run_id: str, number: int
) -> list[str]:
    name, file = files[number]
    return [msgspec.json.encode((name, survivors(store, TABLES[name], file, chosen, run_id))).decode()]


def done(spark: Session, work: Callable[[int], list[str]], sizes: Sequence[int]) -> list[str]:
    """What `work` returns for each number below that of the sizes, which are the bytes that each has to read."""
    if sum(sizes) > SMALL_BYTES:
        return on_tasks(spark(), work, len(sizes))
    return [line for number in range(len(sizes)) for line in work(number)]


def discard(store: Store, run_id: str) -> None:
    """Remove the run's data files that nothing names: no commit will."""
    files = [each for name in TABLES for each in store.names(name) if each.rpartition("/")[2].startswith(f"{run_id}-")]
    if files:
        with suppress(TablesDamaged):  # torn by a power cut: who puts it back asks again
            named = Named(store, {name.partition("/")[0] for name in files}, oldest(store))
            store.delete(name for name in files if name not in named)
    store.sweep(0.0, f"{run_id}-")
