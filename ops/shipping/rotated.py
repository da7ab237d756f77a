"""Where a file's lines are once it was rotated: renamed, copied and truncated, compressed.

Looked at are the files beside it that have its name and a number or date behind it (`app.log.1`, `app.log-20261129`),
or a date before its ending (`app-20261129.log`), with `.gz` or without. A copy is none of them: all of it is in another
one, and would be shipped twice. A like beginning makes no copy, for many programs begin each file with the same lines.
"""

from __future__ import annotations

import logging
import os
import re
from contextlib import ExitStack, closing, suppress
from io import FileIO
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from conf.printable import said
from ops.shipping.mark import SAMPLE_BYTES, Content, Inode, end_of, holds

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ops.shipping.mark import Mark

logger = logging.getLogger(__name__)

PACKED = ".gz"


def open_content(path: Path, *, follow: bool = False) -> Content:
    """A regular file. Raises OSError for any other, and for a link unless that may be followed."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    fd = os.open(path, flags)
    if not S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(f"{path} is no regular file; `--stdin` takes what comes from a program")
    file = FileIO(str(path), opener=lambda *_: fd)  # unbuffered: a file grows
    return Content(file, is_packed=path.suffix == PACKED)


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
    for place in _maybe(mark, path):
        with suppress(OSError):
            content = open_content(place, follow=place == path)
            if holds(content, mark):
                return content
            content.close()
    return None


def _maybe(mark: Mark, path: Path) -> list[Path]:
    """Where the file of a mark may be, the likeliest first, for several may hold what it held: many begin alike.

    The inode says it of a renamed file, but little of the name's, which may have that of one that was packed. Who only
    begins as the mark, and with less than SAMPLE_BYTES, is no such file under its name.
    """
    inode = Inode(mark.device, mark.inode)
    renamed, later, named, older = (list[Path]() for _ in range(4))
    for place in (*rotations(path), path):
        status = _status(place)
        if status is None:
            continue
        is_own = Inode.of(status) == inode
        if place.suffix == PACKED:  # which is made anew and not written to: it may have the inode of another
            is_own &= status.st_mtime_ns == mark.modified_ns
        if place == path:
            named += [place] if is_own or mark.seen == SAMPLE_BYTES else []
        elif is_own:
            renamed.append(place)
        elif mark.seen:
            (older if status.st_mtime_ns < mark.modified_ns else later).append(place)
    return [*renamed, *later, *named, *older]


def since(mark: Mark, path: Path, beside: Sequence[Content], past: Sequence[Mark]) -> list[Content]:
    """What the file was rotated to after the one of the mark, the oldest first.

    None of these are the files that are open `beside`, those that hold what a `past` one held, and copies of any other,
    which are told of.
    """
    known = {_inode(each) for each in beside}
    found = [content for place in rotations(path) if _is_later(place, mark, known) and (content := _new(place, past))]
    with ExitStack() as opened:
        others = list(beside)
        for place in {path, *rotations(path)} - {Path(each.file.name) for each in found}:
            with suppress(OSError):
                others.append(opened.enter_context(closing(open_content(place, follow=True))))
        copies = [each for at, each in enumerate(found) if _is_copy(each, [*others, *found[:at]], found[at + 1 :])]
    for each in copies:
        logger.warning("%s is not shipped: another file beside it holds all of it", each.file.name)
        found.remove(each)
        each.close()
    return found


def _is_later(place: Path, mark: Mark, known: Collection[Inode]) -> bool:
    """Whether it is none that is known, and newer than the file of the mark was when it was read last."""
    status = _status(place)
    if status is None or Inode.of(status) in known:
        return False
    return status.st_mtime_ns > mark.modified_ns or (status.st_mtime_ns == mark.modified_ns and not mark.seen)


def _new(place: Path, past: Sequence[Mark]) -> Content | None:
    """A file that holds anything, and not what a past one held. One that cannot be read is told of."""
    if place.suffix == PACKED and place.with_suffix("").exists():
        return None  # it is being packed just now, and that one is looked at before it
    with ExitStack() as opened:
        try:
            content = opened.enter_context(closing(open_content(place)))
            if content.read(0, SAMPLE_BYTES) and not any(_is_past(content, each) for each in past):
                opened.pop_all()
                return content
        except OSError as error:
            logger.warning("a rotated file is not shipped: %s", said(error))
    return None


def _is_past(content: Content, mark: Mark) -> bool:
    """Whether it is that file, or a copy."""
    if not mark.seen or not holds(content, mark):
        return False
    return _inode(content) == Inode(mark.device, mark.inode) or not content.read(mark.offset, 1)


def _is_copy(content: Content, before: Sequence[Content], behind: Sequence[Content]) -> bool:
    """Whether another one holds all of it, and more if it is behind: of two that are alike one is none.

    Of less than SAMPLE_BYTES, as which many may begin, another one must hold nothing more.
    """
    head, end = content.read(0, SAMPLE_BYTES), None
    for other in (*before, *behind):
        with suppress(OSError):  # what cannot be read to its end is told of there
            if other.read(0, SAMPLE_BYTES) == head:
                end = end or end_of(content)
                if holds(other, end) and (other in before or other.read(end.offset, 1)):
                    return True
    return False


def _inode(content: Content) -> Inode:
    return Inode.of(os.fstat(content.file.fileno()))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
