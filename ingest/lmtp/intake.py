"""One mail as it comes in over a connection: kept up to the size allowed, and never more memory than was granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

SMALL_BYTES = 1 << 20  # every connection may hold so much; beyond it, a mail needs one of few places


class Intake:
    """Gathers a mail's bytes. What is beyond `max_bytes` is counted and forgotten.

    `large` has a place for each mail above SMALL_BYTES that may be in memory at once. A mail that waits for a place is
    not read on, so its sender waits too; one that has a place needs nothing else, so places come free.
    """

    def __init__(self, max_bytes: int, large: asyncio.Semaphore) -> None:
        self._max_bytes = max_bytes
        self._large = large
        self._has_place = False
        self._kept = bytearray()
        self.size = 0

    @property
    def too_large(self) -> bool:
        """Whether more came in than is allowed."""
        return self.size > self._max_bytes

    async def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        if self.too_large:
            self._kept.clear()
            return
        if self.size > SMALL_BYTES and not self._has_place:
            await self._large.acquire()
            self._has_place = True
        self._kept += piece

    def take(self) -> bytes:
        """The mail. The place is held until `close`."""
        taken = bytes(self._kept)
        self._kept = bytearray()
        return taken

    def close(self) -> None:
        """Forget the mail and give its place back. May be called twice."""
        self._kept = bytearray()
        if self._has_place:
            self._has_place = False
            self._large.release()
