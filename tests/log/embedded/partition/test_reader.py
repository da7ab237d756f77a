from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, OffsetOutOfRange, Record, ReplicaFailed, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.home import find_home
from log.embedded.partition.reader import Reader
from log.embedded.segment.names import segment_bases, segment_file

SOURCE = TopicPartition("mails", 0)
Numbered = Callable[..., list[Record]]


@pytest.fixture
def filled(open_embedded: Callable[..., EmbeddedLog], numbered: Numbered) -> EmbeddedLog:
    """A hundred records in several segments, five an append."""
    log = open_embedded(segment_bytes=20_000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 100, 5):
        log.append("mails", numbered(5, start, size=1000))
    return log


@pytest.fixture
def reader(filled: EmbeddedLog, options: LogSettings) -> Reader:
    """Knows the root alone, as Spark's workers do."""
    assert filled.topics() == ["mails"]
    return Reader(find_home(options.root))


def numbers(reader: Reader | EmbeddedLog, offset: int = 0) -> list[int]:
    found = reader.read(SOURCE, offset, 2**30)
    assert [record.offset for record in found] == [int((record.value or b"").rstrip(b".")) for record in found]
    return [record.offset for record in found]


def damage(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def test_a_read_goes_over_segments(reader: Reader) -> None:
    assert numbers(reader) == list(range(100))
    assert numbers(reader, 37) == list(range(37, 100))


def test_a_reader_writes_nothing(reader: Reader, options: LogSettings) -> None:
    def files() -> dict[Path, tuple[int, int]]:
        found = (path for folder in (options.root, *options.replicas) for path in folder.rglob("*"))
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}

    before = files()
    numbers(reader)
    reader.offset_for_time(SOURCE, 0)
    reader.describe(SOURCE)
    assert files() == before


def test_a_reader_sees_what_is_appended_later(reader: Reader, filled: EmbeddedLog, numbered: Numbered) -> None:
    assert len(numbers(reader)) == 100
    for start in range(100, 160, 5):
        filled.append("mails", numbered(5, start, size=1000))
        assert numbers(reader, 98) == list(range(98, start + 5))


@pytest.mark.parametrize("lost", [(), (1,), (1, 2), (2, 3), (1, 3)])
def test_any_in_sync_replica_can_be_read(reader: Reader, options: LogSettings, lost: tuple[int, ...]) -> None:
    for number in lost:
        shutil.rmtree(options.replicas[number - 1])
    assert numbers(reader) == list(range(100))
    assert reader.offset_for_time(SOURCE, 0) == 0


def test_without_any_replica_the_reasons_are_said(reader: Reader, options: LogSettings) -> None:
    for folder in options.replicas:
        shutil.rmtree(folder)
    with pytest.raises(ReplicaFailed, match=r"no in-sync replica can be read: .*disk-1.*disk-2.*disk-3") as caught:
        reader.read(SOURCE, 0, 1)
    assert caught.value.retriable


def test_damage_is_served_from_another_replica(reader: Reader, options: LogSettings) -> None:
    folders = [folder / "mails-0" for folder in options.replicas]
    bases = segment_bases(folders[0])
    damage(segment_file(folders[0], bases[0]), 500)
    damage(segment_file(folders[0], bases[2]), 12_000)
    damage(segment_file(folders[1], bases[2]), 3000)
    segment_file(folders[0], bases[1]).unlink()
    assert numbers(reader) == list(range(100))


def test_a_leader_without_its_oldest_segments_is_not_believed(options: LogSettings, filled: EmbeddedLog) -> None:
    first = filled.read(SOURCE, 0, 1)[0]
    segment_file(options.replicas[0] / "mails-0", 0).unlink()
    reader = Reader(find_home(options.root))
    assert numbers(reader) == list(range(100))
    assert reader.span(SOURCE) == range(100)
    assert reader.describe(SOURCE).start == 0
    assert reader.offset_for_time(SOURCE, first.timestamp_ms) == 0


def test_oldest_segments_removed_under_a_reader_are_served_from_another_replica(
    reader: Reader, options: LogSettings
) -> None:
    assert numbers(reader) == list(range(100))
    segment_file(options.replicas[0] / "mails-0", 0).unlink()
    assert numbers(reader) == list(range(100))


@pytest.mark.usefixtures("filled")
def test_without_its_oldest_segments_no_replica_skips_to_what_it_has(options: LogSettings) -> None:
    for folder in options.replicas:
        segment_file(folder / "mails-0", 0).unlink()
    other = Reader(find_home(options.root))
    start = other.span(SOURCE).start
    assert numbers(other, start) == list(range(start, 100))
    with pytest.raises(OffsetOutOfRange):
        other.read(SOURCE, 0, 2**30)


def test_damage_on_every_replica_is_said_and_passed_by_those_who_ask_behind_it(
    reader: Reader, options: LogSettings
) -> None:
    for folder in options.replicas:
        damage(segment_file(folder / "mails-0", 0), 6000)
    assert [record.offset for record in reader.read(SOURCE, 0, 2**30)] == [0, 1, 2, 3, 4]
    with pytest.raises(CorruptRecord, match=r"mails-0: damaged at offset 5 .*00000000000000000000\.log, position \d+"):
        reader.read(SOURCE, 5, 2**30)
    assert numbers(reader, 10) == list(range(10, 100))


def test_nothing_behind_the_high_watermark_is_read(reader: Reader, filled: EmbeddedLog, numbered: Numbered) -> None:
    filled.append("mails", numbered(5, 100, size=1000), wait="written")
    assert numbers(reader) == list(range(100))
    assert [header.base_offset for header, _ in reader.batches(SOURCE, 95, 1000)] == [95]
    assert list(reader.batches(SOURCE, 100, 1000)) == []
    assert reader.has_unflushed(SOURCE)
    described = reader.describe(SOURCE)
    assert (described.high_watermark, described.end) == (100, 105)
    filled.flush("mails")
    assert numbers(reader) == list(range(105))
    assert not reader.has_unflushed(SOURCE)


def test_a_replica_out_of_sync_is_not_read(
    reader: Reader, filled: EmbeddedLog, options: LogSettings, numbered: Numbered
) -> None:
    away = options.replicas[0].rename(options.root.parent / "away")
    filled.append("mails", numbered(5, 100, size=1000))
    away.rename(options.replicas[0])
    damage(segment_file(options.replicas[1] / "mails-0", 0), 500)
    damage(segment_file(options.replicas[2] / "mails-0", 0), 500)
    with pytest.raises(CorruptRecord):
        reader.read(SOURCE, 0, 1)


def test_an_offset_is_found_by_its_time_over_segments(reader: Reader) -> None:
    stored = reader.read(SOURCE, 0, 2**30)
    for record in stored:
        first = next(each.offset for each in stored if each.timestamp_ms == record.timestamp_ms)
        assert reader.offset_for_time(SOURCE, record.timestamp_ms) == first
    assert reader.offset_for_time(SOURCE, stored[-1].timestamp_ms + 1) is None


def test_a_description_counts_the_bytes_of_the_leader(reader: Reader, options: LogSettings) -> None:
    folder = options.replicas[0] / "mails-0"
    described = reader.describe(SOURCE)
    assert described.bytes == sum(path.stat().st_size for path in folder.glob("*.log"))
    assert described.replicas == described.isr == tuple(str(folder) for folder in options.replicas)


@pytest.mark.parametrize("byte", [0, 5, 6, 7])
def test_a_flipped_bit_in_a_base_offset_is_damage_though_no_crc_covers_it(
    open_embedded: Callable[..., EmbeddedLog],
    options: LogSettings,
    numbered: Callable[..., list[Record]],
    byte: int,
) -> None:
    """One copy is served from the others; with all of them damaged it is said, and never skipped."""
    embedded = open_embedded(compression="none")
    embedded.create_topic("mails", 1)
    for start in (10, 15, 20):
        embedded.append("mails", numbered(5, start))
    expected = [record.value for record in numbered(15, 10)]
    for number, replica in enumerate(options.replicas):
        path = replica / "mails-0" / f"{0:020d}.log"
        data = bytearray(path.read_bytes())
        data[len(data) // 3 + byte] ^= 4
        path.write_bytes(data)
        if number < 2:
            assert [record.value for record in embedded.read(SOURCE, 0, 2**20)] == expected
    read = embedded.read(SOURCE, 0, 2**20)
    assert [record.value for record in read] == expected[:5]
    with pytest.raises(CorruptRecord, match="damaged at offset 5"):
        embedded.read(SOURCE, 5, 2**20)
