"""A mail as a file: its bytes, its identity, and the three header fields that the log needs, without parsing it.

A record's headers (names and forms are a contract):

    sha256       hex digest of the raw mail: the identity of a mail
    message-id   the Message-ID header as written, absent when the mail has none
    source       where it was found: `maildir:<path>` or `drop:<path>`
    file-time    modification time of the file, RFC 3339 in UTC
    schema       version of this list
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from log.types import Record

SCHEMA = b"1"
HEADER_BYTES = 256 * 1024  # headers are looked for in the first of these: a mail may be one endless header
FIELD_BYTES = 998  # of a field's value; RFC 5322 allows no longer line
READ_BYTES = 1 << 20

_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n|\r\r")
_FIELD = rb"(?im)^%s[ \t]*:((?:[^\r\n]|\r?\n[ \t]){0,%d})"
_FROM = re.compile(_FIELD % (b"from", FIELD_BYTES))
_MESSAGE_ID = re.compile(_FIELD % (b"message-id", FIELD_BYTES))
_ADDRESS = rb"[\w.!#$%&'*+/=?^`{|}~\x80-\xff-]{1,64}@[\w.\x80-\xff-]{1,253}"
_BRACKETED = re.compile(rb"<\s*(" + _ADDRESS + rb")\s*>")
_BARE = re.compile(_ADDRESS)


class FileIdentity(NamedTuple):
    """Enough to see that a name still stands for the bytes that were read."""

    device: int
    inode: int
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class MailFile:
    """One mail, read."""

    name: str  # within its folder
    identity: FileIdentity
    raw: bytes
    sha256: str  # hex

    def record(self, source: str) -> Record:
        """The record of this mail. Key: the sender's address, so that a dealer's mails stay in order."""
        headers = [
            ("sha256", self.sha256.encode()),
            ("source", os.fsencode(source)),
            ("file-time", _rfc3339(self.identity.mtime_ns)),
            ("schema", SCHEMA),
        ]
        if message_id := _field(_MESSAGE_ID, self.raw):
            headers.insert(1, ("message-id", message_id))
        return Record(sender(self.raw) or self.sha256.encode(), self.raw, tuple(headers))


class NotTaken(Exception):
    """A file that cannot be taken; `for_good` says whether trying again is in vain."""

    def __init__(self, reason: str, *, for_good: bool) -> None:
        super().__init__(reason)
        self.for_good = for_good


def identity(status: os.stat_result) -> FileIdentity:
    """What `unchanged` files agree in."""
    return FileIdentity(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def read_mail(folder: int, name: str, max_bytes: int) -> MailFile | None:
    """Read a whole regular file of the folder (a descriptor); None when it has gone. Raises NotTaken."""
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotTaken(f"cannot be opened: {error.strerror}", for_good=error.errno == errno.ELOOP) from error
    try:
        before = os.fstat(file)
        _check(before, max_bytes)
        raw = _read(file, before.st_size)
        after = os.fstat(file)
    except OSError as error:
        raise NotTaken(f"cannot be read: {error.strerror}", for_good=False) from error
    finally:
        os.close(file)
    if identity(after) != identity(before) or len(raw) != after.st_size:
        raise NotTaken("still being written", for_good=False)
    return MailFile(name, identity(after), raw, hashlib.sha256(raw).hexdigest())


def sender(raw: bytes) -> bytes | None:
    """The address in From, lower case: the one in angle brackets, else the first that looks like one."""
    value = _field(_FROM, raw)
    if not value:
        return None
    if bracketed := _BRACKETED.findall(value):
        return bytes(bracketed[-1]).lower()
    bare = _BARE.search(value)
    return bare[0].lower() if bare else None


def _check(status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotTaken("not a regular file", for_good=True)
    if status.st_size > max_bytes:
        raise NotTaken(f"{status.st_size} bytes are more than max_mail_bytes ({max_bytes})", for_good=True)
    if status.st_nlink > 1 and status.st_uid != os.geteuid():
        # Somebody may have linked a file here that only we can read; a delivery agent unlinks its own name soon.
        raise NotTaken("another user's file with a second name elsewhere", for_good=False)


def _read(file: int, size: int) -> bytes:
    """Up to one byte more than `size`: a file that has grown shows it."""
    chunks: list[bytes] = []
    left = size + 1
    while left > 0 and (chunk := os.read(file, min(left, READ_BYTES))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _field(pattern: re.Pattern[bytes], raw: bytes) -> bytes | None:
    end = _END_OF_HEADERS.search(raw, 0, HEADER_BYTES)
    found = pattern.search(raw, 0, end.start() if end else HEADER_BYTES)
    return b" ".join(found[1].split()) or None if found else None


def _rfc3339(time_ns: int) -> bytes:
    moment = datetime.fromtimestamp(time_ns // 10**9, UTC).replace(microsecond=time_ns % 10**9 // 1000)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z").encode()
