"""A mail on its way into the log, whatever its source, and the record it becomes.

A record's headers (names and forms are a contract):

    sha256       hex digest of the raw mail: the identity of a mail
    message-id   the Message-ID header as written, absent when the mail has none
    source       where it came from: `maildir:<path>`, `drop:<path>`, …
    file         what the source calls it: a file's name, a session's id
    route        the rule that chose its topic; `default` where none did
    file-time    when it was written or came in, RFC 3339 in UTC
    schema       version of this list
    claim        there when the value is a claim, see log.claims
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ingest.headers import HEAD_BYTES, field, message_id, sender
from log.claims import CLAIM_HEADER, Claim
from log.claims.claim import CLAIM_VERSION
from log.types import Position, Record

SCHEMA = b"1"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail. A large one is not held in memory but read where it lies, chunk by chunk."""

    source: str
    name: str  # what the source calls it
    sha256: str  # hex
    size: int  # bytes
    time_ns: int  # when it was written or came in, nanoseconds since the epoch, UTC
    head: bytes  # its first HEAD_BYTES
    chunks: Callable[[], Iterator[bytes]]  # all its bytes, again at each call
    raw: bytes | None  # all its bytes, where they are held

    @classmethod
    def of(cls, raw: bytes, source: str, name: str, time_ns: int) -> Mail:
        """A mail that is held in memory."""
        digest = hashlib.sha256(raw).hexdigest()
        return cls(source, name, digest, len(raw), time_ns, raw[:HEAD_BYTES], lambda: iter((raw,)), raw)

    def about(self, position: Position | None = None) -> dict[str, str | int]:
        """What a message about it says of it: its fields in `conf.formats`."""
        said: dict[str, str | int] = {"source": self.source, "file": self.name, "sha256": self.sha256}
        said["message_id"] = message_id(self.head) or f"sha256:{self.sha256}"  # as in the tables
        if position is not None:
            said["topic"], said["partition"], said["offset"] = position
        return said

    @property
    def claim(self) -> Claim:
        """What stands for it in the log if it is large."""
        return Claim(self.sha256, self.size)

    def record(self, route: str, inline_max_bytes: int) -> Record:
        """The record of this mail; of a larger one than that, with its claim.

        Key: the sender's address, so that a dealer's mails stay in order; without one the SHA-256.
        """
        headers = [
            ("sha256", self.sha256.encode()),
            ("source", os.fsencode(self.source)),
            ("file", os.fsencode(self.name)),
            ("route", route.encode()),
            ("file-time", rfc3339(self.time_ns)),
            ("schema", SCHEMA),
        ]
        if written := field(self.head, "message-id"):
            headers.insert(1, ("message-id", written))
        value = self.raw
        if value is None or self.size > inline_max_bytes:
            headers.append((CLAIM_HEADER, CLAIM_VERSION))
            value = self.claim.to_bytes()
        return Record(self.key, value, tuple(headers))

    @property
    def key(self) -> bytes:
        """The key of its record: the sender, or the digest where none is named."""
        return sender(self.head) or self.sha256.encode()


def rfc3339(time_ns: int) -> bytes:
    """UTC, with microseconds; a file may have a time beyond the calendar's end, which is then what it gets."""
    try:
        moment = _EPOCH + timedelta(microseconds=time_ns // 1000)
    except OverflowError:
        moment = _LAST if time_ns > 0 else _FIRST
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z").encode()
