"""Mails out of files, one after the other, each with how far its file is done with it."""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ingest.folders.mailfile import Limits, NotTaken, identity, read_mail
from ingest.importing.files import find_files, is_in_maildir
from ingest.importing.mbox import is_mbox, read_mbox
from ingest.incoming import Incoming

if TYPE_CHECKING:
    from conf.settings import Settings
    from ingest.mail import Mail

SNIFFED_BYTES = 4096  # of a file, to tell an mbox from a mail
NAMED = 5  # of the files that are passed over; the rest is counted: beside each mail there may be one

logger = logging.getLogger(__name__)

_MAIL = re.compile(rb"(?:\xef\xbb\xbf|\s)*(?:(?![\"'<\[{])[!-9;-~]+[ \t]*:|\Z)")  # not what begins as JSON and XML do

Done = Callable[[Path, os.stat_result], int]


@dataclass(frozen=True, slots=True)
class Item:
    """A mail, or why there is none."""

    path: Path
    mail: Mail | None
    close: Callable[[], None]
    why: str = ""
    status: os.stat_result | None = None  # of the file; None: it is to be tried again another time
    done: int = 0  # bytes of the file, this mail among them
    size: int = 0  # bytes of the file that it takes


def read_items(named: Path, settings: Settings, done: Done) -> Iterator[Item]:
    """The mails of a file, or of all files below a folder, that are not done. Raises OSError: no such file or folder.

    `done` tells how many bytes of a file are done. A folder's files that do not begin as mails do are passed over, but
    for those of a Maildir.
    """
    passed_over: list[Path] = []
    for path in find_files(named):
        try:
            yield from _read(path, settings, done, passed_over, is_mail=path == named or is_in_maildir(path))
        except (NotTaken, OSError) as error:
            yield Item(path, None, _nothing, why=str(error))
    if more := len(passed_over[NAMED:]):
        logger.warning("%s: %d more files are passed over, for they do not begin as mails do", named, more)


def _read(path: Path, settings: Settings, done: Done, passed_over: list[Path], *, is_mail: bool) -> Iterator[Item]:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123 -- as safe as ingest.folders.mailfile opens
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotTaken("not a regular file", for_good=True)
        begun = done(path, status)
        if begun and begun == status.st_size:
            return
        start = file.read(SNIFFED_BYTES)
        if is_mbox(start):
            yield from _mails_of_mbox(path, file, status, begun, settings)
            return
    if not (is_mail or _MAIL.match(start)):
        passed_over.append(path)
        if len(passed_over) <= NAMED:
            about = {"source": "import", "file": str(path)}
            logger.warning("%s: passed over, for it does not begin as a mail does", path, extra=about)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        found = read_mail(folder, path.name, f"import:{path.parent}", _limits(settings))
    finally:
        os.close(folder)
    if found is not None:
        yield Item(path, found.mail, found.close, "", status, status.st_size, status.st_size)


def _mails_of_mbox(
    path: Path, file: BinaryIO, status: os.stat_result, begun: int, settings: Settings
) -> Iterator[Item]:
    limits = _limits(settings)
    begins = begun
    for mail, end in read_mbox(file, begun, lambda: Incoming(limits.taken, settings.log.root)):
        try:
            _check_same(file, status)
            if mail.failed:
                raise mail.failed
        except (NotTaken, OSError):
            mail.close()
            raise
        name, size = f"{path.name}@{begins}", end - begins
        begins = end
        if mail.too_large:
            mail.close()
            why = f"the mail that ends at byte {end} has {mail.size} bytes, more than max_mail_bytes"
            yield Item(path, None, _nothing, why, status, end, size)
        else:
            mail.time_ns = status.st_mtime_ns
            (taken,) = mail.mails([f"import:{path}"], name, limits.held)
            yield Item(path, taken, mail.close, "", status, end, size)
    _check_same(file, status)  # it may have become so short that no mail was left


def _check_same(file: BinaryIO, status: os.stat_result) -> None:
    """Refuse what was read of a file that somebody has written to: it may be half of one mail and half of another."""
    if identity(os.fstat(file.fileno()))[:-1] != identity(status)[:-1]:  # its links may have changed meanwhile
        raise NotTaken("it was written to while it was read; import it again when it is not", for_good=False)


def _limits(settings: Settings) -> Limits:
    return Limits(settings.log.inline_max_bytes, settings.ingest.max_mail_bytes)


def _nothing() -> None:
    pass
