"""What the log's records say of the mails that they hold."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from log.claims.claim import claim_of
from log.errors import CorruptRecord, OffsetOutOfRange, UnknownTopic
from log.reading import record_at
from log.types import Position, Record, StoredRecord, TopicPartition

if TYPE_CHECKING:
    from log.interface import CommitLog

UNKNOWN = b""  # digest at an offset of which the log has no record: compacted away, or whole on no replica


def digest_of(record: StoredRecord) -> bytes:
    """The SHA-256 of the raw mail: of its claim where the record's value is one, else of the value.

    What the header `sha256` says is not asked: a topic may have other writers, and a file is deleted on this word.
    """
    with suppress(ValueError):
        if claim := claim_of(record):
            return bytes.fromhex(claim.sha256)
    return hashlib.sha256(record.value or b"").digest()


def origin_of(record: Record | StoredRecord) -> int:
    """A number that tells a mail's way in from another: of the headers `source`, `file` and `file-time`."""
    headers = dict(record.headers)
    way = b"\0".join(headers.get(name, b"") for name in ("source", "file", "file-time"))
    return int.from_bytes(hashlib.blake2b(way, digest_size=8).digest(), signed=True)


def mail_at(log: CommitLog, at: Position) -> bytes | None:
    """The digest of the mail that the log has there; None if it keeps none there. Raises LogError."""
    try:
        record = record_at(log, TopicPartition(at.topic, at.partition), at.offset)
    except (UnknownTopic, OffsetOutOfRange):
        return None
    return digest_of(record) if record else None


def known_at(log: CommitLog, at: Position) -> bytes:
    """The digest of the mail that the log has there; UNKNOWN if it has none, or no replica has it whole."""
    try:
        return mail_at(log, at) or UNKNOWN
    except CorruptRecord:
        return UNKNOWN
