"""Text that is struck through is withdrawn (spec 5.9): of a line or cell it goes, and what is not struck stays.

A line or cell that is struck through as a whole stays as it is, and says so: its price is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_INK = re.compile(r"[^\n\x0b\x13-\x15]+")  # but line ends, and the marks of fields in DOC


def standing(runs: Sequence[tuple[str, bool]]) -> tuple[str, bool]:
    """The text of a line or cell, and whether it is withdrawn as a whole.

    Args:
        runs: its texts in their order, and whether each is struck through. What goes leaves a space: digits on either
            side of it are not one number.
    """
    inked = {struck for text, struck in runs if text and not text.isspace()}
    if len(inked) < 2:
        return "".join([text for text, _ in runs]), True in inked
    return "".join([_INK.sub(" ", text) if struck else text for text, struck in runs]), False
