"""White space as a reader sees it."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")  # places where a word may break, and marks of direction


def visible(text: str) -> str:
    """The text without characters that have no width: they stand in the middle of a number, too."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def fold(text: str, *, indented: bool = False) -> str:
    """Runs of white space as one space, none at the ends; a no-break space inside is kept: it groups digits.

    So is one in front of a line that is `indented` by it: headings may stand over columns.

    Characters without width go: in the middle of a number, too.
    """
    if text.isprintable() and "  " not in text:  # then a space is all the white space there can be
        return text.strip(" ")
    folded = _SPACE.sub(" ", visible(text)).rstrip(" \u00a0")
    return folded.lstrip(" " if indented else " \u00a0")
