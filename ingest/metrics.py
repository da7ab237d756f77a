"""What became of mails, counted by source: a folder that the settings name, `lmtp`, `import`, and so by few names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Histogram

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAILS = Counter(
    "otclog_ingest_mails_total",
    "Mails that were taken (published, known already, dropped by a rule), or could not be (failed).",
    ["source", "outcome"],
)
_BYTES = Counter("otclog_ingest_published_bytes_total", "Bytes of the mails that were published.", ["source"])
_SECONDS = Histogram(
    "otclog_ingest_batch_seconds",
    "Seconds that a batch of mails took, from its first mail until all are settled.",
    ["source"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
)


def count_mails(source: str, outcomes: Mapping[str, int], published_bytes: int, seconds: float | None) -> None:
    """Count a batch of a source: its mails by what became of them; how long it took, where any was taken."""
    for outcome, number in outcomes.items():
        _MAILS.labels(source, outcome).inc(number)
    _BYTES.labels(source).inc(published_bytes)
    if seconds is not None:
        _SECONDS.labels(source).observe(seconds)
