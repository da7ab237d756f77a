"""How far a file was shipped, and whether a file is that one: by its inode, and by what stands before that place.

An inode alone says little: it is used again at once by the next file, and a truncated file keeps its own.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from gzip import GzipFile
from typing import Any, BinaryIO, NamedTuple

SAMPLE_BYTES = 1024


class Inode(NamedTuple):
    """A file, as long as it is there."""

    device: int
    number: int

    @classmethod
    def of(cls, status: os.stat_result) -> Inode:
        """That of a status."""
        return cls(status.st_dev, status.st_ino)


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file was shipped."""

    device: int
    inode: int
    modified_ns: int  # of the file, when it was read last
    offset: int  # of the next byte; in a gzip file of what it holds
    seen: int  # bytes at its beginning that were looked at, SAMPLE_BYTES at most; 0: it was empty
    head: str  # SHA-256 of these, in hex
    tail: str  # and of the last SAMPLE_BYTES before `offset`
    inside: bool  # that byte belongs to a line whose beginning was shipped
    key_lines: int  # in how many of the next lines a private key may go on

    def document(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self)


class Content:
    """What a file holds; of a gzip file what was packed. Read forwards: each step back in one unpacks it anew."""

    def __init__(self, file: BinaryIO, *, is_packed: bool) -> None:
        self.file, self.is_packed = file, is_packed
        self._source = GzipFile(fileobj=file) if is_packed else file

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes, fewer at the end. Raises OSError, also for a gzip file that is damaged."""
        with self._damage_as_os_errors():
            self._source.seek(offset)
            return self._source.read(length)

    def length(self) -> int:
        """Of all that it holds: bytes. A gzip file is unpacked for that. Raises OSError as `read`."""
        with self._damage_as_os_errors():
            return self._source.seek(0, os.SEEK_END)

    def close(self) -> None:
        """Give the file back."""
        self.file.close()

    @contextmanager
    def _damage_as_os_errors(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, zlib.error) as error:
            raise OSError(f"{self.file.name}: {error}") from error


def holds(content: Content, mark: Mark) -> bool:
    """Whether it holds, up to the mark, what the file held of which that is. Raises OSError."""
    if digest(content.read(0, mark.seen)) != mark.head:
        return False
    length = min(mark.offset, SAMPLE_BYTES)
    return digest(content.read(mark.offset - length, length)) == mark.tail


def end_of(content: Content) -> Mark:
    """The mark of a file that is shipped whole. Raises OSError."""
    status, head, offset = os.fstat(content.file.fileno()), content.read(0, SAMPLE_BYTES), content.length()
    tail = content.read(max(offset - SAMPLE_BYTES, 0), SAMPLE_BYTES)
    return Mark(
        *Inode.of(status), status.st_mtime_ns, offset, len(head), digest(head), digest(tail), inside=False, key_lines=0
    )


def digest(sample: bytes) -> str:
    """Of a file's own bytes nothing is kept, for they may be secret."""
    return hashlib.sha256(sample).hexdigest()
