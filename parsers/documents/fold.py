"""White space as a reader sees it."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")  # places where a word may break, and marks of direction


def fold(text: str) -> str:
    """Runs of white space as one space, none at the ends; a no-break space inside is kept: it groups digits.

    Characters without width go: in the middle of a number, too.
    """
    if text.isprintable() and "  " not in text:  # then a space is all the white space there can be
        return text.strip(" ")
    return _SPACE.sub(" ", _UNSEEN.sub("", text)).strip(" \u00a0")
