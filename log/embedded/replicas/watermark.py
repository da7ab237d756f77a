"""The high watermark of a partition and the tail behind it, in one small file that all processes share.

    at  bytes
     0    4    OTCW
     4    4    CRC-32, of what follows it up to the last four bytes
     8   16    boot id of the writer's machine
    24    8    version of the partition state that it belongs to
    32    8    high watermark
    40    8    end: the next offset to be written
    48    8    base offset of the active segment
    56    8    position where that ends, on every in-sync replica
    64    8    timestamp of the first record in it, ms; 0 without one
    72    8    timestamp of the last record, ms
    80    8    changes: odd while an appender rolls, cuts or changes the state, even when that is done
    88    8    cuts: grows when records that were only written are cut off
    96    4    CRC-32 of the partition's name, <topic>-<partition>: the file of another partition counts as lost

Big-endian; without the last, or the last three, in a file of an older version. The appender that holds the lock writes
it with one pwrite, after the records below the watermark are flushed on every in-sync replica. Readers take no lock: a
look that meets a write fails the CRC, and looks again. It is not fsynced with each append: after a power cut it may
lag, never lead, and the boot id tells that it may. See docs/format.md.
"""

from __future__ import annotations

import os
import struct
import time
import uuid
import zlib
from typing import TYPE_CHECKING, NamedTuple

from log.disk.files import FILE_MODE, boot_id, write_all

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"OTCW"
LAYOUT = struct.Struct(">4sI16s9q")
_BODY = struct.Struct(">16s9q")  # what the CRC covers
SHORTEST = 80  # without changes and cuts
CRC_COVERS_FROM = 8
_HEAD = struct.Struct(">4sI")
_NAME = struct.Struct(">I")
SIZE = LAYOUT.size + _NAME.size
LOOKS = 50  # a writer's pwrite takes microseconds; after this many failed looks the file is damaged
BETWEEN_LOOKS_S = 0.001


def this_boot() -> bytes:
    """The boot id in 16 bytes."""
    return uuid.uuid5(uuid.NAMESPACE_OID, boot_id()).bytes


class Watermark(NamedTuple):
    """Where a partition stands, as its last appender left it."""

    boot: bytes  # which run of the machine wrote this
    state_version: int  # the partition state it belongs to
    high_watermark: int  # readers see offsets below it
    end: int  # the next offset to be written
    segment_base: int  # the active segment
    position: int  # where the active segment ends, on every in-sync replica
    segment_started_ms: int  # timestamp of the first record in it, 0 without one
    last_timestamp_ms: int  # no later record gets a smaller one
    changes: int = 0  # odd: something other than an append was begun; who finds it so under the lock must recover
    cuts: int = 0  # another one than before: what was written but not acknowledged then may be gone


def read_watermark(path: Path) -> Watermark | None:
    """None when the file is lost, damaged, or another partition's. Raises OSError when it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return _look(fd, _name_of(path))
    finally:
        os.close(fd)


class WatermarkFile:
    """The appender's handle; used only under the partition's lock."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path, _name_of(path)
        self._fd = self._open()
        self._known: tuple[bytes, Watermark] | None = None

    def read(self) -> Watermark | None:
        """See `read_watermark`. A file that was deleted meanwhile is made anew, empty."""
        if not os.fstat(self._fd).st_nlink:
            made = self._open()
            os.close(self._fd)
            self._fd = made
        if self._known is not None and os.pread(self._fd, SIZE, 0) == self._known[0]:
            return self._known[1]
        return _look(self._fd, self._name)

    def write(self, mark: Watermark) -> None:
        """Show `mark` to all processes. Raises OSError."""
        body = _BODY.pack(*mark)
        data = _HEAD.pack(MAGIC, zlib.crc32(body)) + body + self._name
        self._known = None
        write_all(self._fd, data, 0)
        self._known = (data, mark)

    def still_says(self, mark: Watermark) -> bool:
        """Whether nobody has written to the file held open since this process wrote `mark`."""
        known = self._known
        return known is not None and known[1] is mark and os.pread(self._fd, SIZE, 0) == known[0]

    def sync(self) -> None:
        """Make the last mark durable, so that a reader after a power cut need not look for it."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Give the file back."""
        os.close(self._fd)

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)


def _name_of(path: Path) -> bytes:
    """What the file of that partition ends with: it lies in a folder of the partition's name."""
    return _NAME.pack(zlib.crc32(os.fsencode(path.parent.name)))


def _look(fd: int, name: bytes) -> Watermark | None:
    for _ in range(LOOKS):
        whole = os.pread(fd, SIZE, 0)
        data, said = whole[: LAYOUT.size], whole[LAYOUT.size :]
        if len(data) < SHORTEST or said not in {b"", name}:
            return None
        magic, crc, *fields = LAYOUT.unpack(data.ljust(LAYOUT.size, b"\0"))
        if magic == MAGIC and crc == zlib.crc32(data[CRC_COVERS_FROM:]):
            return Watermark(*fields)
        time.sleep(BETWEEN_LOOKS_S)
    return None
