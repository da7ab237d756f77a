"""ZIP and GZIP: their files, unpacked in memory within a budget."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from parsers.codes import Code
from parsers.documents.budget import Budget
from parsers.documents.unreadable import DAMAGE, Unreadable
from parsers.mail.containers.member import Member

_CHUNK = 1 << 16
_NEXT_MEMBER = re.compile(rb"\0*(?=\x1f\x8b)")


def zip_members(data: bytes, budget: Budget) -> Iterator[Member]:
    """The files of a zip, one at a time; a damaged one says so by itself. Raises Unreadable."""
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole zip: {error}") from error
    with package:
        infos = [info for info in package.infolist() if not info.is_dir()]
        if any(info.flag_bits & 0x1 for info in infos):
            raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted member")
        for info in infos:
            budget.member()
            try:
                yield Member(info.filename, _zip_data(package, info, budget))
            except DAMAGE as error:
                why = Unreadable(Code.CORRUPT_PART, f"{info.filename[:80]!r}: {error}")
                yield Member(info.filename, b"", why)
            except MemoryError:  # LZMA says itself how much it needs
                why = Unreadable(Code.ARCHIVE_LIMIT, f"{info.filename[:80]!r} needs too much memory to unpack")
                yield Member(info.filename, b"", why)


def _zip_data(package: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    out = bytearray()
    with package.open(info) as file:
        while chunk := file.read(_CHUNK):
            out += chunk
            budget.unpacked(len(chunk), len(out), info.compress_size)
    return bytes(out)


def gzip_member(data: bytes, name: str | None, budget: Budget) -> Member:
    """The one file of a gzip; its name is the container's less the ending. Raises Unreadable."""
    budget.member()
    try:
        content = b"".join(_gunzipped(data, budget))
    except zlib.error as error:
        raise Unreadable(Code.CORRUPT_PART, f"gzip: {error}") from error
    label = (name or "file.gz").replace("\\", "/").rpartition("/")[2]
    return Member(
        re.sub(r"\.gz$", "", re.sub(r"\.tgz$", ".tar", label, flags=re.IGNORECASE), flags=re.IGNORECASE), content
    )


def _gunzipped(data: bytes, budget: Budget) -> Iterator[bytes]:
    """The bytes of all members, which follow one another as where files were appended (RFC 1952 2.2)."""
    at = size = 0
    unpacker = zlib.decompressobj(wbits=31)
    while at < len(data):
        packed = data[at : at + _CHUNK]
        chunk = unpacker.decompress(packed, _CHUNK)
        at += len(packed) - len(unpacker.unconsumed_tail) - len(unpacker.unused_data)
        size += len(chunk)
        budget.unpacked(len(chunk), size, len(data))
        yield chunk
        if unpacker.eof:
            following = _NEXT_MEMBER.match(data, at)
            if following is None:  # what no member begins is padding
                return
            at = following.end()
            unpacker = zlib.decompressobj(wbits=31)
    raise Unreadable(Code.CORRUPT_PART, "gzip: cut off")
