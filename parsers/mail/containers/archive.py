"""Containers that hold files, unpacked in memory within the limits of spec 6.1. Names are labels, never paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.mail.containers.mboxes import mbox_members
from parsers.mail.containers.member import Member
from parsers.mail.containers.tars import tar_members
from parsers.mail.containers.zips import gzip_member, zip_members

MAX_DEPTH = 3
CONTAINERS = {kinds.ZIP: "zip", kinds.GZIP: "gz", kinds.TAR: "tar", kinds.SEVEN_ZIP: "7z", kinds.MBOX: "mbox"}
_IGNORED = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


def members(data: bytes, kind: str, name: str | None, budget: Budget) -> Iterator[Member]:
    """The files of a container, one at a time; what systems put into archives by themselves is left out.

    Raises:
        Unreadable: PASSWORD_PROTECTED, ARCHIVE_LIMIT or CORRUPT_PART; members before stay valid.
    """
    if kind == kinds.GZIP:
        yield gzip_member(data, name, budget)
        return
    yield from (member for member in _unpacked(data, kind, budget) if not _is_junk(member.name))


def _unpacked(data: bytes, kind: str, budget: Budget) -> Iterator[Member]:
    if kind == kinds.ZIP:
        return zip_members(data, budget)
    if kind == kinds.TAR:
        return tar_members(data, budget)
    if kind == kinds.MBOX:
        return mbox_members(data, budget)
    from parsers.mail.containers.sevenzips import (
        sevenzip_members,  # slow to import: the sandbox does it before its first mail
    )

    return sevenzip_members(data, budget)


def _is_junk(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return "__MACOSX" in path.parts or path.name.lower() in _IGNORED
