"""Durable appends, flushes and tending, as a process does them: how many, how long they take, and which fail.

A forked child may find a lock of prometheus-client's held by a thread that did not come along, so it counts anew, for
nobody: what a process counts is written by that process alone.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import REGISTRY, Counter, Histogram

from log.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prometheus_client import CollectorRegistry

    from log.types import Record, Tended

_EDGES_S = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class _Metrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        """`registry`: where somebody may read them."""
        self.seconds = Histogram(
            "otclog_log_append_seconds",
            "Seconds that an append took, until it was durable.",
            ["topic"],
            buckets=_EDGES_S,
            registry=registry,
        )
        self.records = Counter(
            "otclog_log_appended_records_total", "Records that were appended, durably.", ["topic"], registry=registry
        )
        self.bytes = Counter(
            "otclog_log_appended_bytes_total", "Bytes of their keys and values.", ["topic"], registry=registry
        )
        self.failures = Counter(
            "otclog_log_append_failures_total", "Appends that failed.", ["topic", "error"], registry=registry
        )
        self.fsync_seconds = Histogram(
            "otclog_log_fsync_seconds",
            "Seconds that a flush of an append's file to its disk took.",
            ["replica"],
            buckets=_EDGES_S,
            registry=registry,
        )
        self.tended = Counter(
            "otclog_log_tended_total",
            "What tending did (ok), did and is to be looked at (look), or could not do (failed).",
            ["action", "outcome"],
            registry=registry,
        )


_metrics = _Metrics(REGISTRY)


@contextmanager
def appending(topic: str, records: Sequence[Record]) -> Iterator[None]:
    """An append of these is under way, and durable when the block ends. Raises what it raises."""
    begun = time.perf_counter()
    try:
        yield
    except LogError as error:
        _metrics.failures.labels(topic, type(error).__name__).inc()
        raise
    _metrics.seconds.labels(topic).observe(time.perf_counter() - begun)
    _metrics.records.labels(topic).inc(len(records))
    _metrics.bytes.labels(topic).inc(sum(len(each.key or b"") + len(each.value or b"") for each in records))


def count_fsync(replica: int, seconds: float) -> None:
    """Count a flush of this replica's, which took so long."""
    _metrics.fsync_seconds.labels(str(replica)).observe(seconds)


def count_tended(done: Sequence[Tended]) -> None:
    """Count what a round of tending did."""
    for each in done:
        _metrics.tended.labels(each.action, "failed" if not each.ok else "look" if each.look else "ok").inc()


def _begin_in_child() -> None:
    global _metrics  # noqa: PLW0603 -- see above
    _metrics = _Metrics(None)


os.register_at_fork(after_in_child=_begin_in_child)
