"""Words that machines write and no desk does, told by their shape: hashes, UUIDs, lines of base64, mail addresses."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.document import Line

_LEAST = 16
"""Characters of the shortest of them."""
_HASH = r"(?=[0-9]*+[A-Fa-f])(?=[A-Fa-f]*+[0-9])(?:[0-9a-f]{16,}+|[0-9A-F]{21,}+)"
"""Hex of both digits and letters; the longest identifier, an LEI, is 20 capitals and digits (spec 3)."""
_UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_BASE64 = r"(?=[A-Za-z0-9+/_-]{40})[0-9]*+(?:[A-Za-z+/_-]++[0-9]++){4,}+[A-Za-z+/_-]*+={0,2}"
_ADDRESS = r"[A-Za-z0-9._%+-]++@(?:[A-Za-z][A-Za-z0-9-]*+\.)+[A-Za-z]{2,}+"
_NOISE = re.compile(
    rf"(?<![A-Za-z0-9+/=_.,%@-])(?:{_UUID}|{_HASH}|{_BASE64}|{_ADDRESS})(?![A-Za-z0-9+/=_@-])(?![.,]\d)"
)
_FIGURE = re.compile(r"[\d½¼¾⅛⅜⅝⅞]")
_PARTED = re.compile(r"[\t|;]|\S {2,}\S")
"""Of a row of a table, whose cells keep their places."""


def without_noise(line: Line) -> Line:
    """The line with blanks for such words where it has no other figure, so that nothing in it can be a level."""
    text = line.text
    if len(text) < _LEAST or _FIGURE.search(text) is None or _PARTED.search(text) is not None:
        return line
    bare, found = _NOISE.subn(_blank, text)
    return replace(line, text=bare) if found and _FIGURE.search(bare) is None else line


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
