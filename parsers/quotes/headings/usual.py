"""What a dealer's entry says of all his quotes: it holds where neither line nor heading, subject or note says it.

His currency stands behind what an instrument says, too, so that it is not here (`regions`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from parsers.quotes.headings.surroundings import NOTHING, Surroundings

if TYPE_CHECKING:
    from parsers.quotes.context import Dealer


def usual_of(dealer: Dealer | None) -> Surroundings:
    """As titles would say it; NOTHING of most dealers."""
    if dealer is None or not (dealer.measure or dealer.unit or dealer.thirty_seconds):
        return NOTHING
    return Surroundings(
        measure=dealer.measure,
        size_unit=Fraction(dealer.unit) if dealer.unit else None,
        thirty_seconds=dealer.thirty_seconds,
    )
