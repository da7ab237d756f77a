"""In which order the figures of a date stand, in tables and lines alike (spec 4.10, ruling 9)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from parsers.quotes.regions import Place, currency_of
from parsers.values.times.dates import DateOrder

_MONTH_FIRST_CURRENCIES = frozenset({"USD", "CAD"})
MONTH_FIRST_REGIONS = frozenset({"north_america", "canada"})
_AMERICAN = frozenset({"govt_us", "us_muni"})
"""Classes whose dates in English are American, whatever those of other markets beside them show."""


class Dates(Struct, frozen=True, gc=False):
    """What a table or the lines of a part show of it."""

    proven: DateOrder | None = None
    is_foreign: bool = False  # a language that is not English
    has_commas: bool = False  # for decimals: it is not of the United States

    @property
    def is_told(self) -> bool:
        """Whether a date or the language says the order."""
        return self.proven is not None or self.is_foreign

    def order(self, place: Place, currency: str | None) -> DateOrder:
        """Proven by a part above 12, else by language, decimal mark, currency, region of the desk.

        Args:
            place: of the instrument, whose market's is the order where nothing states its currency.
            currency: of the instrument.
        """
        if place.asset_class in _AMERICAN and not self.is_foreign:
            return DateOrder.mdy
        if self.proven is not None:
            return self.proven
        if self.is_foreign or self.has_commas:
            return DateOrder.dmy
        money = currency_of(place, currency)[0]
        american = money in _MONTH_FIRST_CURRENCIES if money is not None else place.desk in MONTH_FIRST_REGIONS
        return DateOrder.mdy if american else DateOrder.dmy


def proven(parts: Iterable[tuple[str, str]]) -> DateOrder | None:
    """The one order that the first two parts of some dates prove: one above 12 is no month."""
    above = [(int(first) > 12, int(second) > 12) for first, second in parts]
    found = {DateOrder.dmy if first else DateOrder.mdy for first, second in above if first != second}
    return found.pop() if len(found) == 1 else None
