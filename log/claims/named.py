"""The claims that a log's records name."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from log.claims.claim import Claim, claim_of
from log.errors import OffsetOutOfRange
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from log.interface import CommitLog
    from log.types import StoredRecord

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20


def claims_in(log: CommitLog) -> Iterator[Claim]:
    """Those of every kept record of every topic, one that two records name twice. Raises LogError."""
    for topic in log.topics():
        for partition in range(len(log.describe(topic))):
            source = TopicPartition(topic, partition)
            offset = log.span(source).start
            while records := _read(log, source, offset):
                for record in records:
                    try:
                        claim = claim_of(record)
                    except ValueError as error:
                        logger.warning("%s, offset %d: %s", source, record.offset, error)
                    else:
                        if claim is not None:
                            yield claim
                offset = records[-1].offset + 1


def _read(log: CommitLog, source: TopicPartition, offset: int) -> Sequence[StoredRecord]:
    try:
        return log.read(source, offset, READ_BYTES)
    except OffsetOutOfRange:  # retention went past us
        return log.read(source, log.span(source).start, READ_BYTES)
