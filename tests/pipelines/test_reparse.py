from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipelines.errors import BadSelection, NothingToRead
from pipelines.publication import latest
from pipelines.ranges import OffsetRange
from pipelines.reparse import preview, reparse, sliced
from pipelines.selection import looked_up, named_ranges, require_kept

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def test_reparsing_any_records_leaves_the_same_rows(extracted: Home, mails: list[bytes]) -> None:
    rows = extracted.outcomes()
    scattered = [
        OffsetRange("mails", source.partition, at, at + 1)
        for source, end in extracted.ends.items()
        for at in range(0, end, 2)
    ]
    (summary,) = reparse(extracted.settings, extracted.log, scattered)
    assert summary.row["kind"] == "reparse"
    assert 0 < summary.row["mails"] < len(mails)
    assert extracted.outcomes() == rows
    assert extracted.log.committed(extracted.group) == extracted.ends  # nobody's offsets moved


def test_what_is_reparsed_can_be_named_by_offsets_or_by_what_the_mails_are(extracted: Home) -> None:
    log, root = extracted.log, extracted.settings.tables.root
    (source, end), *_ = extracted.ends.items()
    whole = OffsetRange("mails", source.partition, 0, end)
    assert named_ranges(log, [f"mails:{source.partition}"]) == [whole]
    assert named_ranges(log, [f"mails:{source.partition}:0-"]) == [whole]
    assert named_ranges(log, [f"mails:{source.partition}:0-1", f"mails:{source.partition}:1"]) == [
        OffsetRange("mails", source.partition, 0, 2)
    ]
    assert sum(map(len, named_ranges(log, ["mails"]))) == sum(extracted.ends.values())
    row = next(row for row in extracted.rows("mails") if row["sender"])
    chosen = looked_up(root, {"message_id": row["message_id"], "sender": row["sender"].upper(), "dealer": None})
    assert (row["log_partition"], row["log_offset"]) in {(each.partition, each.start) for each in chosen}
    locked = looked_up(root, {"code": "password_protected"})
    assert (
        sum(map(len, locked))
        == len([row for row in extracted.rows("rejects") if row["code"] == "PASSWORD_PROTECTED"])
        == 1
    )
    assert looked_up(root, {"sender": "nobody' OR 1=1 --"}) == []


def test_a_preview_counts_and_changes_nothing(extracted: Home, mails: list[bytes]) -> None:
    before = latest(extracted.settings.tables.root)
    plan = preview(extracted.settings, extracted.log, named_ranges(extracted.log, ["mails"]))
    rows = extracted.outcomes()
    assert (plan.records, plan.mails, plan.runs) == (len(mails), len(mails), 1)
    assert (plan.parts, plan.quotes, plan.rejects) == (len(rows["parts"]), len(rows["quotes"]), len(rows["rejects"]))
    assert plan.bytes == sum(map(len, mails))
    assert latest(extracted.settings.tables.root) == before


@pytest.mark.parametrize("name", ["", "mails:", "mails:x", "mails:0:5-x", "mails:0:7-3", "mails:0:1:2", "a b:0"])
def test_a_name_that_makes_no_sense_is_refused(home: Home, name: str) -> None:
    with pytest.raises(BadSelection):
        named_ranges(home.log, [name])


def test_records_the_log_does_not_have_are_refused_with_what_it_has(home: Home) -> None:
    (source, end), *_ = home.ends.items()
    with pytest.raises(NothingToRead, match=f"from 0 to {end}"):
        require_kept(home.log, [OffsetRange("mails", source.partition, 0, end + 1)])
    with pytest.raises(NothingToRead, match="no partition 99"):
        named_ranges(home.log, ["mails:99"])
    with pytest.raises(NothingToRead, match="no topic"):
        named_ranges(home.log, ["absent"])


def test_a_large_selection_is_done_in_slices_that_cover_it_once() -> None:
    ranges = [
        OffsetRange("a", 0, 0, 25),
        OffsetRange("a", 1, 5, 8),
        *(OffsetRange("b", 0, n, n + 1) for n in range(0, 4000, 2)),
    ]
    slices = list(sliced(ranges, 1500))
    assert all(sum(map(len, each)) <= 1500 and len(each) <= 1000 for each in slices)
    offsets = [
        (each.topic, each.partition, at) for part in slices for each in part for at in range(each.start, each.stop)
    ]
    assert offsets == [(each.topic, each.partition, at) for each in ranges for at in range(each.start, each.stop)]
