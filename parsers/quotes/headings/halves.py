"""A heading of several measures: `price / ASW`, `Spread/Upf`, `px, real yield, BE`."""

from __future__ import annotations

import re

from parsers.lexicon import compiled
from parsers.quotes.headings.measuring import measure_of
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.surroundings import spoken_measures

ORDER = compiled(
    r"\b{bid_first}\s*(?:[/-]|x|vs)\s*{ask_second}",
    re.IGNORECASE,
)
"""Which side comes first; its slash parts no measures."""
_BY_CLASS = frozenset({"price", "spread"})
"""Measures of which the class says more; `rate` and `vol` are of too many."""


def halves_in(text: str) -> tuple[str, str] | None:
    """The measures that a heading names in front of its only slash and behind it: quote types, `price`, `spread`."""
    if text.count("/") != 1 or ORDER.search(text) is not None:
        return None
    left, right = (measure_of(heading(part)) for part in text.split("/"))
    if not (left and right and _is_known(left) and _is_known(right)) or left == right:
        return None
    return left, right


def listed_in(text: str) -> tuple[str, ...]:
    """The measures that a heading speaks of, in order, where they are two and more; none if one is of too many."""
    found = spoken_measures(text)
    return found if len(found) > 1 and all(map(_is_known, found)) else ()


def _is_known(measure: str) -> bool:
    return measure in _BY_CLASS or "_" in measure
