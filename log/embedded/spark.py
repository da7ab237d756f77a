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

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from log.embedded.home import find_home
from log.embedded.partition.reader import Reader
from log.embedded.partition.splits import split
from log.embedded.segment.columns import Columns
from log.embedded.topics import load_topic
from log.errors import LogUnusable, OffsetOutOfRange
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

EARLIEST, LATEST = -2, -1
MAX_BYTES_PER_PARTITION = 32 * 2**20
ARROW_BATCH_BYTES = 8 * 2**20  # what a worker holds at once, beside one batch of the log

SCHEMA = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"
HEADERS = "headers array<struct<key: string, value: binary>>"


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
        columns = Columns(partition.source, range(partition.start, partition.stop), headers=self._headers)
        for header, batch in _open(self._path).batches(partition.source, partition.start, partition.stop):
            columns.add(header, batch)
            if columns.size_bytes >= ARROW_BATCH_BYTES:
                yield columns.take()
        if columns.size_bytes:
            yield columns.take()


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
    return [TopicPartition(topic, number) for topic in topics for number in range(load_topic(home, topic).partitions)]


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
