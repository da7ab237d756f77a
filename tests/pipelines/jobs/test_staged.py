from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.run import OUTCOMES
from pipelines.jobs.staged import rows_of
from pipelines.tables.schemas import Table


@pytest.mark.parametrize("table", OUTCOMES, ids=lambda table: table.name)
def test_a_table_gets_its_columns_and_its_share_of_each_mail(
    outcome: Callable[..., MailOutcome],
    quote: Quote,
    positions: Callable[[int], list[pa.Array]],
    table: Table,
    tmp_path: Path,
) -> None:
    nothing = replace(outcome(), quotes=(), parts=(), rejects=())
    batch = outcome_batch(positions(3), [outcome(quote, quote), nothing, outcome()])
    pq.write_table(pa.Table.from_batches([batch]), tmp_path / "part-0.parquet")
    (found,) = rows_of(tmp_path, table)
    assert found.schema == table.arrow_schema()
    rows = found.to_pylist()
    offsets = {"quotes": [0, 0, 2], "mails": [0, 1, 2], "parts": [0, 2], "rejects": [0, 2]}
    assert sorted(row["log_offset"] for row in rows) == offsets[table.name]
    assert {(row["message_key"], row["parser_version"], str(row["received_day"])) for row in rows} == {
        ("a" * 64, "1.0.0", "2025-11-03")
    }
