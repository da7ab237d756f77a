from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from conf.settings import LogSettings
from log import LogUnusable, OffsetOutOfRange, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.spark import ARROW_BATCH_BYTES, OffsetRange, OtclogReader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture
def filled(open_embedded: Callable[..., EmbeddedLog]) -> EmbeddedLog:
    """Two hundred records of three partitions, in several segments."""
    log = open_embedded(segment_bytes=20_000, compression="none")
    log.create_topic("mails", 3)
    records = [
        Record(b"%d" % (number % 17), b"%d" % number + b"." * 500, (("number", b"%d" % number), ("number", b"")))
        for number in range(200)
    ]
    for start in range(0, 200, 20):
        log.append("mails", records[start : start + 20])
    return log


@pytest.fixture
def reader(filled: EmbeddedLog, options: LogSettings) -> Callable[..., OtclogReader]:
    """The reader that Spark would plan with."""
    assert filled.topics() == ["mails"]

    def make(**given: Any) -> OtclogReader:
        return OtclogReader({"path": str(options.root), "subscribe": "mails", **given})

    return make


@pytest.fixture
def load(spark: SparkSession, filled: EmbeddedLog, options: LogSettings) -> Callable[..., DataFrame]:
    """The log as a table, by the source that the session has: one registered anew would read with workers that parse."""
    assert filled.topics() == ["mails"]

    def make(**given: Any) -> DataFrame:
        return spark.read.format("otclog").options(path=str(options.root), subscribe="mails", **given).load()

    return make


def ranges(reader: OtclogReader) -> list[tuple[int, int, int]]:
    return [(each.source.partition, each.start, each.stop) for each in reader.partitions()]


def spans(log: EmbeddedLog) -> list[tuple[int, int, int]]:
    return [(number, 0, log.span(TopicPartition("mails", number)).stop) for number in range(3)]


@pytest.mark.slow
def test_the_schema_is_that_of_sparks_kafka_source(load: Callable[..., DataFrame]) -> None:
    assert load().schema.simpleString() == (
        "struct<key:binary,value:binary,topic:string,partition:int,offset:bigint,timestamp:timestamp,timestampType:int>"
    )
    assert load(includeHeaders="true").schema["headers"].dataType.simpleString() == (
        "array<struct<key:string,value:binary>>"
    )


@pytest.mark.slow
def test_every_record_is_a_row(load: Callable[..., DataFrame], filled: EmbeddedLog) -> None:
    rows = {(row.partition, row.offset): row for row in load(includeHeaders="true").collect()}
    stored = [record for number in range(3) for record in filled.read(TopicPartition("mails", number), 0, 2**30)]
    assert len(rows) == len(stored) == 200
    for record in stored:
        row = rows[record.source.partition, record.offset]
        assert (bytes(row.key), bytes(row.value), row.topic) == (record.key, record.value, "mails")
        assert round(row.timestamp.timestamp() * 1000) == record.timestamp_ms
        assert row.timestampType == 1
        assert [(header.key, bytes(header.value)) for header in row.headers] == list(record.headers)


def test_the_offsets_asked_for_are_read(load: Callable[..., DataFrame], filled: EmbeddedLog) -> None:
    starts, stops = json.dumps({"mails": {"0": 3, "1": -2, "2": -1}}), json.dumps({"mails": {"0": 7, "1": 1, "2": -1}})
    rows = load(startingOffsets=starts, endingOffsets=stops).select("partition", "offset").collect()
    assert sorted((row.partition, row.offset) for row in rows) == [(0, 3), (0, 4), (0, 5), (0, 6), (1, 0)]
    assert load(startingOffsets="latest").count() == 0
    assert filled.span(TopicPartition("mails", 2)).stop > 1


def test_large_ranges_are_cut(load: Callable[..., DataFrame], reader: Callable[..., OtclogReader]) -> None:
    cut = ranges(reader(maxBytesPerPartition="5000"))
    assert len(cut) > 10
    for number in range(3):
        pieces = [(start, stop) for partition, start, stop in cut if partition == number]
        assert [start for start, _ in pieces[1:]] == [stop for _, stop in pieces[:-1]]
    rows = load(maxBytesPerPartition="5000").select("partition", "offset").collect()
    assert len({(row.partition, row.offset) for row in rows}) == len(rows) == 200


def test_without_limits_a_partition_is_one_piece(reader: Callable[..., OtclogReader], filled: EmbeddedLog) -> None:
    assert ranges(reader()) == spans(filled)


def test_options_count_whatever_their_case(reader: Callable[..., OtclogReader], filled: EmbeddedLog) -> None:
    assert ranges(reader(startingoffsets="latest")) == []
    assert ranges(reader(ENDINGOFFSETS="latest")) == spans(filled)


def test_partitions_can_be_assigned(options: LogSettings, filled: EmbeddedLog) -> None:
    reader = OtclogReader({"path": str(options.root), "assign": '{"mails": [2, 0]}'})
    assert ranges(reader) == [spans(filled)[2], spans(filled)[0]]


def test_arrow_batches_are_bounded(filled: EmbeddedLog, options: LogSettings) -> None:
    value = b"x" * (ARROW_BATCH_BYTES // 4)
    filled.create_topic("large", 1)
    for _ in range(9):
        filled.append("large", [Record(b"key", value)])
    reader = OtclogReader({"path": str(options.root), "subscribe": "large"})
    batches = list(reader.read(OffsetRange(TopicPartition("large", 0), 0, 9)))
    assert [batch.num_rows for batch in batches] == [4, 4, 1]
    assert [offset for batch in batches for offset in batch.column("offset").to_pylist()] == list(range(9))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"assign": '{"mails": [0]}'}, 'one of the options "subscribe" and "assign"'),
        ({"startingOffsets": "soon"}, "option startingOffsets"),
        ({"startingOffsets": "[]"}, "not a JSON object"),
        ({"startingOffsets": '{"mails": {"0": 1}}'}, "missing: mails-1, mails-2; not read: none"),
        ({"endingOffsets": '{"mails": {"0": 1, "1": 1, "2": 1, "3": 1}}'}, "missing: none; not read: mails-3"),
    ],
)
def test_options_that_cannot_be_are_refused(
    reader: Callable[..., OtclogReader], given: dict[str, str], reason: str
) -> None:
    with pytest.raises(LogUnusable, match=reason):
        reader(**given).partitions()


def test_a_log_must_be_named() -> None:
    with pytest.raises(LogUnusable, match='needs the option "path"'):
        OtclogReader({"subscribe": "mails"})


def test_offsets_outside_the_span_are_refused(reader: Callable[..., OtclogReader]) -> None:
    with pytest.raises(OffsetOutOfRange, match="mails-0: offset 1000"):
        reader(endingOffsets='{"mails": {"0": 1000, "1": 1, "2": 1}}').partitions()
