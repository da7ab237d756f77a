"""The frames between parent and child, on pipes.

0      1          5         9
| kind | length n | crc32   | body, n bytes |      little-endian; the CRC covers kind, length and body

A job's CRC is 0: the child believes its parent, and a mail may be large.
"""

from __future__ import annotations

import struct
import zlib

from msgspec import Struct

HEAD = struct.Struct("<cII")
READY = b"R"  # child: engines loaded, walls up; body: its parser version
JOB = b"J"  # parent: a mail; body: length of the JSON (4 bytes), JSON (key, barred, or wanted: a part), raw mail
PART = b"P"  # child, on a pipe of its own: the path of the part it is about to touch
OUTCOME = b"O"  # child: the mail's outcome as `wire` writes it
BYTES = b"B"  # child: the part that was wanted: `+` and its bytes, nothing where the mail has none
MAX_BODY = {
    READY: 200,
    PART: 64 * 1024,
    OUTCOME: 256 * 2**20,
    BYTES: 256 * 2**20,
}  # a child must not make its parent allocate more


class FrameError(ValueError):
    """The bytes are no frame: whoever sent them is not to be trusted."""


class Frame(Struct, frozen=True):
    """A message."""

    kind: bytes
    body: bytes = b""

    def encode(self) -> bytes:
        """As it goes over the pipe."""
        return HEAD.pack(self.kind, len(self.body), _crc(self.kind, self.body)) + self.body


def job(note: bytes, raw: bytes) -> bytes:
    """The job of parsing a mail, as it goes over the pipe, made in one copy of the mail."""
    size = len(note).to_bytes(4, "little")
    return b"".join((HEAD.pack(JOB, len(size) + len(note) + len(raw), 0), size, note, raw))


def take_frame(buffer: bytearray) -> Frame | None:
    """Remove the first frame from the buffer; None while it is not whole.

    Raises:
        FrameError: unknown kind, absurd length or wrong CRC.
    """
    if len(buffer) < HEAD.size:
        return None
    kind, length, crc = HEAD.unpack_from(buffer)
    if length > MAX_BODY.get(kind, -1):
        raise FrameError(f"a frame of kind {kind!r} and {length} bytes")
    end = HEAD.size + length
    if len(buffer) < end:
        return None
    body = bytes(memoryview(buffer)[HEAD.size : end])
    del buffer[:end]
    if _crc(kind, body) != crc:
        raise FrameError("a frame with a wrong CRC")
    return Frame(kind, body)


def _crc(kind: bytes, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(kind + len(body).to_bytes(4, "little")))
