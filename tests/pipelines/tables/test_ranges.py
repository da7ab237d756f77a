from __future__ import annotations

import random

import pyarrow as pa
import pytest

from pipelines.errors import BadSelection
from pipelines.tables.ranges import OffsetRange, intersected, merged, of_rows, rows_of_records

ROWS = [(topic, partition, offset) for topic in ("a", "b") for partition in (0, 1) for offset in range(20)]

RANGES = [
    [OffsetRange("a", 0, 3, 7)],
    [OffsetRange("a", 0, 3, 4), OffsetRange("a", 0, 9, 10)],
    [OffsetRange("a", 0, 0, 2), OffsetRange("a", 0, 5, 6), OffsetRange("b", 1, 4, 20)],
]


@pytest.mark.parametrize("ranges", RANGES, ids=["a run", "scattered", "both, over partitions and topics"])
def test_the_rows_of_records_are_these_and_no_other(ranges: list[OffsetRange]) -> None:
    table = pa.table(dict(zip(("topic", "log_partition", "log_offset"), zip(*ROWS, strict=True), strict=True)))
    expected = [
        row for row in ROWS if any(row[:2] == (r.topic, r.partition) and r.start <= row[2] < r.stop for r in ranges)
    ]
    by_arrow = [tuple(row.values()) for row in table.filter(rows_of_records(ranges)).to_pylist()]
    assert by_arrow == expected


def test_touching_ranges_become_one() -> None:
    got = merged(
        [OffsetRange("a", 0, 5, 7), OffsetRange("a", 0, 0, 5), OffsetRange("a", 0, 9, 10), OffsetRange("a", 1, 10, 12)]
    )
    assert list(map(str, got)) == ["a:0:0-7", "a:0:9-10", "a:1:10-12"]


@pytest.mark.parametrize("topic", ["", "a'b", "a b", "a/b", "ä"])
def test_what_is_no_topic_is_refused(topic: str) -> None:
    with pytest.raises(BadSelection):
        OffsetRange(topic, 0, 0, 1)


@pytest.mark.parametrize(("start", "stop"), [(3, 3), (4, 3), (-1, 3)])
def test_a_range_has_a_beginning_before_its_end(start: int, stop: int) -> None:
    with pytest.raises(BadSelection):
        OffsetRange("a", 0, start, stop)


def test_what_two_selections_have_in_common_is_what_a_set_of_offsets_says() -> None:
    chance = random.Random(seed := random.randrange(2**32))
    for _ in range(300):
        sides = [
            [
                OffsetRange("mails", chance.randrange(2), start, start + chance.randint(1, 6))
                for start in (chance.randrange(20) for _ in range(chance.randrange(5)))
            ]
            for _ in range(2)
        ]
        one, other = ({(each.partition, at) for each in side for at in range(each.start, each.stop)} for side in sides)
        found = intersected(*sides)
        assert {(each.partition, at) for each in found for at in range(each.start, each.stop)} == one & other, seed
        assert found == merged(found), seed


def test_rows_in_any_order_are_few_ranges() -> None:
    rows = pa.table(
        {
            "topic": ["b", "a", "a", "a", "a", "a"],
            "log_partition": pa.array([0, 1, 0, 0, 0, 0], pa.int32()),
            "log_offset": pa.array([9, 3, 7, 5, 6, 6]),
        }
    )
    assert of_rows(rows) == [OffsetRange("a", 0, 5, 8), OffsetRange("a", 1, 3, 4), OffsetRange("b", 0, 9, 10)]
    assert of_rows(rows.slice(0, 0)) == []
