"""What became of mails, counted by the way they came: a folder, `lmtp`, `import`. Never by a name that a mail says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Histogram

if TYPE_CHECKING:
    from ingest.folders.serving import Batch

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


def count_batch(batch: Batch) -> None:
    """Count it."""
    for outcome in ("published", "known", "dropped", "failed"):
        _MAILS.labels(batch.source, outcome).inc(getattr(batch, outcome))
    _BYTES.labels(batch.source).inc(batch.bytes)
    if batch.mails:
        _SECONDS.labels(batch.source).observe(batch.seconds)
