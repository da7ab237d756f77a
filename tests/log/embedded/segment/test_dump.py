from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.segment.dump import dump

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def segment(embedded: EmbeddedLog, numbered: Callable[..., list[Record]], options: LogSettings) -> Path:
    """Three batches of two records."""
    for start in (0, 2, 4):
        embedded.append("mails", numbered(2, start))
    return options.replicas[0] / "mails-0" / f"{0:020d}.log"


def test_each_batch_is_followed_by_its_records(segment: Path) -> None:
    rows = list(dump(segment))
    assert [row["kind"] for row in rows] == ["batch", "record", "record"] * 3
    batches = [row for row in rows if row["kind"] == "batch"]
    assert [(row["base_offset"], row["last_offset"], row["records"]) for row in batches] == [
        (0, 1, 2),
        (2, 3, 2),
        (4, 5, 2),
    ]
    assert {(row["compression"], row["epoch"], row["intact"]) for row in batches} == {("zstd", 0, True)}
    assert [row["position"] for row in batches][1:] == [batches[0]["size"], batches[0]["size"] + batches[1]["size"]]
    assert [(row["topic"], row["partition"], row["offset"]) for row in rows if row["kind"] == "record"] == [
        ("mails", 0, offset) for offset in range(6)
    ]


def test_a_damaged_batch_is_shown_without_records(segment: Path) -> None:
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    rows = list(dump(segment))
    assert [row["kind"] for row in rows] == ["batch", "record", "record", "batch", "batch", "record", "record"]
    assert [row["intact"] for row in rows if row["kind"] == "batch"] == [True, False, True]


def test_where_no_batch_can_begin_the_rest_is_damage(segment: Path) -> None:
    whole = segment.stat().st_size
    segment.write_bytes(segment.read_bytes() + b"torn")
    assert list(dump(segment))[-1] == {"kind": "damage", "position": whole, "bytes": 4}


def test_it_needs_no_lock(segment: Path, embedded: EmbeddedLog) -> None:
    with embedded.exclusive(SOURCE):
        assert len(list(dump(segment))) == 9


def test_a_damaged_time_is_shown_as_none(segment: Path) -> None:
    with segment.open("r+b") as file:
        file.seek(35)  # the largest timestamp of the first batch
        file.write(b"\x7f")
    first = next(dump(segment))
    assert (first["timestamp"], first["intact"]) == (None, False)
