"""What a covering note says of the prices in the attachments, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from parsers.quotes.headings.surroundings import Surroundings, merged, read, side_said

_OF_PRICES = re.compile(
    r"\b(?:all(?:es?|e[nr])?|everything|tou(?:s|t|tes)|tod[oa]s?|tutt[eio]|prices?|pricing|levels?|quotes?|sizes?|amounts?|"
    r"kurse|preise|größen|niveaux|prix|tailles|precios|niveles|montos|preços|níveis|montantes|prezzi|livelli|importi|"
    r"attached|attachment|enclosed|anbei|angehängt|anhang|joints?|jointe|adjunt[oa]s?|anexos?|allegat[oia])\b",
    re.IGNORECASE,
)
"""Of a covering note, what is about the prices beside it: `all USD`, `EUR sheet attached`; not `our EUR colleagues`."""
_SIDED = re.compile(
    r"\b(?:axed\s+to\s+(?:buy|sell)|better\s+(?:buy|sell)ers?\s+of\s+(?:all|every)|(?:bids|offers)\s+only|"
    r"our\s+(?:\w+\s+){0,2}(?:bids|offers|offerings|inventory)\b.*\battached|"
    r"attached\b.*\bour\s+(?:\w+\s+){0,2}(?:bids|offers|offerings|inventory))\b",
    re.IGNORECASE,
)
"""Of a covering note, what says on which side all of it is: `we are axed to sell everything listed`."""


@lru_cache(maxsize=1024)  # a dealer's covering note is the same every day
def noted(lines: tuple[str, ...]) -> Surroundings:
    """What the lines of a covering note say of the prices in the attachments, in plain words."""
    said = merged(read(line, near=False) for line in lines if _OF_PRICES.search(line))
    side = next(
        (found for line in lines if _SIDED.search(line) and (found := side_said(line.lower())) is not None), None
    )
    return replace(said, side=side)


def of_prices(lines: Iterable[str]) -> list[str]:
    """The lines of a covering note that are about the prices beside it."""
    return [line for line in lines if _OF_PRICES.search(line)]
