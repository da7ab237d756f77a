"""Plain text to lines. Aligned and TAB-separated tables stay lines: what they mean is the upper half's question."""

from __future__ import annotations

import re
from itertools import islice

from msgspec.structs import replace

from parsers.document import Document, Line
from parsers.documents.charset import decode
from parsers.documents.fold import visible
from parsers.documents.limits import MAX_LINES

_LINE_END = re.compile(r"\r\n|\r|\n")  # no str.splitlines: it also cuts at form feeds and Unicode separators
_QUOTE_MARKS = re.compile(r"(?:>[ ]?)+")
_SIGNATURE = "-- "


def read_text(data: bytes, charset: str | None = None, *, flowed: bool = False, delsp: bool = False) -> Document:
    """The part's lines, empty ones included; `>` lines are quoted.

    Args:
        data: decoded bytes of the part.
        charset: as declared.
        flowed: format=flowed (RFC 3676): soft line breaks are undone; a joined line has the number of its first.
        delsp: RFC 3676's DelSp=yes: the space before a soft break is part of the break.
    """
    lines = text_lines(visible(decode(data, charset)))
    kept = lines[:MAX_LINES]
    blocks = tuple(_joined(kept, delsp=delsp) if flowed else kept)
    return Document(blocks, parser="text", truncated=len(lines) > MAX_LINES)


def text_lines(text: str) -> list[Line]:
    """The lines of a text, or the first MAX_LINES + 1, numbered from 1; `char_start` counts its code points."""
    lines = []
    start = 0
    for number, match in enumerate(islice(_LINE_END.finditer(text), MAX_LINES + 1), 1):
        end = match.start()
        line = text[start:end]
        lines.append(Line(number, line, start, quoted=line[:1] == ">"))
        start = match.end()
    if start < len(text) and len(lines) <= MAX_LINES:
        lines.append(Line(len(lines) + 1, text[start:], start, quoted=text.startswith(">", start)))
    return lines


def _joined(lines: list[Line], *, delsp: bool) -> list[Line]:
    """Paragraphs of RFC 3676: a line that ends with a space goes on in the next of the same quote depth."""
    joined: list[Line] = []
    pieces: list[str] = []  # of the last
    open_paragraph = False
    last_depth = 0
    for line in lines:
        marks = _QUOTE_MARKS.match(line.text)
        text = line.text[marks.end() :] if marks else line.text.removeprefix(" ")  # a stuffed space is no text
        depth = marks[0].count(">") if marks else 0
        if not (open_paragraph and depth == last_depth):
            if joined:
                joined[-1] = replace(joined[-1], text="".join(pieces))
            joined.append(line)
            pieces = [marks[0]] if marks else []
        open_paragraph = text.endswith(" ") and _SIGNATURE not in {text, line.text}
        pieces.append(text[:-1] if open_paragraph and delsp else text)
        last_depth = depth
    if joined:
        joined[-1] = replace(joined[-1], text="".join(pieces))
    return joined
