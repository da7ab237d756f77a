"""The name in a heading: of the curve, pair or programme that its column is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from parsers.quotes.headings.phrases import heading
from parsers.values.words import fold

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

_SAYING = {"option_struct", "side"}
_BRACKETS = re.compile(r"\s*[(\[].*?[)\]]\s*")


def title_in(parts: Sequence[str], found: Heading) -> str | None:
    """What a heading names beside what it says of a column: `EURUSD` of `EURUSD ATM`, `FN30` of `FN30 Dec`.

    Args:
        parts: the cells of the heading, uppermost first.
        found: what they say together.
    """
    if all(map(str.isdigit, found.unknown)):  # none, or `Upf (500)`
        return None
    for part in parts:
        said = heading(part)
        if (
            said.unknown and _SAYING & said.meanings.keys()
        ):  # `USDBRL ATM`, `USDBRL Bid`: what they say is not the pair's
            words = _BRACKETS.sub(" ", part).split()
            return (
                " ".join(word for word in words if word == "US" or not set(said.unknown).isdisjoint(fold(word))) or None
            )
        if said.unknown:
            return _BRACKETS.sub(" ", _without_month(part, said)).strip() or None
    return None


def _without_month(part: str, said: Heading) -> str:
    """`FN30 Dec`: the month is that of the delivery."""
    months = said.meanings.get("month", ())
    return " ".join(word for word in part.split() if not set(fold(word)) & set(months)) if months else part
