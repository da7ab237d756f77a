"""One mail as it comes in: a small one in memory, a larger one in a file without a name, so that memory is bounded."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from contextlib import suppress
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from ingest.headers import HEAD_BYTES
from ingest.mail import Mail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

SMALL_BYTES = 256 * 1024  # a larger mail goes to disk
CHUNK_BYTES = 1 << 20


class Incoming:
    """Gathers a mail's bytes. One that is too large, or that the disk cannot take, is read on and forgotten."""

    def __init__(self, max_bytes: int, folder: Path) -> None:
        self._max_bytes = max_bytes
        self._file = SpooledTemporaryFile(SMALL_BYTES, dir=str(folder))  # noqa: SIM115 -- closed by `close`
        self._digest = hashlib.sha256()
        self.size = 0
        self.time_ns = time.time_ns()  # when it came in
        self.failed: OSError | None = None

    @property
    def too_large(self) -> bool:
        """Whether more came in than is allowed."""
        return self.size > self._max_bytes

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        if self.too_large or self.failed:
            self.close()
            return
        self._digest.update(piece)
        try:
            self._file.write(piece)
        except OSError as error:
            self.failed = error

    def mails(
        self, sources: Sequence[str], name: str, held_bytes: int, beat: Callable[[], None] = lambda: None
    ) -> list[Mail]:
        """The mail, once a source. Above `held_bytes` it is read where it lies, until `close`; `beat` is called then.

        Raises OSError, also when not all of its bytes are there: its digest is that of all.
        """
        if self.failed:
            raise self.failed
        self._file.seek(0)
        raw = self._file.read() if self.size <= held_bytes else None
        head = self._file.read(HEAD_BYTES) if raw is None else raw[:HEAD_BYTES]
        there = os.fstat(self._file.fileno()).st_size if raw is None else len(raw)
        if there != self.size:
            raise OSError(errno.EIO, f"{there} of {self.size} bytes are there")
        chunks = partial(_chunks, self._file.fileno(), beat) if raw is None else partial(iter, (raw,))
        digest = self._digest.hexdigest()
        return [Mail(source, name, digest, self.size, self.time_ns, head, chunks, raw) for source in sources]

    def close(self) -> None:
        """Forget the mail. May be called twice."""
        with suppress(OSError):  # a full disk, once more
            self._file.close()


def _chunks(file: int, beat: Callable[[], None]) -> Iterator[bytes]:
    at = 0
    while chunk := os.pread(file, CHUNK_BYTES, at):
        beat()
        yield chunk
        at += len(chunk)
