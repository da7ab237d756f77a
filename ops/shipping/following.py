"""A file that is read from where it was read last, a portion at a time, with all that tells it from other files."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from ops.shipping.batch import Behind, records_of
from ops.shipping.lines import CHUNK_BYTES, split
from ops.shipping.mark import SAMPLE_BYTES, Inode, Mark, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from log.types import Record
    from ops.shipping.batch import Speaker
    from ops.shipping.mark import Content


class Truncated(Exception):
    """What was shipped of a file is not in it any more: it was truncated, or written anew."""


class Portion(NamedTuple):
    """What was read at once."""

    records: list[Record]
    said_at: datetime | None  # as of `Behind`
    advance: Callable[[], None]  # the log has them: the file is shipped up to here


class Following:
    """One open file."""

    def __init__(self, content: Content, mark: Mark | None = None) -> None:
        """Of a file that was shipped up to a mark, or of one that begins. Raises OSError."""
        status = os.fstat(content.file.fileno())
        self.content, self.inode = content, Inode.of(status)
        self.grew = time.monotonic()  # when lines of it were shipped last
        self._modified_ns = mark.modified_ns if mark else status.st_mtime_ns
        self._offset = mark.offset if mark else 0
        self._inside = mark.inside if mark else False
        self._key_lines = mark.key_lines if mark else 0
        length = min(self._offset, SAMPLE_BYTES)
        self._head = content.read(0, SAMPLE_BYTES)
        self._tail = content.read(self._offset - length, length)

    def portion(self, speaker: Speaker, said_at: datetime | None, *, ends: bool) -> Portion | None:
        """The next whole lines; None where there are none. `ends`: nobody writes to it, so that the last line is whole.

        `said_at`: as of `Behind`, of the lines before, maybe of another file that had the name. Nothing of what is
        known of the file changes before the portion's `advance`. Raises OSError; Truncated.
        """
        data = self._read()
        found = split(data, inside=self._inside, ends=ends and len(data) < CHUNK_BYTES)
        if not found.used:
            return None
        records, behind = records_of(found.lines, speaker, Behind(self._key_lines, said_at))

        def advance() -> None:
            used = data[: found.used]
            self._offset += found.used
            self._tail = (self._tail + used[-SAMPLE_BYTES:])[-SAMPLE_BYTES:]
            self._inside, self._key_lines = found.inside, behind.key_lines
            self._modified_ns = self.modified_ns()
            self.grew = time.monotonic()

        return Portion(records, behind.said_at, advance)

    def mark(self) -> Mark:
        """How far it is shipped."""
        head, tail = digest(self._head), digest(self._tail)
        return Mark(
            *self.inode, self._modified_ns, self._offset, len(self._head), head, tail, self._inside, self._key_lines
        )

    def modified_ns(self) -> int:
        """When it was written to last."""
        return os.fstat(self.content.file.fileno()).st_mtime_ns

    def began(self) -> bool:
        """Whether it was empty whenever it was looked at, and was written to since."""
        return not self._head and self.modified_ns() != self._modified_ns

    def is_truncated(self) -> bool:
        """Whether what was looked at is not in it any more. Raises OSError."""
        try:
            self._read()
        except Truncated:
            return True
        return False

    def begin_anew(self) -> None:
        """It was truncated: what it holds now was never shipped."""
        self._offset, self._head, self._tail, self._inside, self._key_lines = 0, b"", b"", False, 0
        self._modified_ns = self.modified_ns()

    def _read(self) -> bytes:
        """What follows. What stands before it is read with it: a truncation is seen, or had not come yet."""
        if self.content.is_packed:  # nobody truncates one, and each step back costs
            return self.content.read(self._offset, CHUNK_BYTES)
        before = len(self._tail)
        data = self.content.read(self._offset - before, before + CHUNK_BYTES)
        head = self.content.read(0, SAMPLE_BYTES)
        if data[:before] != self._tail or not head.startswith(self._head):
            raise Truncated
        self._head = head
        return data[before:]
