"""Markets that a line prints, and that none of its quotes is made of: they are refused, so that none is lost unseen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes.draft import Level
from parsers.quotes.runs.reading import Reading

_MARKET = re.compile(r"\d\+?\s?[/–-]\s?\d")


def leftover(reading: Reading, found: Sequence[Level]) -> list[str]:
    """The texts of such markets, in the order printed.

    Args:
        reading: of the line.
        found: its levels, with their places in the line.
    """
    places = [(level.char_start, level.char_end) for level in found]
    return [
        mark.token.text
        for mark in reading.marks
        if _MARKET.search(mark.token.text)
        and not any(start is not None and end is not None and start <= mark.token.start < end for start, end in places)
    ]
