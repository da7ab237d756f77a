"""The planned records, read from the log through Spark."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import reduce
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from log.claims import CLAIM_HEADER
from log.kafka.spark import java_properties, spark_options
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import WHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrameReader, SparkSession

    from conf.settings import LogSettings

MAX_READS = 16  # a read takes one range a partition; each costs some tenths of a second to plan
MAILS_A_TASK = 250  # of Kafka, which does not tell bytes: about as many
BYTES_A_TASK = 2**20  # of the log, compressed: some hundred mails, so that all cores end together


def records(spark: SparkSession, log: LogSettings, ranges: Sequence[OffsetRange]) -> DataFrame:
    """One row a record: topic, log_partition, log_offset, received_ts, value (the raw mail, or its claim), is_claim."""
    partitions: dict[tuple[str, int], list[OffsetRange]] = defaultdict(list)
    for each in sorted(ranges):
        partitions[each.topic, each.partition].append(each)
    spans = [_spans(each) for each in partitions.values()]
    reads = [_read(spark, log, [span for span in layer if span]) for layer in zip_longest(*spans)]
    rows = reduce(DataFrame.unionByName, reads).select(
        "topic",
        sf.col("partition").alias("log_partition"),
        sf.col("offset").alias("log_offset"),
        sf.col("timestamp").alias("received_ts"),
        "value",
        sf.exists("headers", lambda header: header["key"] == CLAIM_HEADER).alias("is_claim"),
    )
    read_more = sum(len(span) for each in spans for span in each) > sum(map(len, ranges))
    return rows.join(sf.broadcast(_records_of(spark, ranges)), list(WHERE), "left_semi") if read_more else rows


def _records_of(spark: SparkSession, ranges: Sequence[OffsetRange]) -> DataFrame:
    """A row a record. Spark takes minutes for a condition of several thousand ranges."""
    counts = [len(each) for each in ranges]
    columns = [
        pa.array(np.repeat([each.topic for each in ranges], counts)),
        pa.array(np.repeat(np.array([each.partition for each in ranges], np.int32), counts)),
        pa.array(np.concatenate([np.arange(each.start, each.stop) for each in ranges])),
    ]
    return spark.createDataFrame(pa.table(columns, list(WHERE)))


def _spans(ranges: list[OffsetRange]) -> list[OffsetRange]:
    """At most MAX_READS ranges that cover these of one partition: the widest gaps between them stay unread."""
    widest = sorted(range(1, len(ranges)), key=lambda i: ranges[i - 1].stop - ranges[i].start)[: MAX_READS - 1]
    cuts = [0, *sorted(widest), len(ranges)]
    return [
        OffsetRange(ranges[first].topic, ranges[first].partition, ranges[first].start, ranges[end - 1].stop)
        for first, end in pairwise(cuts)
    ]


def _read(spark: SparkSession, log: LogSettings, spans: Sequence[OffsetRange]) -> DataFrame:
    starts: dict[str, dict[str, int]] = defaultdict(dict)
    stops: dict[str, dict[str, int]] = defaultdict(dict)
    for span in spans:
        starts[span.topic][str(span.partition)] = span.start
        stops[span.topic][str(span.partition)] = span.stop
    assigned = {topic: [int(partition) for partition in offsets] for topic, offsets in starts.items()}
    reader = _on_kafka(spark, log, spans) if log.backend == "kafka" else _embedded(spark, log)
    reader = reader.option("assign", json.dumps(assigned))
    return reader.option("startingOffsets", json.dumps(starts)).option("endingOffsets", json.dumps(stops)).load()


def _embedded(spark: SparkSession, log: LogSettings) -> DataFrameReader:
    reader = spark.read.format("otclog").option("path", str(log.root))
    return reader.option("maxBytesPerPartition", BYTES_A_TASK).option("includeHeaders", "true")


def _on_kafka(spark: SparkSession, log: LogSettings, spans: Sequence[OffsetRange]) -> DataFrameReader:
    """Spark's own source. It splits by records, and a partition with many into more pieces than one with few."""
    for name, value in java_properties(log.kafka).items():
        jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 -- there is no other way, and its master is local
        jvm.java.lang.System.setProperty(name, value)
    pieces = sum(max(1, -(-len(span) // MAILS_A_TASK)) for span in spans)
    return spark.read.format("kafka").options(**spark_options(log.kafka)).option("minPartitions", pieces)
