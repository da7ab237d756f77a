from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipelines.jobs.reparsing.reparse import preview, reparse
from pipelines.jobs.run import sliced
from pipelines.readers.selection import named_ranges
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


@pytest.mark.slow
def test_reparsing_any_records_leaves_the_same_rows(extracted: Home, mails: list[bytes]) -> None:
    rows = extracted.outcomes()
    scattered = [
        OffsetRange("mails", source.partition, at, at + 1)
        for source, end in extracted.ends.items()
        for at in range(0, end, 2)
    ]
    summary = reparse(extracted.settings, extracted.log, scattered)
    assert summary.row["kind"] == "reparse"
    assert 0 < summary.row["mails"] < len(mails)
    assert extracted.outcomes() == rows
    assert extracted.log.committed(extracted.group) == extracted.ends  # nobody's offsets moved


def test_a_preview_counts_and_changes_nothing(extracted: Home, mails: list[bytes]) -> None:
    before = latest(extracted.store)
    plan = preview(extracted.settings, extracted.log, named_ranges(extracted.log, ["mails"]))
    rows = extracted.outcomes()
    assert (plan.records, plan.mails) == (len(mails), len(mails))
    assert (plan.parts, plan.quotes, plan.rejects) == (len(rows["parts"]), len(rows["quotes"]), len(rows["rejects"]))
    assert plan.bytes == sum(map(len, mails))
    assert latest(extracted.store) == before


def test_a_large_selection_is_done_in_slices_that_cover_it_once() -> None:
    ranges = [
        OffsetRange("a", 0, 0, 25),
        OffsetRange("a", 1, 5, 8),
        *(OffsetRange("b", 0, n, n + 1) for n in range(0, 4000, 2)),
    ]
    slices = list(sliced(ranges, 1500))
    assert all(sum(map(len, each)) <= 1500 for each in slices)
    offsets = [
        (each.topic, each.partition, at) for part in slices for each in part for at in range(each.start, each.stop)
    ]
    assert offsets == [(each.topic, each.partition, at) for each in ranges for at in range(each.start, each.stop)]
