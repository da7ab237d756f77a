from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from msgspec.structs import replace

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.staged import joined, rows_of, stage
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import OUTCOMES, Table
from pipelines.tables.store.folder import Folder


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
    staged = stage([batch], Folder(tmp_path), "0")
    assert staged is not None
    assert (staged.ranges, staged.counts["quotes"]) == ((OffsetRange("mails", 0, 0, 3),), 3)
    (found,) = rows_of(Folder(tmp_path), [staged.name], table)
    assert found.schema == table.arrow_schema()
    rows = found.to_pylist()
    offsets = {"quotes": [0, 0, 2], "mails": [0, 1, 2], "parts": [0, 2], "rejects": [0, 2]}
    assert sorted(row["log_offset"] for row in rows) == offsets[table.name]
    assert {(row["message_key"], row["parser_version"], str(row["received_day"])) for row in rows} == {
        ("a" * 64, "1.0.0", "2025-11-03")
    }


def test_a_task_without_records_leaves_no_file(tmp_path: Path) -> None:
    assert stage([], Folder(tmp_path), "0") is None
    assert list(tmp_path.iterdir()) == []


def test_ranges_that_touch_are_joined_and_one_that_comes_twice_stays_twice() -> None:
    one, two, far = OffsetRange("a", 0, 0, 5), OffsetRange("a", 0, 5, 7), OffsetRange("a", 1, 7, 9)
    assert list(joined([far, two, one])) == [OffsetRange("a", 0, 0, 7), far]
    assert list(joined([one, one, two])) != [OffsetRange("a", 0, 0, 7)]


def test_rejects_are_counted_by_code(
    outcome: Callable[..., MailOutcome], positions: Callable[[int], list[pa.Array]], tmp_path: Path
) -> None:
    (reject, *_) = outcome().rejects
    batches = [outcome_batch(positions(2), [outcome(), replace(outcome(), rejects=(reject, reject))])] * 2
    staged = stage(batches, Folder(tmp_path), "0")
    assert staged is not None
    codes = {name: number for name, number in staged.counts.items() if name.startswith("code_")}
    assert codes == {f"code_{reject.code}": 2 * (len(outcome().rejects) + 2)}
    assert sum(codes.values()) == staged.counts["rejects"]
