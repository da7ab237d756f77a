"""Batches of a test's own."""

from __future__ import annotations

from collections.abc import Sequence

from log import Record
from log.embedded.segment.codec import ANYBODY, MAX_BATCH_BYTES, Producer
from log.embedded.segment.encoding import Run


def encode(  # noqa: PLR0917  a batch has so many parts
    records: Sequence[Record],
    base_offset: int,
    timestamp_ms: int,
    epoch: int,
    compression: str,
    producer: Producer = ANYBODY,
) -> bytes:
    """One batch of all the records, each with the append time given."""
    run = Run(compression, timestamp_ms, MAX_BATCH_BYTES, producer)
    assert run.fill(records) == len(records)
    return run.build(base_offset, epoch)
