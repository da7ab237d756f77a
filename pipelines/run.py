"""A run: the planned records, parsed once, into every table, published. Extract and reparse are both this.

The order of durable effects; each is repeated without harm:
 1. outcomes are staged: a mail is parsed once, whatever the number of tables
 2. under the locks of all tables, the plan is written down as the one in writing
 3. each table's rows of these records are replaced, in one commit a table
 4. one publication names the versions that belong together
 5. nothing is in writing any more
 6. the group's offsets are committed (by extract, last)
A crash before 2 has changed nothing. After it, whoever writes next finishes the plan in writing before anything else:
no publication ever shows half a run.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines import plan as plans
from pipelines.counts import Counts, check_written, counted
from pipelines.locks import table_locks
from pipelines.parse_step import parsed
from pipelines.publication import publish
from pipelines.ranges import Where, rows_of_records
from pipelines.schemas import RUNS, TABLES, Table
from pipelines.session import spark_session
from pipelines.source import records
from pipelines.staged import STAGED, rows_of
from pipelines.staging import staging_folder, sweep
from pipelines.tables import Commit, create, replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from conf.settings import Settings
    from pipelines.plan import Plan

MAILS_A_FILE = 50_000  # their quotes make some tens of megabytes of Parquet
OUTCOMES = [table for table in TABLES.values() if table is not RUNS]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did: its row in the table `runs`, and the publication that shows it."""

    row: dict[str, Any]
    publication: int


@dataclass(frozen=True, slots=True)
class Staged:
    """Outcomes of a plan's records, in a folder of the run's own."""

    rows: DataFrame  # of schema STAGED
    counts: Counts
    started_ts: datetime
    seconds: float


def run(settings: Settings, plan: Plan) -> Summary:
    """Do the plan. Raises NothingToRead, TableBusy, NotConserved; then nothing of it is published."""
    root = settings.tables.root
    spark = spark_session(settings.spark)
    with _staged(spark, settings, plan) as staged, table_locks(spark, root, TABLES):
        sweep(root)
        interrupted = plans.in_writing(root)
        if interrupted and interrupted.run_id != plan.run_id:
            with _staged(spark, settings, interrupted) as left:
                _write(spark, root, interrupted, left)
        return _write(spark, root, plan, staged)


@contextmanager
def _staged(spark: SparkSession, settings: Settings, plan: Plan) -> Iterator[Staged]:
    """Parse into a folder of its own, which goes when the block ends."""
    started_ts, clock = datetime.now(UTC), time.monotonic()
    with staging_folder(settings.tables.root, plan.run_id) as folder:
        outcomes = folder / "outcomes"
        parsed(records(spark, settings.log, plan.ranges), settings).write.parquet(str(outcomes))
        counts = counted(outcomes, plan)
        rows = spark.read.schema(STAGED).parquet(str(outcomes)).coalesce(1 + plan.records // MAILS_A_FILE)
        yield Staged(rows, counts, started_ts, time.monotonic() - clock)


def _write(spark: SparkSession, root: Path, plan: Plan, staged: Staged) -> Summary:
    clock = time.monotonic()
    for table in TABLES.values():
        create(root, table)
    plans.start_writing(root, plan)

    where = rows_of_records(plan.ranges)
    metadata = {**asdict(plan), "parser_version": staged.counts.parser_version}

    def put(table: Table) -> Commit:
        return replace(rows_of(staged.rows, table), root, table, where, metadata)

    with ThreadPoolExecutor(len(OUTCOMES)) as pool:  # a small commit is mostly waiting
        commits = dict(zip((table.name for table in OUTCOMES), pool.map(put, OUTCOMES), strict=True))
    check_written(plan, staged.counts, {name: commit.rows for name, commit in commits.items()})

    row = _row(plan, staged, time.monotonic() - clock)
    this_run = Where(f"run_id = '{plan.run_id}'", pc.field("run_id") == plan.run_id)
    arrow = pa.Table.from_pylist([row])
    commits[RUNS.name] = replace(spark.createDataFrame(arrow, RUNS.schema), root, RUNS, this_run, metadata)

    publication = publish(root, plan.run_id, {name: commit.version for name, commit in commits.items()})
    plans.end_writing(root)
    return Summary(row, publication.number)


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
