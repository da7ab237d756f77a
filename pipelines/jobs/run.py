"""A run: the planned records, parsed once, into every table, published. Extract and reparse are both this.

The order of durable effects; each is repeated without harm:
 1. outcomes are staged: a mail is parsed once, whatever the number of tables
 2. under the locks of all tables, the plan is written down as the one in writing
 3. each table's rows of these records are replaced, in one commit a table
 4. one publication names the versions that belong together
 5. nothing is in writing any more
 6. the group's offsets are committed (by extract, last)
A crash before 2 has changed nothing. After it, whoever writes next finishes the plan in writing before anything else:
no publication ever shows half a run. What cannot be finished, since the log no longer has the records, or cannot read
them, or their counts do not add up, is put back to what the last publication shows: no run that is lost stops others.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.errors import JobFailed, NotConserved
from pipelines.jobs import plan as plans
from pipelines.jobs.counts import Counts, check_written, counted
from pipelines.jobs.parse_step import parsed
from pipelines.jobs.session import spark_session
from pipelines.jobs.source import records
from pipelines.jobs.spark_errors import spark_errors_as_pipeline_errors
from pipelines.jobs.staged import rows_of
from pipelines.jobs.staging import staging_folder, sweep
from pipelines.jobs.taught import keep, kept, remove_old
from pipelines.readers.selection import parted
from pipelines.tables.commits import create, put_back, replace
from pipelines.tables.locks import table_locks
from pipelines.tables.publication import publish, require_tables
from pipelines.tables.ranges import Where, rows_of_records
from pipelines.tables.schemas import RUNS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from conf.settings import Settings
    from log.interface import CommitLog
    from parsers.taught import Taught
    from pipelines.jobs.plan import Plan

logger = logging.getLogger(__name__)

OUTCOMES = [table for table in TABLES.values() if table is not RUNS]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did: its plan, its row in the table `runs`, and the publication that shows it."""

    plan: Plan
    row: dict[str, Any]
    publication: int


@dataclass(frozen=True, slots=True)
class Staged:
    """Outcomes of a plan's records."""

    folder: Path  # of the run's own: Parquet of schema STAGED
    counts: Counts
    taught: Taught  # that they were parsed by
    started_ts: datetime
    seconds: float


@spark_errors_as_pipeline_errors()
def run(settings: Settings, log: CommitLog, plan: Plan) -> Summary:
    """Do a new plan. Raises TableBusy, TablesDamaged, NotConserved, JobFailed, JobCutOff: nothing is published then."""
    root = settings.tables.root
    spark = spark_session(settings.spark)
    with _staged(spark, settings, plan) as staged, table_locks(root, TABLES):
        sweep(root)
        _finish(spark, settings, log)
        remove_old(root)
        return _write(root, plan, staged)


@spark_errors_as_pipeline_errors()
def finish(settings: Settings, log: CommitLog) -> Summary | None:
    """Finish the plan in writing, whoever's it is; None if there is none, or if it was put back. Raises as `run`."""
    root = settings.tables.root
    spark = spark_session(settings.spark)
    with table_locks(root, TABLES):
        sweep(root)
        return _finish(spark, settings, log)


def _finish(spark: SparkSession, settings: Settings, log: CommitLog) -> Summary | None:
    root = settings.tables.root
    require_tables(root)
    plan = plans.in_writing(root)
    if plan is None:
        return None
    kept, lost = parted(log, plan.ranges)
    _put_back(root)
    if not plan.is_of_these_parsers:
        logger.warning(
            "run %s was cut off under the parsers %s, and these are others: put back as published; %s",
            plan.run_id,
            plan.parser_version or "of an earlier version",
            f"group {plan.group} reads its records anew" if plan.group else "run the reparse again",
        )
        plans.end_writing(root)
        return None
    if lost:
        gone = ", ".join(map(str, lost))
        logger.warning("run %s was cut off, and the log no longer has %s: put back as published", plan.run_id, gone)
    try:
        if kept:
            plan = dataclasses.replace(plan, ranges=tuple(kept))
            with spark_errors_as_pipeline_errors(), _staged(spark, settings, plan) as staged:
                return _write(root, plan, staged)
    except (NotConserved, JobFailed) as error:  # trying again would be in vain
        logger.error("run %s was cut off, and cannot be finished: put back as published: %s", plan.run_id, error)  # noqa: TRY400 -- the message says all
        _put_back(root)
    plans.end_writing(root)
    return None


def _put_back(root: Path) -> None:
    for table in TABLES.values():
        put_back(root, table)


@contextmanager
def _staged(spark: SparkSession, settings: Settings, plan: Plan) -> Iterator[Staged]:
    """Parse into a folder of its own, which goes when the block ends."""
    started_ts, clock = datetime.now(UTC), time.monotonic()
    with staging_folder(settings.tables.root, plan.run_id) as folder:
        outcomes = folder / "outcomes"
        taught = kept(settings.tables.root, plan.taught)
        mails = records(spark, settings.log, plan.ranges)
        with spark_errors_as_pipeline_errors(folder):
            parsed(mails, settings, taught, plan.parser_version).write.parquet(str(outcomes))
        counts = counted(outcomes, plan)
        yield Staged(outcomes, counts, taught, started_ts, time.monotonic() - clock)


def _write(root: Path, plan: Plan, staged: Staged) -> Summary:
    clock = time.monotonic()
    for table in TABLES.values():
        create(root, table)
    keep(root, staged.taught)  # since it was planned others may have been used, and this one removed
    plans.start_writing(root, plan)

    where = rows_of_records(plan.ranges)
    metadata = asdict(plan)
    commits = {table.name: replace(rows_of(staged.folder, table), root, table, where, metadata) for table in OUTCOMES}
    check_written(plan, staged.counts, {name: commit.rows for name, commit in commits.items()})

    row = _row(plan, staged, time.monotonic() - clock)
    as_batch = pa.RecordBatch.from_pylist([row], RUNS.arrow_schema())
    commits[RUNS.name] = replace([as_batch], root, RUNS, _row_of(plan), metadata)

    publication = publish(root, plan.run_id, {name: commit.version for name, commit in commits.items()})
    plans.end_writing(root)
    return Summary(plan, row, publication.number)


def _row_of(plan: Plan) -> Where:
    return Where(f"run_id = '{plan.run_id}'", pc.field("run_id") == plan.run_id)


def _row(plan: Plan, staged: Staged, write_s: float) -> dict[str, Any]:
    return {
        "run_id": plan.run_id,
        "kind": plan.kind,
        "group": plan.group,
        "started_ts": staged.started_ts,
        "ended_ts": datetime.now(UTC),
        **asdict(staged.counts),
        "parse_s": round(staged.seconds, 3),
        "write_s": round(write_s, 3),
        "ranges": [asdict(each) for each in plan.ranges],
    }
