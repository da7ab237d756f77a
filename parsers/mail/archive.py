"""Containers that hold files: zip and gzip, unpacked in memory within the limits of spec 6.1.

Sizes are counted while unpacking, never believed; names are labels, never paths.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable

MAX_MEMBERS = 500
MAX_RATIO = 100
MAX_TOTAL_BYTES = 200 * 2**20
MAX_DEPTH = 3
_RATIO_FREE_BYTES = 1024 * 1024  # less than this is no bomb, however well it packs
_IGNORED = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
CONTAINERS = {kinds.ZIP: "zip", kinds.GZIP: "gz"}


class Member(Struct, frozen=True):
    """A file out of a container."""

    name: str  # as the container spells it
    data: bytes


class Budget:
    """What all containers of one mail may unpack together."""

    def __init__(self) -> None:
        self._members = 0
        self._bytes = 0

    def member(self) -> None:
        """Count a member, or refuse it."""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_MEMBERS} members")

    def unpacked(self, size: int, member_size: int, packed: int) -> None:
        """Count bytes just unpacked, or refuse them. `member_size` and `packed` are of the member so far."""
        self._bytes += size
        if self._bytes > MAX_TOTAL_BYTES:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_TOTAL_BYTES} bytes unpacked")
        if member_size > _RATIO_FREE_BYTES and member_size > MAX_RATIO * max(packed, 1):
            raise Unreadable(Code.ARCHIVE_LIMIT, f"packed more than {MAX_RATIO}:1")


def members(data: bytes, kind: str, name: str | None, budget: Budget) -> Iterator[Member]:
    """The files of a container, one at a time; what systems put into archives by themselves is left out.

    Raises:
        Unreadable: PASSWORD_PROTECTED, ARCHIVE_LIMIT or CORRUPT_PART; members before stay valid.
    """
    if kind == kinds.ZIP:
        yield from _zip_members(data, budget)
    else:
        yield _gzip_member(data, name, budget)


def _zip_members(data: bytes, budget: Budget) -> Iterator[Member]:
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole zip: {error}") from error
    with package:
        infos = [info for info in package.infolist() if not info.is_dir() and not _is_junk(info.filename)]
        if any(info.flag_bits & 0x1 for info in infos):
            raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted member")
        for info in infos:
            budget.member()
            yield Member(info.filename, _zip_data(package, info, budget))


def _is_junk(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return "__MACOSX" in path.parts or path.name.lower() in _IGNORED


def _zip_data(package: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    out = bytearray()
    try:
        with package.open(info) as file:
            while chunk := file.read(1 << 16):
                out += chunk
                budget.unpacked(len(chunk), len(out), info.compress_size)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"{info.filename[:80]!r}: {error}") from error
    return bytes(out)


def _gzip_member(data: bytes, name: str | None, budget: Budget) -> Member:
    """A gzip file holds one file; its name is the container's less the ending."""
    budget.member()
    unpacker = zlib.decompressobj(wbits=31)
    out = bytearray()
    try:
        pending = data
        while pending and not unpacker.eof:
            chunk = unpacker.decompress(pending, 1 << 16)
            pending = unpacker.unconsumed_tail
            out += chunk
            budget.unpacked(len(chunk), len(out), len(data))
            if not chunk and not pending:
                break
    except zlib.error as error:
        raise Unreadable(Code.CORRUPT_PART, f"gzip: {error}") from error
    if not unpacker.eof:
        raise Unreadable(Code.CORRUPT_PART, "gzip: cut off")
    label = (name or "file.gz").replace("\\", "/").rpartition("/")[2]
    stem = label[: -len(".gz")] if label.lower().endswith(".gz") else label
    return Member(stem, bytes(out))
