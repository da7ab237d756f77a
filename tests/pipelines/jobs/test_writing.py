from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import deltalake
import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from msgspec.structs import replace
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from parsers.outcome import MailOutcome
from parsers.parse import parse_mail
from parsers.quote import Quote
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.staged import StagedFile, rows_of, stage
from pipelines.jobs.writing import grouped, written
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import OUTCOMES, TABLES, Table
from pipelines.tables.store.folder import Folder
from tests.pipelines.stores import HELD

MIDNIGHT = datetime(2026, 11, 24, tzinfo=UTC)


def positions(start: int, mails: int) -> list[pa.Array]:
    """Columns topic to received_ts; the mails come by the minute around a midnight."""
    times = [MIDNIGHT + timedelta(minutes=at - 5, microseconds=517) for at in range(start, start + mails)]
    return [
        pa.array(["mails"] * mails),
        pa.array([0] * mails, pa.int32()),
        pa.array(range(start, start + mails), pa.int64()),
        pa.array(times, pa.timestamp("us", "UTC")),
    ]


@pytest.fixture(scope="session")
def outcomes(mails: list[bytes]) -> list[MailOutcome]:
    found = [parse_mail(mail) for mail in mails]
    dated = [
        replace(
            each,
            quotes=tuple(
                replace(quote, quote_ts=quote.quote_ts or MIDNIGHT, quote_date=quote.quote_date or MIDNIGHT.date())
                for quote in each.quotes
            ),
        )
        for each in found
    ]
    return [*dated, *dated]


FILES = Folder(Path("/"))  # staged ones are named by their paths


def staged_in(folder: Path, outcomes: list[MailOutcome], files: int = 4) -> list[StagedFile]:
    """As the parse step leaves them: some mails a file."""
    size = -(-len(outcomes) // files)
    made = [
        stage(
            [outcome_batch(positions(at, len(part := outcomes[at : at + size])), part)], FILES, f"{folder}/{at}.parquet"
        )
        for at in range(0, len(outcomes), size)
    ]
    return [each for each in made if each]


def by_delta_rs(staged: list[StagedFile], root: Path, table: Table) -> None:
    """The way of 0.2.0: every row through the driver."""
    create(Folder(root), table, HELD)
    rows = pa.RecordBatchReader.from_batches(
        table.arrow_schema(), rows_of(FILES, [file.name for file in staged], table)
    )
    deltalake.write_deltalake(str(root / table.name), rows, mode="append")


def by_tasks(spark: SparkSession, staged: list[StagedFile], root: Path) -> None:
    for table in OUTCOMES:
        create(Folder(root), table, HELD)
    for name, files in written(lambda: spark, staged, Folder(root), "run").items():
        commit(Folder(root), TABLES[name], Change(tuple(files)), {}, HELD)


def hashed(rows: list[dict[str, object]]) -> tuple[int, str]:
    """Of all columns of all rows, in whatever order they came."""
    return len(rows), hashlib.sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()


def as_arrow(table: pa.Table, schema: pa.Schema) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = table.select(schema.names).cast(schema).to_pylist()
    return rows


READERS: dict[str, Callable[[SparkSession, Path], pa.Table]] = {
    "Spark": lambda spark, folder: spark.read.format("delta").load(str(folder)).toArrow(),
    "delta-rs": lambda _, folder: deltalake.DeltaTable(str(folder)).to_pyarrow_table(),
    "DuckDB": lambda _, folder: (
        duckdb.connect()
        .register("it", deltalake.DeltaTable(str(folder)).to_pyarrow_dataset())
        .sql("SELECT * FROM it")
        .to_arrow_table()
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("small", [True, False], ids=["by the driver", "by Spark's tasks"])
def test_rows_written_by_tasks_are_those_that_the_driver_would_write_whoever_reads_them(
    spark: SparkSession,
    outcomes: list[MailOutcome],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    small: bool,
) -> None:
    if not small:
        monkeypatch.setattr("pipelines.jobs.writing.SMALL_BYTES", 0)
    staged = staged_in(tmp_path / "staged", outcomes)
    old, new = tmp_path / "old", tmp_path / "new"
    by_tasks(spark, staged, new)
    for table in OUTCOMES:
        by_delta_rs(staged, old, table)
        expected = hashed(
            as_arrow(deltalake.DeltaTable(str(old / table.name)).to_pyarrow_table(), table.arrow_schema())
        )
        assert expected[0]
        for reader, read in READERS.items():
            found = hashed(as_arrow(read(spark, new / table.name), table.arrow_schema()))
            assert found == expected, (table.name, reader)
    cores = spark.sparkContext.defaultParallelism
    for table in OUTCOMES:
        days = [path.parent.name for path in (new / table.name).rglob("*.parquet")]
        assert set(days) == {"received_day=2026-11-23", "received_day=2026-11-24"}
        assert max(days.count(day) for day in days) <= (1 if small else cores)


def quoted(quote: Quote, isin: str) -> Quote:
    return replace(quote, isin=isin, instrument_id=isin)


@pytest.mark.slow
def test_files_are_skipped_by_range_and_by_instrument(
    spark: SparkSession, outcome: Callable[..., MailOutcome], quote: Quote, tmp_path: Path
) -> None:
    for number, isin in enumerate(("DE000A000001", "US000A000001", "XS000A000001")):
        folder = tmp_path / f"staged {number}"
        made = stage(
            [outcome_batch(positions(100 * number, 4), [outcome(quoted(quote, isin))] * 4)],
            FILES,
            f"{folder}/0.parquet",
        )
        assert made
        by_tasks(spark, [made], tmp_path / "tables")
    quotes = str(tmp_path / "tables" / "quotes")
    dataset = deltalake.DeltaTable(quotes).to_pyarrow_dataset()
    assert len(list(dataset.get_fragments())) == 3
    frame = spark.read.format("delta").load(quotes)
    for arrow, spark_sql in (
        (pc.field("isin") == "US000A000001", sf.col("isin") == "US000A000001"),
        ((pc.field("log_offset") >= 90) & (pc.field("log_offset") < 110), sf.col("log_offset").between(90, 109)),
    ):
        assert len(list(dataset.get_fragments(filter=arrow))) == 1
        assert len(frame.where(spark_sql).inputFiles()) == 1
        assert frame.where(spark_sql).count() == dataset.count_rows(filter=arrow) == 4


def test_staged_files_are_grouped_by_where_their_records_lie_and_about_evenly() -> None:
    size = 8 << 20
    files = [
        StagedFile(f"{partition}.{start}", size, (OffsetRange("mails", partition, start, start + 9),), (), {})
        for start in (20, 0, 10)
        for partition in (1, 0)
    ]
    assert grouped(files, 2) == [["0.0", "0.10", "0.20"], ["1.0", "1.10", "1.20"]]
    assert grouped(files, 100) == [[name] for group in grouped(files, 2) for name in group]
    assert grouped([], 2) == []
