"""Files of Python's kind over a store's calls, for pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

HELD_BYTES = 1 << 20


class OutputStream(io.RawIOBase):
    """Hands on what is written, HELD_BYTES and more at once: pyarrow writes a file in hundreds of small pieces.

    To close it says nothing: its `with` does, so that an error leaves no file behind.
    """

    def __init__(self, take: Callable[[bytes], object]) -> None:
        self._take = take
        self._held = bytearray()
        self.size = 0  # bytes written

    def writable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Where the next bytes go."""
        return self.size

    def write(self, data: Buffer) -> int:
        """Take all of `data`."""
        given = memoryview(data).nbytes
        self._held += data
        self.size += given
        if len(self._held) >= HELD_BYTES:
            self.flush()
        return given

    def flush(self) -> None:
        """Hand on what is still held."""
        super().flush()
        if self._held:
            given, self._held = bytes(self._held), bytearray()
            self._take(given)

    def end(self) -> None:
        """Take nothing any more: a writer that was given up may come to write a file's end later."""
        self._held.clear()
        self._take = len


class InputStream(io.RawIOBase):
    """Reads by ranges, nothing ahead."""

    def __init__(self, fetch: Callable[[int, int], bytes], size: int) -> None:
        self._fetch, self._size, self._at = fetch, size, 0  # fetch(start, length)

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Where the next bytes come from."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to an offset from the start, from here or from the end."""
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        """At most so many bytes, all that there are for -1."""
        left = max(self._size - self._at, 0)
        length = left if size is None or size < 0 else min(size, left)
        data = self._fetch(self._at, length) if length else b""
        self._at += len(data)
        return data
