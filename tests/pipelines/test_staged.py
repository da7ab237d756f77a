from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pytest
from msgspec.structs import replace
from pyspark.sql import SparkSession

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from pipelines.outcome_batch import outcome_batch
from pipelines.run import OUTCOMES
from pipelines.schemas import Table
from pipelines.staged import STAGED, rows_of


@pytest.mark.parametrize("table", OUTCOMES, ids=lambda table: table.name)
def test_a_table_gets_its_columns_and_its_share_of_each_mail(
    spark: SparkSession,
    outcome: Callable[..., MailOutcome],
    quote: Quote,
    positions: Callable[[int], list[pa.Array]],
    table: Table,
) -> None:
    nothing = replace(outcome(), quotes=(), parts=(), rejects=())
    batch = outcome_batch(positions(3), [outcome(quote, quote), nothing, outcome()])
    staged = spark.createDataFrame(pa.Table.from_batches([batch]), STAGED)
    rows = rows_of(staged, table).collect()
    assert rows[0].__fields__ == table.schema.names
    offsets = {"quotes": [0, 0, 2], "mails": [0, 1, 2], "parts": [0, 2], "rejects": [0, 2]}
    assert sorted(row.log_offset for row in rows) == offsets[table.name]
    assert {(row.message_key, row.parser_version, str(row.received_day)) for row in rows} == {
        ("a" * 64, "1.0.0", "2025-11-03")
    }
