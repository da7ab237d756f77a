"""Runs of the same few mails, at other offsets each time, by the functions of a run, but that no Spark is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pyarrow as pa
from pyspark.sql import SparkSession

from parsers.outcome import MailOutcome
from pipelines.jobs.committing import Summary
from pipelines.jobs.counts import counted
from pipelines.jobs.made import Made
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.plan import Plan, new_run_id
from pipelines.jobs.run import commit_made
from pipelines.jobs.staged import StagedFile, stage
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.writing import replaced, written
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import DataFile, write
from pipelines.tables.publication import newest, standing
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import RUNS, TABLES
from pipelines.tables.schemas.runs import COUNTS
from pipelines.tables.store.interface import Store
from tests.pipelines.stores import HELD, publish_now

DAY = datetime(2026, 11, 24, tzinfo=UTC)


def no_spark() -> SparkSession:
    """Fails: none is to be asked for."""
    raise AssertionError("a small run starts no session")


@dataclass(slots=True)
class SmallRuns:
    """As `otclog extract --every 2s` makes them."""

    store: Store
    outcomes: Sequence[MailOutcome]  # of one run
    every: timedelta = timedelta(seconds=2)
    start: datetime = DAY
    done: int = 0
    is_linked: bool = (
        False  # `commit` names the first one's files again, at the same offsets: writing takes most of its CPU
    )
    _first: pa.RecordBatch | None = field(default=None)
    _files: dict[str, list[DataFile]] = field(default_factory=dict)

    def run(self, at: int | None = None) -> Summary:
        """The next one, or again the one with this number."""
        number = self.done if at is None else at
        mails = len(self.outcomes)
        ranges = (OffsetRange("mails", 0, number * mails, (number + 1) * mails),)
        plan = Plan(new_run_id(), "extract", "small", ranges, 0, self.outcomes[0].parser_version)
        started = datetime.now(UTC)
        with staging_folder(self.store, plan.run_id) as staging:
            staged = [self._staged(staging, number)]
            files = written(no_spark, staged, self.store, plan.run_id)
            made = Made(files, counted(staged, plan), "0" * 64, started, 0.0, 0.0)
            known = replaced(no_spark, self.store, standing(self.store), plan, {})
            summary = commit_made(no_spark, self.store, plan, made, known)
        self.done += at is None
        return summary

    def commit(self) -> int:
        """Of the next one only what it takes for rows to be seen: files, commits, a publication; the CPU of a third."""
        plan_id, number = new_run_id(), 0 if self.is_linked else self.done
        if self.is_linked and self._files:
            files = {name: [self._linked(name, each, plan_id) for each in made] for name, made in self._files.items()}
        else:
            with staging_folder(self.store, plan_id) as staging:
                files = written(no_spark, [self._staged(staging, number)], self.store, plan_id)
            self._files = dict(files)
        given = {
            "run_id": plan_id,
            "kind": "extract",
            "parser_version": "x",
            "ranges": [],
            "parse_s": 0.0,
            "write_s": 0.0,
        }
        row = given | dict.fromkeys(COUNTS, 0) | dict.fromkeys(("started_ts", "ended_ts"), datetime.now(UTC))
        files["runs"] = write([pa.RecordBatch.from_pylist([row], RUNS.arrow_schema())], self.store, RUNS, plan_id)
        versions, on = {}, newest(self.store)
        for name, made in files.items():
            if name not in on.versions:
                create(self.store, TABLES[name], HELD)
            versions[name] = commit(self.store, TABLES[name], Change(tuple(made)), {}, HELD, published=on)
        self.done += 1
        return publish_now(self.store, plan_id, versions).number

    def _linked(self, table: str, file: DataFile, run_id: str) -> DataFile:
        """The same file under a name of its own; the first one is never removed, as a second name holds it."""
        first, folder = Path(self.store.uri(f"_first/{table}")), Path(self.store.uri(table))
        if not first.exists():
            first.parent.mkdir(exist_ok=True)
            first.hardlink_to(folder / file.path)
        path = str(PurePosixPath(file.path).with_name(f"{run_id}.zstd.parquet"))
        (folder / path).hardlink_to(first)
        return replace(file, path=path)

    def _staged(self, folder: str, number: int) -> StagedFile:
        mails = len(self.outcomes)
        offsets = range(number * mails, (number + 1) * mails)
        positions = [
            pa.array(["mails"] * mails),
            pa.array([0] * mails, pa.int32()),
            pa.array(offsets, pa.int64()),
            pa.array([self.start + number * self.every] * mails, pa.timestamp("us", "UTC")),
        ]
        if self._first is None:
            self._first = outcome_batch(positions, list(self.outcomes))
        rows = pa.RecordBatch.from_arrays([*positions, *self._first.columns[4:]], schema=self._first.schema)
        made = stage(iter([rows]), self.store, f"{folder}/{number}")
        assert made
        return made
