"""TAR: its regular files. Links, devices and folders are names without bytes of their own, and are left out."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator

from parsers.codes import Code
from parsers.documents.budget import Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.member import Member

_CHUNK = 1 << 16


def tar_members(data: bytes, budget: Budget) -> Iterator[Member]:
    """The files of a tar, one at a time, up to a damaged header. Raises Unreadable; files before stay valid."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for info in archive:
                if info.isreg():
                    budget.member()
                    yield Member(info.name, _read(archive, info, len(data), budget))
            if data[archive.offset : archive.offset + tarfile.BLOCKSIZE].strip(b"\0"):
                raise Unreadable(Code.CORRUPT_PART, f"not a whole tar: no header at {archive.offset}")
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole tar: {error}") from error


def _read(archive: tarfile.TarFile, info: tarfile.TarInfo, packed: int, budget: Budget) -> bytes:
    """The bytes of a file; a sparse one may be far larger than what it takes in the archive."""
    file = archive.extractfile(info)
    out = bytearray()
    while file is not None and (chunk := file.read(_CHUNK)):
        out += chunk
        budget.unpacked(len(chunk), len(out), packed)
    return bytes(out)
