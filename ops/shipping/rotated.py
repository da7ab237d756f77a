"""Where a file's lines are once it was rotated: renamed, copied and truncated, compressed.

Looked at are the files beside it that have its name and a number or date behind it (`app.log.1`, `app.log-20261129`),
or a date before its ending (`app-20261129.log`), with `.gz` or without. Another copy of a file is none of them, nor one
whose beginning another one has: it would be shipped twice.
"""

from __future__ import annotations

import os
import re
from contextlib import closing, suppress
from stat import S_ISREG
from typing import TYPE_CHECKING

from ops.shipping.mark import SAMPLE_BYTES, Content, Inode, beginning, holds

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from ops.shipping.mark import Mark

PACKED = ".gz"


def open_content(path: Path, *, follow: bool = False) -> Content:
    """A regular file. Raises OSError for any other, and for a link unless that may be followed."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    fd = os.open(path, flags)
    if not S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(f"{path} is no regular file; `--stdin` takes what comes from a program")
    return Content(os.fdopen(fd, "rb", buffering=0), is_packed=path.suffix == PACKED)  # unbuffered: a file grows


def rotations(path: Path) -> list[Path]:
    """What a file was rotated to, the oldest first, as far as it is there."""
    stem, suffix = re.escape(path.stem), re.escape(path.suffix)
    more = r"[\dTZ_.:-]*"
    number, date = (
        rf"[.-]\d{more}",
        rf"[.-]\d{{4}}-?\d\d-?\d\d{more}",
    )  # worker-1.log is another program's than worker.log
    name = re.compile(rf"(?:{stem}{suffix}{number}|{stem}{date}{suffix})(?:{re.escape(PACKED)})?", re.ASCII)
    try:
        places = [each for each in path.parent.iterdir() if name.fullmatch(each.name)]
    except OSError:
        return []
    dated = [(status, place) for place in places if (status := _status(place)) and S_ISREG(status.st_mode)]
    return [place for _, place in sorted((status.st_mtime_ns, place) for status, place in dated)]


def find(mark: Mark, path: Path) -> Content | None:
    """The file of a mark, under its name or what it was rotated to, or else one that holds what it held."""
    places = [path, *rotations(path)]
    inode = Inode(mark.device, mark.inode)
    own = [each for each in places if (status := _status(each)) and Inode.of(status) == inode]
    others = [each for each in places if each not in own] if mark.seen else []
    for place in (*own, *others):
        with suppress(OSError):
            content = open_content(place, follow=place == path)
            if holds(content, mark):
                return content
            content.close()
    return None


def since(
    mark: Mark, path: Path, known: Collection[Inode], begin: Collection[str], past: Sequence[Mark]
) -> list[Content]:
    """What the file was rotated to after the one of the mark, the oldest first.

    `known` files are none of these, nor what holds a `past` one, nor what begins as another, or as one of `begin`.
    """
    begun, found = {"", _beginning(path), *begin}, []
    for place in rotations(path):
        status, begins = _status(place), _beginning(place)
        is_later = status and (status.st_mtime_ns > mark.modified_ns or not mark.seen)
        if status and is_later and status.st_mtime_ns >= mark.modified_ns and begins not in begun:
            with suppress(OSError):
                content = open_content(place)
                if Inode.of(status) in known or any(_is_past(content, each) for each in past):
                    content.close()
                else:
                    found.append(content)
        begun.add(begins)
    return found


def _is_past(content: Content, mark: Mark) -> bool:
    """Whether it is that file, or a copy; of a short beginning, which many may have, one of nothing more."""
    if not mark.seen or not holds(content, mark):
        return False
    is_own = Inode.of(os.fstat(content.file.fileno())) == Inode(mark.device, mark.inode)
    return is_own or mark.seen == SAMPLE_BYTES or not content.read(mark.offset, 1)


def _beginning(path: Path) -> str:
    """Empty, too, where it cannot be read."""
    try:
        with closing(open_content(path, follow=True)) as content:
            return beginning(content)
    except OSError:
        return ""


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
