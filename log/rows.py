"""A record as a row for people and programs: what `otclog log read` and `dump` print."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from log.claims.claim import claim_of
from log.times import rfc3339
from log.types import SHA256_HEADER

if TYPE_CHECKING:
    from log.types import StoredRecord


def record_row(record: StoredRecord) -> dict[str, Any]:
    """Topic, partition, offset, timestamp (RFC 3339), key, headers, size and SHA-256 of the value (None: tombstone).

    Of a large mail, size and SHA-256 are the mail's, as its claim says them. Keys and header values are text; a byte
    that is no UTF-8 shows as an escape.
    """
    size, sha256 = _size_and_sha256(record)
    return {
        "topic": record.source.topic,
        "partition": record.source.partition,
        "offset": record.offset,
        "timestamp": rfc3339(record.timestamp_ms),
        "key": _text(record.key),
        "headers": {name: _text(value) for name, value in record.headers},
        "size": size,
        "sha256": sha256,
    }


def _size_and_sha256(record: StoredRecord) -> tuple[int | None, str | None]:
    if record.value is None:
        return None, None
    try:
        claim = claim_of(record)
    except ValueError:  # a value as any other
        claim = None
    return (claim.size, claim.sha256) if claim else (len(record.value), hashlib.sha256(record.value).hexdigest())


def value_row(record: StoredRecord) -> dict[str, Any]:
    """The value as text, under `value`; nothing for a mail's record (its header has the SHA-256): see mails.py."""
    if any(name == SHA256_HEADER for name, _ in record.headers):
        return {}
    return {"value": _text(record.value)}


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "backslashreplace")
