"""The planned records, read from the log by this process: of a run that is too small for Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from log.claims import CLAIM_HEADER
from log.errors import OffsetOutOfRange
from log.times import utc
from log.types import TopicPartition
from pipelines.jobs.staged import ARROW, RECORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from log.interface import CommitLog
    from log.types import StoredRecord
    from pipelines.tables.ranges import OffsetRange

BATCH_BYTES = 8 << 20  # of mails that are held at once, or one mail

SCHEMA = pa.schema([*(ARROW.field(name) for name in RECORD.names), ("value", pa.binary()), ("is_claim", pa.bool_())])


def batches(log: CommitLog, ranges: Iterable[OffsetRange]) -> Iterator[pa.RecordBatch]:
    """Rows as Spark reads them: columns of RECORD, `value` (the raw mail, or its claim), `is_claim`.

    Raises OffsetOutOfRange where a range reaches further than the log does, and as `CommitLog.read`.
    """
    for each in ranges:
        source, offset = TopicPartition(each.topic, each.partition), each.start
        while offset < each.stop:
            records = log.read(source, offset, BATCH_BYTES)
            if not records:
                raise OffsetOutOfRange(source, offset, log.span(source))
            if rows := [_row(record) for record in records if record.offset < each.stop]:
                yield pa.RecordBatch.from_pylist(rows, SCHEMA)
            offset = records.next_offset


def _row(record: StoredRecord) -> dict[str, object]:
    return {
        "topic": record.source.topic,
        "log_partition": record.source.partition,
        "log_offset": record.offset,
        "received_ts": utc(record.timestamp_ms),
        "value": record.value,
        "is_claim": any(name == CLAIM_HEADER for name, _ in record.headers),
    }
