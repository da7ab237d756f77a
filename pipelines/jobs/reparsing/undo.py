"""Undo a reparse: its records get the rows that they had before, whatever else was written since.

The rows come out of the publication before the run's, and go in by one commit a table and one publication, as those of
any run; so an undo is a run that can be undone. A table is never put back as a whole: later runs would go with it.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow.compute as pc

from pipelines.errors import BadSelection, NothingPublished, NotUndoable
from pipelines.jobs.counts import counts_of
from pipelines.jobs.made import Made
from pipelines.jobs.plan import Plan, new_run_id
from pipelines.jobs.recovery import discarded_when_it_fails, finish_own
from pipelines.jobs.run import commit_made, digest_of
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.staging import spare, staging_folder
from pipelines.jobs.writing import done, most_at_once, replaced
from pipelines.readers.runs import no_run, ranges_in, run_named, runs_since
from pipelines.tables.compacting import shares
from pipelines.tables.datafiles import DataFile, write
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import before, made_by, require_tables, standing, table_of
from pipelines.tables.ranges import intersected, merged
from pipelines.tables.replacing import Chosen, StoredFile, candidates, chosen_rows
from pipelines.tables.schemas import MAILS, OUTCOMES, PARTS, TABLES
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from conf.settings import Settings
    from pipelines.jobs.committing import Summary
    from pipelines.jobs.counts import Counts
    from pipelines.jobs.made import Files
    from pipelines.jobs.spark.session import Session
    from pipelines.tables.publication import Publication
    from pipelines.tables.ranges import OffsetRange
    from pipelines.tables.store.interface import Store

_CAN_BE_UNDONE = ("reparse", "undo")


@dataclass(frozen=True, slots=True)
class _Restored:
    """Rows of a table as they were, in files that nothing names."""

    table: str
    files: tuple[DataFile, ...]
    counts: dict[str, int]  # as `parts` and `parts_parsed`
    versions: tuple[str, ...]  # of the parsers


@spark_errors_as_pipeline_errors()
def undo(settings: Settings, run_id: str) -> Summary:
    """Put back the rows of before a reparse, or an undo, of this id or beginning of one.

    An undo of it that was cut off is finished instead.

    Raises BadSelection where there is no such run; NotUndoable where its publication, or the one before it, is gone,
    or a later run has written rows of its records; and as a run: nothing is published then.
    """
    store, spark = store_of(settings.tables), partial(spark_session, settings)
    require_tables(store)
    row = _row_of(store, run_id)
    run_id = row["run_id"]
    if finished := finish_own(settings, lambda plan: plan.undoes == run_id):
        return finished
    ranges = tuple(merged(ranges_in(row)))
    plan = Plan(new_run_id(), "undo", None, ranges, parser_version=row["parser_version"], undoes=run_id)
    with staging_folder(store, plan.run_id) as staging, discarded_when_it_fails(store, plan):
        with hold_tables(store):
            own, former = _publications(store, row)
            spare(store, staging, former)
        _require_last(store, own, ranges)
        made = _made(spark, settings, store, plan, former)
        left = replaced(spark, store, standing(store), plan, {})
        check = partial(_require_last, store, own, ranges)
        return commit_made(spark, store, plan, made, left, check=check)


def _row_of(store: Store, run_id: str) -> dict[str, Any]:
    try:
        found = run_named(store, run_id)
    except NothingPublished:
        raise no_run(run_id) from None
    if found["kind"] not in _CAN_BE_UNDONE:
        raise BadSelection(
            f"run {found['run_id']} is of kind {found['kind']}: a reparse or an undo can be undone; what was extracted "
            "stays, and `otclog reparse` reads it again"
        )
    return found


def _publications(store: Store, row: Mapping[str, Any]) -> tuple[Publication, Publication]:
    """That of the run, and the one before it."""
    run_id = row["run_id"]
    own = made_by(store, run_id, (row["publication"] or 1) - 1)
    former = before(store, own) if own else None
    if own is None or former is None:
        raise NotUndoable(
            f"run {run_id} cannot be undone any more: `otclog maintain` has removed its publication, or the one before "
            "it ([tables] keep_publications, keep_s), and the rows of before are gone; `otclog reparse --run "
            f"{run_id}` reads its mails again with today's parser"
        )
    return own, former


def _require_last(store: Store, own: Publication, ranges: Sequence[OffsetRange]) -> None:
    """The newest of the runs that came later is the one that can be undone."""
    run_id = own.run_id
    for later in reversed(runs_since(store, own)):
        if not (common := intersected(later.ranges, ranges)):
            continue
        if later.undoes == run_id:
            raise NotUndoable(f"run {run_id} was undone already, by {later.run_id}")
        raise NotUndoable(
            f"run {run_id} cannot be undone: {later.kind} {later.run_id} has written rows of "
            f"{sum(map(len, common))} of its records since; undo that one first, or reparse the records"
        )


def _made(spark: Session, settings: Settings, store: Store, plan: Plan, former: Publication) -> Made:
    started_ts, clock = datetime.now(UTC), time.monotonic()
    chosen = Chosen(plan.ranges)
    work: list[tuple[str, list[StoredFile]]] = []
    for table in OUTCOMES:
        found = candidates(table_of(store, former, table.name), chosen)
        most = most_at_once(spark, sum(each.size for each in found))
        work += [(table.name, share) for share in shares(found, most)]
    sizes = [sum(file.size for file in files) for _, files in work]
    lines = done(spark, partial(_restore, work, store, chosen, plan.run_id), sizes)
    restored = [msgspec.json.decode(line, type=_Restored) for line in lines]
    files: Files = {table.name: [] for table in OUTCOMES}
    for each in restored:
        files[each.table] += each.files
    return Made(files, _counts(plan, restored), digest_of(settings), started_ts, 0.0, time.monotonic() - clock)


def _restore(
    work: Sequence[tuple[str, Sequence[StoredFile]]], store: Store, chosen: Chosen, run_id: str, number: int
) -> list[str]:
    name, files = work[number]
    counts: Counter[str] = Counter()
    versions: set[str] = set()

    def rows() -> Iterator[pa.RecordBatch]:
        for file in files:
            for batch in chosen_rows(store, TABLES[name], file, chosen):
                counts[name] += batch.num_rows
                if name in {MAILS.name, PARTS.name}:
                    for each in pc.value_counts(batch.column("state")).to_pylist():
                        counts[f"{name}_{each['values']}"] += each["counts"]
                versions.update(batch.column("parser_version").to_pylist())
                yield batch

    made = write(rows(), store, TABLES[name], run_id)
    return [msgspec.json.encode(_Restored(name, tuple(made), dict(counts), tuple(sorted(versions)))).decode()]


def _counts(plan: Plan, restored: Sequence[_Restored]) -> Counts:
    """Of the rows as they were; of records that had not been extracted before there are none."""
    found = sum((Counter(each.counts) for each in restored), Counter())
    versions = sorted({version for each in restored for version in each.versions})
    return counts_of(", ".join(versions) or plan.parser_version, plan.records, found)
