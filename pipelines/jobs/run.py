"""A run: the planned records, parsed once, into every table, published. Extract and reparse are both this.

The order of durable effects; each is repeated without harm:
 1. tasks stage outcomes, a mail parsed once whatever the number of tables, and write every table's data files of them,
    and what is left of files of which rows are replaced; no commit names them yet, so the tables may go on meanwhile
 2. under the locks of all tables, what the commits are to name is written down
 3. each table gets the new files, and loses those that they replace, in one commit a table
 4. one publication names the versions that belong together
 5. nothing is in writing any more
 6. the group's offsets are committed (by extract, last)
A crash before 2 has changed nothing. After it, whoever writes next makes the same commits before anything else: no
publication ever shows half a run. Where that cannot be, since files are gone or the parsers are others by now, the
tables are put back to what the last publication shows: no run that is lost stops others.
"""

from __future__ import annotations

import logging
import shutil
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import deltalake
import pyarrow as pa

from pipelines.errors import FilesMissing
from pipelines.jobs import plan as plans
from pipelines.jobs.counts import Counts, check_written, counted
from pipelines.jobs.parse_step import staged
from pipelines.jobs.plan import Writing
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.spark.source import records
from pipelines.jobs.staging import staging_folder, sweep
from pipelines.jobs.taught import keep, kept, remove_old
from pipelines.jobs.writing import discard, replaced, written
from pipelines.tables.commits import Change, commit, create, put_back, require_files
from pipelines.tables.datafiles import write
from pipelines.tables.files import private_folder
from pipelines.tables.locks import table_locks
from pipelines.tables.publication import made_by, publish, require_tables, standing
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import OUTCOMES, RUNS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

    from conf.settings import Settings
    from parsers.taught import Taught
    from pipelines.jobs.plan import Plan
    from pipelines.jobs.staged import StagedFile
    from pipelines.jobs.writing import Files, Known

logger = logging.getLogger(__name__)

MAX_TERMS = 1000  # ranges that are read at once: Spark takes minutes for a condition of several thousand


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did: its plan, its row in the table `runs`, and the publication that shows it."""

    plan: Plan
    row: dict[str, Any]
    publication: int


@dataclass(frozen=True, slots=True)
class Made:
    """The outcomes of a plan's records, as files that no commit names."""

    files: Files
    counts: Counts
    taught: Taught  # that they were parsed by
    started_ts: datetime
    parse_s: float
    write_s: float


@spark_errors_as_pipeline_errors()
def run(settings: Settings, plan: Plan) -> Summary:
    """Do a new plan. Raises TableBusy, TablesDamaged, NotConserved, JobFailed, JobCutOff: nothing is published then."""
    root = settings.tables.root
    spark = spark_session(settings.spark)
    with staging_folder(root, plan.run_id) as staging, _discarded_when_it_fails(root, plan):
        made = _made(spark, settings, plan, staging)
        known = replaced(spark, root, standing(root), plan, {})
        with table_locks(root, TABLES):
            _finish(root)
            remove_old(root)
            writing = _written_down(spark, root, plan, made, known)
            return _commit(root, writing)


def finish(settings: Settings) -> Summary | None:
    """Finish the run in writing, whoever's it is; None if there is none, or if it was put back. Raises as `run`."""
    root = settings.tables.root
    with table_locks(root, TABLES):
        return _finish(root)


def _finish(root: Path) -> Summary | None:
    require_tables(root)
    writing = plans.in_writing(root)
    sweep(root, lambda run_id: _discard_unless_in_writing(root, run_id))
    if writing is None:
        return None
    if made := made_by(root, writing.plan.run_id):  # it died before it could say that it was done
        plans.end_writing(root)
        return Summary(writing.plan, writing.row, made.number)
    _put_back(root)
    try:
        if _is_to_be_finished(writing):
            return _commit(root, writing)
    except FilesMissing as error:  # trying again would be in vain
        message = "run %s was cut off, and cannot be finished: put back as published: %s"
        logger.error(message, writing.plan.run_id, error)  # noqa: TRY400 -- the message says all
        _put_back(root)
    plans.end_writing(root)
    discard(root, writing.plan.run_id)
    return None


def _is_to_be_finished(writing: Writing) -> bool:
    """Whether it is a run of these parsers; one of others is told of, and its records are to be read by these."""
    plan = writing.plan
    if plan.kind == "upgrade":
        return False
    if plan.is_of_these_parsers and writing.changes:
        return True
    logger.warning(
        "run %s was cut off under the parsers %s, and these are others: put back as published; %s",
        plan.run_id,
        plan.parser_version or "of an earlier version",
        f"group {plan.group} reads its records anew" if plan.group else "run the reparse again",
    )
    return False


def _put_back(root: Path) -> None:
    for table in TABLES.values():
        put_back(root, table)


@contextmanager
def _discarded_when_it_fails(root: Path, plan: Plan) -> Iterator[None]:
    """What a run that fails has written goes, unless its commits are to be made yet by whoever writes next."""
    try:
        yield
    except BaseException:
        _discard_unless_in_writing(root, plan.run_id)
        raise


def _discard_unless_in_writing(root: Path, run_id: str) -> None:
    writing = plans.in_writing(root)
    if writing is None or writing.plan.run_id != run_id:
        discard(root, run_id)


def _made(spark: SparkSession, settings: Settings, plan: Plan, staging: Path) -> Made:
    """Parse and write, a slice of at most `[extract] max_mails` mails at a time, staged in a folder of its own."""
    root, started_ts = settings.tables.root, datetime.now(UTC)
    taught = kept(root, plan.taught)
    files: Files = {table.name: [] for table in OUTCOMES}
    all_staged: list[StagedFile] = []
    parse_s = write_s = 0.0
    for number, part in enumerate(sliced(plan.ranges, settings.extract.max_mails)):
        clock, folder = time.monotonic(), private_folder(staging / str(number))
        with spark_errors_as_pipeline_errors(folder):
            found = staged(records(spark, settings.log, part), settings, taught, plan.parser_version, folder)
        counted(found, replace(plan, ranges=tuple(part)))
        parse_s += (between := time.monotonic()) - clock
        for name, made in written(spark, found, root, plan.run_id).items():
            files[name] += made
        write_s += time.monotonic() - between
        shutil.rmtree(folder)
        all_staged += found
    return Made(files, counted(all_staged, plan), taught, started_ts, parse_s, write_s)


def sliced(ranges: Sequence[OffsetRange], max_mails: int) -> Iterator[list[OffsetRange]]:
    """The same records in lists of at most `max_mails` records and MAX_TERMS ranges."""
    taken: list[OffsetRange] = []
    room = max_mails
    for each in ranges:
        start = each.start
        while start < each.stop:
            stop = min(each.stop, start + room)
            taken.append(OffsetRange(each.topic, each.partition, start, stop))
            room -= stop - start
            start = stop
            if not room or len(taken) == MAX_TERMS:
                yield taken
                taken, room = [], max_mails
    if taken:
        yield taken


def _written_down(spark: SparkSession, root: Path, plan: Plan, made: Made, known: Known) -> Writing:
    """What the commits are to name, once that is durable. The caller holds the locks of all tables."""
    clock = time.monotonic()
    for table in TABLES.values():
        create(root, table)
    keep(root, made.taught)  # since it was planned others may have been used, and this one removed
    check_written(plan, made.counts, {name: sum(file.rows for file in files) for name, files in made.files.items()})
    tables = {table.name: deltalake.DeltaTable(str(root / table.name)) for table in OUTCOMES}
    left = replaced(spark, root, tables, plan, known)
    changes = {
        name: Change(
            (*files, *(file for (table, _), each in left.items() if table == name for file in each.files)),
            tuple(each.of for (table, _), each in left.items() if table == name and each.chosen),
        )
        for name, files in made.files.items()
    }
    row = _row(plan, made, made.write_s + time.monotonic() - clock)
    as_batch = pa.RecordBatch.from_pylist([row], RUNS.arrow_schema())
    changes[RUNS.name] = Change(tuple(write([as_batch], root, RUNS, plan.run_id)))
    writing = Writing(plan, row, changes)
    plans.start_writing(root, writing)
    return writing


def _commit(root: Path, writing: Writing) -> Summary:
    for name, change in writing.changes.items():
        require_files(root, TABLES[name], change)
    plan = writing.plan  # its ranges, which may be many, stand in the run's row
    metadata = {"run_id": plan.run_id, "kind": plan.kind, "group": plan.group, "parser_version": plan.parser_version}
    versions = {name: commit(root, TABLES[name], change, metadata) for name, change in writing.changes.items()}
    publication = publish(root, writing.plan.run_id, versions)
    plans.end_writing(root)
    return Summary(writing.plan, writing.row, publication.number)


def _row(plan: Plan, made: Made, write_s: float) -> dict[str, Any]:
    return {
        "run_id": plan.run_id,
        "kind": plan.kind,
        "group": plan.group,
        "started_ts": made.started_ts,
        "ended_ts": datetime.now(UTC),
        **asdict(made.counts),
        "parse_s": round(made.parse_s, 3),
        "write_s": round(write_s, 3),
        "ranges": [asdict(each) for each in plan.ranges],
    }
