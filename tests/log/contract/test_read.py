from __future__ import annotations

import pytest

from log import CommitLog, OffsetOutOfRange, Record, TopicPartition, UnknownTopic


@pytest.fixture
def filled(commit_log: CommitLog) -> CommitLog:
    """Thirty records of 100 bytes in `single`, in appends of ten."""
    for start in (0, 10, 20):
        commit_log.append("single", [Record(None, b"%02d" % (start + number) * 50) for number in range(10)])
    return commit_log


def test_a_read_starts_at_the_offset_asked_for(filled: CommitLog, single: TopicPartition) -> None:
    for offset in range(30):
        read = filled.read(single, offset, 2**20)
        assert [record.offset for record in read] == list(range(offset, 30))
        assert read[0].value == b"%02d" % offset * 50
        assert read[0].source == single


def test_a_read_ends_at_the_bytes_asked_for(filled: CommitLog, single: TopicPartition) -> None:
    assert [record.offset for record in filled.read(single, 8, 500)] == [8, 9, 10, 11, 12]


def test_a_read_has_at_least_one_record(filled: CommitLog, single: TopicPartition) -> None:
    assert [record.offset for record in filled.read(single, 3, 1)] == [3]


def test_a_read_at_the_high_watermark_is_empty(filled: CommitLog, single: TopicPartition) -> None:
    assert filled.read(single, 30, 2**20) == []


@pytest.mark.parametrize("offset", [-1, 31, 2**40])
def test_a_read_outside_the_span_is_refused(filled: CommitLog, single: TopicPartition, offset: int) -> None:
    with pytest.raises(OffsetOutOfRange, match=rf"single-0: offset {offset} is not in \[0, 30\]"):
        filled.read(single, offset, 2**20)


def test_the_span_of_an_empty_partition_is_empty(commit_log: CommitLog, single: TopicPartition) -> None:
    assert commit_log.span(single) == range(0)
    assert commit_log.read(single, 0, 1) == []


def test_timestamps_never_fall(filled: CommitLog, single: TopicPartition) -> None:
    times = [record.timestamp_ms for record in filled.read(single, 0, 2**20)]
    assert times == sorted(times)


def test_an_offset_is_found_by_its_time(filled: CommitLog, single: TopicPartition) -> None:
    stored = filled.read(single, 0, 2**20)
    for record in stored:
        first = next(other.offset for other in stored if other.timestamp_ms == record.timestamp_ms)
        assert filled.offset_for_time(single, record.timestamp_ms) == first
    assert filled.offset_for_time(single, 0) == 0
    assert filled.offset_for_time(single, stored[-1].timestamp_ms + 1) is None


def test_an_empty_partition_has_no_offset_for_any_time(commit_log: CommitLog, single: TopicPartition) -> None:
    assert commit_log.offset_for_time(single, 0) is None


def test_the_bytes_from_an_offset_on_fall_to_none_at_the_end_or_are_not_told(
    filled: CommitLog, single: TopicPartition, request: pytest.FixtureRequest
) -> None:
    """Thirty records in batches of ten: offsets of one batch weigh the same."""
    sizes = [filled.bytes_from(single, offset) for offset in (0, 9, 10, 25, 30)]
    if "kafka" in request.node.name:  # its client does not tell
        assert set(sizes) == {None}
    else:
        first, same, second, third, end = (size or 0 for size in sizes)
        assert first == same > second > third > end == 0
    with pytest.raises(UnknownTopic):
        filled.bytes_from(TopicPartition("absent", 0), 0)


def test_what_was_deleted_weighs_nothing(filled: CommitLog, single: TopicPartition) -> None:
    filled.delete_records(single, 10)
    assert filled.bytes_from(single, 0) == filled.bytes_from(single, 10)
