"""`spark.read.format("otclog")`: the log as a Spark table, by PySpark's Python Data Source.

    register(spark)
    spark.read.format("otclog").option("path", "log").option("subscribe", "mails").load()

Rows and option names are those of Spark's Kafka source, so that the jobs read either:

    key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int
    headers array<struct<key: string, value: binary>>     with includeHeaders = true

    path                  root of the log
    subscribe             topics, with commas between          one of these two
    assign                {"mails": [0, 1]}
    startingOffsets       earliest (default), or {"mails": {"0": 12, "1": -2}}: -2 is earliest, -1 latest
    endingOffsets         latest (default), or the same; the offset itself is not read
    includeHeaders        false
    maxBytesPerPartition  33554432: larger ranges become several input partitions; bytes on disk

The timestamp is the append time, so timestampType is always 1 (LogAppendTime).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from aiokafka.record.default_records import DefaultRecordBatch
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from log.embedded.home import find_home
from log.embedded.reader import Reader
from log.embedded.splits import split
from log.embedded.topics import load_topic
from log.errors import LogUnusable, OffsetOutOfRange
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

EARLIEST, LATEST = -2, -1
MAX_BYTES_PER_PARTITION = 32 * 2**20
ARROW_BATCH_BYTES = 8 * 2**20  # what a worker holds at once, beside one batch of the log
LOG_APPEND_TIME = 1

SCHEMA = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"
HEADERS = "headers array<struct<key: string, value: binary>>"

ARROW_FIELDS = [
    pa.field("key", pa.binary()),
    pa.field("value", pa.binary()),
    pa.field("topic", pa.string()),
    pa.field("partition", pa.int32()),
    pa.field("offset", pa.int64()),
    pa.field("timestamp", pa.timestamp("us", tz="UTC")),
    pa.field("timestampType", pa.int32()),
]
ARROW_HEADERS = pa.field("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())])))


def register(spark: SparkSession) -> None:
    """Make the format known to a session."""
    spark.dataSource.register(OtclogSource)


@dataclass(frozen=True)
class OffsetRange(InputPartition):
    """What one task reads: `start <= offset < stop`."""

    source: TopicPartition
    start: int
    stop: int


class OtclogSource(DataSource):
    """See the module."""

    @classmethod
    def name(cls) -> str:
        """What `format` is given."""
        return "otclog"

    def schema(self) -> str:
        """The row, as DDL."""
        return f"{SCHEMA}, {HEADERS}" if _wants_headers(self.options) else SCHEMA

    def reader(self, schema: StructType) -> OtclogReader:  # noqa: ARG002  the schema is ours
        """The batch reader."""
        return OtclogReader(self.options)


class OtclogReader(DataSourceReader):
    """Plans on the driver's side, reads in the workers; each opens the log's folders by itself."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = dict(options)
        self._path = _option(options, "path", "")
        if not self._path:
            raise LogUnusable('format("otclog") needs the option "path": the root of the log')
        self._headers = _wants_headers(options)

    def partitions(self) -> list[OffsetRange]:
        """The ranges asked for, in pieces of bounded size. Raises OffsetOutOfRange, UnknownTopic, LogUnusable."""
        reader = _open(self._path)
        sources = _sources(self._options, self._path)
        starts = _offsets(self._options, "startingOffsets", "earliest", sources)
        stops = _offsets(self._options, "endingOffsets", "latest", sources)
        max_bytes = int(_option(self._options, "maxBytesPerPartition", str(MAX_BYTES_PER_PARTITION)))
        pieces = []
        for source in sources:
            span = reader.span(source)
            start, stop = (_resolved(offset, source, span) for offset in (starts[source], stops[source]))
            if start < stop:
                pieces += [
                    OffsetRange(source, piece.start, piece.stop)
                    for piece in split(reader, source, range(start, stop), max_bytes)
                ]
        return pieces

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """One range, as Arrow batches of bounded size."""
        if not isinstance(partition, OffsetRange):
            return  # what Spark asks for when `partitions` gave none
        columns = _Columns(partition, headers=self._headers)
        for _, batch in _open(self._path).batches(partition.source, partition.start, partition.stop):
            for record in DefaultRecordBatch(batch):
                if partition.start <= record.offset < partition.stop:
                    columns.add(record)
                    if columns.bytes >= ARROW_BATCH_BYTES:
                        yield columns.take()
        if columns.offsets:
            yield columns.take()


class _Columns:
    """Rows on their way to Arrow."""

    def __init__(self, part: OffsetRange, *, headers: bool) -> None:
        self._source, self._with_headers = part.source, headers
        self._fields = [*ARROW_FIELDS, ARROW_HEADERS] if headers else ARROW_FIELDS
        self._clear()

    def _clear(self) -> None:
        self.bytes = 0
        self.offsets: list[int] = []
        self._keys: list[bytes | None] = []
        self._values: list[bytes | None] = []
        self._times_us: list[int] = []
        self._headers: list[list[tuple[str, bytes | None]]] = []

    def add(self, record: Any) -> None:
        """Take a record of the codec's."""
        self._keys.append(record.key)
        self._values.append(record.value)
        self.offsets.append(record.offset)
        self._times_us.append(record.timestamp * 1000)
        if self._with_headers:
            self._headers.append(record.headers)
        self.bytes += len(record.value or b"")

    def take(self) -> pa.RecordBatch:
        """The rows taken so far; none are left."""
        rows = len(self.offsets)
        columns = [
            self._keys,
            self._values,
            pa.repeat(self._source.topic, rows),
            pa.repeat(pa.scalar(self._source.partition, pa.int32()), rows),
            self.offsets,
            self._times_us,
            pa.repeat(pa.scalar(LOG_APPEND_TIME, pa.int32()), rows),
        ]
        if self._with_headers:
            columns.append([[{"key": key, "value": value} for key, value in headers] for headers in self._headers])
        arrays = [pa.array(column, field.type) for column, field in zip(columns, self._fields, strict=True)]
        self._clear()
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(self._fields))


def _open(path: str) -> Reader:
    return Reader(find_home(Path(path)))


def _option(options: Mapping[str, str], name: str, default: str) -> str:
    """Spark keeps the names of options as they were given; they count whatever their case."""
    return next((value for given, value in options.items() if given.lower() == name.lower()), default)


def _wants_headers(options: Mapping[str, str]) -> bool:
    return _option(options, "includeHeaders", "false").lower() == "true"


def _sources(options: Mapping[str, str], path: str) -> list[TopicPartition]:
    """The partitions asked for. Raises LogUnusable, UnknownTopic."""
    subscribe, assign = _option(options, "subscribe", ""), _option(options, "assign", "")
    if bool(subscribe) == bool(assign):
        raise LogUnusable('format("otclog") needs one of the options "subscribe" and "assign"')
    home = find_home(Path(path))
    if assign:
        named = _json_object(assign, "assign")
        return [TopicPartition(topic, int(number)) for topic, numbers in named.items() for number in numbers]
    topics = [topic.strip() for topic in subscribe.split(",")]
    return [TopicPartition(topic, number) for topic in topics for number in range(load_topic(home, topic)[0])]


def _offsets(
    options: Mapping[str, str], name: str, default: str, sources: list[TopicPartition]
) -> dict[TopicPartition, int]:
    """An offset, EARLIEST or LATEST for every partition; as in Kafka's source, JSON must name each of them."""
    text = _option(options, name, default)
    if text in {"earliest", "latest"}:
        return dict.fromkeys(sources, EARLIEST if text == "earliest" else LATEST)
    named = _json_object(text, name)
    offsets = {TopicPartition(topic, int(key)): int(at) for topic, each in named.items() for key, at in each.items()}
    if set(offsets) != set(sources):
        missing, unasked = sorted(set(sources) - set(offsets)), sorted(set(offsets) - set(sources))
        raise LogUnusable(
            f"{name} must name each partition that is read, and no other; missing: {_listed(missing)}; "
            f"not read: {_listed(unasked)}"
        )
    return offsets


def _resolved(offset: int, source: TopicPartition, span: range) -> int:
    if offset in {EARLIEST, LATEST}:
        return span.start if offset == EARLIEST else span.stop
    if not span.start <= offset <= span.stop:
        raise OffsetOutOfRange(source, offset, span)
    return offset


def _json_object(text: str, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise LogUnusable(f"option {name}: {error}: {text!r}") from error
    if not isinstance(value, dict):
        raise LogUnusable(f"option {name}: not a JSON object: {text!r}")
    return value


def _listed(sources: list[TopicPartition]) -> str:
    return ", ".join(map(str, sources)) or "none"
