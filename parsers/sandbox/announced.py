"""The parts that a child says it is about to touch, on a pipe of their own that nobody waits at: no part wakes anybody.

The parent reads it when it looks at the clocks, and when the child is gone.
"""

from __future__ import annotations

import os

from parsers.mail.mime import MAX_PARTS
from parsers.sandbox.frames import PART, FrameError, take_frame

# A part is announced when it is unpacked and when it is read; as many members again may be unpacked and, as they are
# too many, forgotten.
_MAX_ANNOUNCED = 4 * MAX_PARTS
_CHUNK = 1 << 16  # as much as the pipe holds


class Announced:
    """The parent's end. `write_end` is the child's, closed here when the child has it."""

    def __init__(self) -> None:
        self._read_end, self.write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        self.begin()

    def begin(self) -> None:
        """A new mail: what was announced of the one before is forgotten."""
        self._arrived()
        self._buffer = bytearray()
        self._count = 0
        self.part: str | None = None  # the last one; None before the first

    def update(self) -> bool:
        """Take what has come; whether there was anything.

        Raises:
            FrameError: it is no announcement, or one too many.
        """
        before = self._count
        while data := self._arrived():
            self._buffer += data
            while (frame := take_frame(self._buffer)) is not None:
                self._count += 1
                if frame.kind != PART or self._count > _MAX_ANNOUNCED:
                    raise FrameError(f"announcement {self._count}, of kind {frame.kind!r}, out of turn")
                self.part = frame.body.decode("utf-8", "replace")
        return self._count > before

    def _arrived(self) -> bytes:
        try:
            return os.read(self._read_end, _CHUNK)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Close the parent's end, if it is open."""
        if self._read_end >= 0:
            os.close(self._read_end)
            self._read_end = -1
