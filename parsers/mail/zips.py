"""ZIP and GZIP: their files, unpacked in memory within a budget."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.budget import Budget, Member


def zip_members(data: bytes, budget: Budget) -> Iterator[Member]:
    """The files of a zip, one at a time. Raises Unreadable."""
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
            yield Member(info.filename, _zip_data(package, info, budget))


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


def gzip_member(data: bytes, name: str | None, budget: Budget) -> Member:
    """The one file of a gzip; its name is the container's less the ending. Raises Unreadable."""
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
    return Member(
        re.sub(r"\.gz$", "", re.sub(r"\.tgz$", ".tar", label, flags=re.IGNORECASE), flags=re.IGNORECASE), bytes(out)
    )
