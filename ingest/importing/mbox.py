"""Mails out of an mbox file, streamed, one mail staying one mail.

A mail begins at a line `From <sender> <date>` (RFC 4155) only where all of this holds, because bodies have lines that
begin with `From ` too, and not every program quotes them:

- it is the file's first line, or stands after an empty line;
- it ends in a date as asctime writes it, with or without seconds, with or without a zone;
- the line after it looks like a header, or is empty, or the file ends.

Lines `>From `, `>>From ` lose one `>` (mboxrd). The empty line that writers put after each mail is no part of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from ingest.incoming import Incoming

LINE_BYTES = 1 << 16  # a longer line is read in pieces
DATE_BYTES = 80  # at the end of a line that begins a mail

_ZONE = rb"(?: (?:[A-Z]{1,5}|[+-]\d{4})){0,2}"
_DATE = re.compile(
    rb" (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} +"
    rb"\d{1,2}:\d\d(?::\d\d)?" + _ZONE + rb" +\d{4}" + _ZONE + rb"\s*\Z"
)
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:|>From |\r?\n|\Z")
_QUOTED = re.compile(rb">+From ")
_EMPTY = {b"\n", b"\r\n"}


class Found(NamedTuple):
    """A mail of an mbox file."""

    mail: Incoming  # the caller's to close
    end: int  # the offset at which the next mail begins: from here reading can go on


def is_mbox(start: bytes) -> bool:
    """Whether a file that begins with these bytes (a few hundred) is an mbox."""
    first, newline, rest = start.partition(b"\n")
    return _begins_mail(first + newline, rest)


def read_mbox(file: BinaryIO, offset: int, new_mail: Callable[[], Incoming]) -> Iterator[Found]:
    """The mails from `offset` on, which is 0 or the `end` of one found before. The file is an mbox."""
    file.seek(offset)
    at = offset
    mail: Incoming | None = None
    empty = b""  # an empty line that may be the last of its mail
    after_empty = line_begins = True
    piece = file.readline(LINE_BYTES)
    while piece:
        following = file.readline(LINE_BYTES)
        if line_begins and after_empty and _begins_mail(piece, following):
            if mail:
                yield Found(mail, at)
            mail, empty, after_empty = new_mail(), b"", False
        elif mail:
            mail.add(empty)
            after_empty = line_begins and piece in _EMPTY
            empty = piece if after_empty else b""
            if not after_empty:
                mail.add(piece[1:] if line_begins and _QUOTED.match(piece) else piece)
        line_begins = piece.endswith(b"\n")
        at += len(piece)
        piece = following
    if mail:
        yield Found(mail, at)


def _begins_mail(line: bytes, following: bytes) -> bool:
    return line.startswith(b"From ") and bool(_DATE.search(line[-DATE_BYTES:])) and bool(_HEADER.match(following))
