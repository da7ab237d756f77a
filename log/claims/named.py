"""The claims that a log's records name."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from log.claims.claim import Claim, claim_of
from log.reading import records_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from log.interface import CommitLog
    from log.types import TopicPartition

logger = logging.getLogger(__name__)

READ_BYTES = 8 << 20


def claims_in(log: CommitLog, progress: Callable[[], None] = lambda: None) -> Iterator[Claim]:
    """The claims of every kept record of every topic, one that two records name twice. Raises LogError.

    `progress` is called before each record.
    """
    for topic in log.topics():
        for source in sources_of(log, topic):
            for claim, _ in claims_at(log, source, None, progress):
                yield claim


def claims_at(
    log: CommitLog, source: TopicPartition, start: int | None = None, progress: Callable[[], None] = lambda: None
) -> Iterator[tuple[Claim, int]]:
    """Those of a partition from an offset, or from the oldest record kept, on, and where they are named. As above."""
    for record in records_of(log, source, start, max_bytes=READ_BYTES):
        progress()
        try:
            claim = claim_of(record)
        except ValueError as error:
            about = {"topic": source.topic, "partition": source.partition, "offset": record.offset}
            logger.warning("%s, offset %d: %s", source, record.offset, error, extra=about)
        else:
            if claim is not None:
                yield claim, record.offset
