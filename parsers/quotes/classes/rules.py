"""A class's table of rules, as the four files have it (`parsers.quotes.classes`)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache

from msgspec import Struct, field

from parsers.codes import QuoteType
from parsers.values.numbers import Ticks
from parsers.words import words_of

_FILES = ("rates", "credit", "securitised", "derivatives")
_TITLED = frozenset(
    {"MBONO", "UDIBONO", "CETES", "BONO", "TES", "SOB", "BUND", "BOBL", "SCHATZ", "GILT", "ITRAXX", "SOBERANO"}
)
"""Instruments that are also written with one capital."""


SECURITISED = frozenset(
    {"tba_mbs", "agency_mbs_cmo", "rmbs_nonagency", "crt", "cmbs", "abs", "clo", "cdo_trups"}
)  # fmt: skip
"""Classes whose lines have lives, enhancement, factors and original faces."""


class Unmarked(Struct, frozen=True):
    """One reading of a level without a mark."""

    quote_type: QuoteType
    low: Fraction
    high: Fraction
    falling: bool = False
    decimals: int | None = None


class ClassRules(Struct, frozen=True):
    """One class's table."""

    name: str
    types: tuple[QuoteType, ...]
    unmarked: tuple[Unmarked, ...]
    spread: QuoteType | None = None
    currency: str | None = None
    ticks: str = "off"
    size_unit: str = "face_ccy"
    deal: int | None = None
    flat: bool = False
    to_call: bool = False
    curve: bool = False
    thousands: bool = False
    on_price: re.Pattern[str] | None = None
    futures: re.Pattern[str] | None = None
    instruments: re.Pattern[str] | None = None
    strong: re.Pattern[str] | None = None
    shelves: frozenset[str] = field(default_factory=frozenset)
    markets: tuple[tuple[re.Pattern[str], str], ...] = ()

    def market_of(self, text: str) -> str | None:
        """The currency of an instrument by its text, where the class has several markets."""
        text = capitals(text) if self.markets else text
        return next((currency for pattern, currency in self.markets if pattern.match(text)), None)

    def market_in(self, heading: str) -> str | None:
        """The currency of the one market that a heading names by its bonds: `TES tasa fija`, `Gilts`."""
        found = set(filter(None, map(self.market_of, _words_on(heading)))) if self.markets else set()
        return found.pop() if len(found) == 1 else None

    def is_of_deal(self, amount: Fraction | None) -> bool:
        """Whether an amount is that of the whole deal, as a loan's facility, of which nobody quotes all."""
        return self.deal is not None and amount is not None and amount >= self.deal

    def level_ticks(self, currency: str | None, instrument: str = "") -> Ticks:
        """Whether its prices are in 32nds, given the block's currency and the instrument's text (spec 4.4)."""
        if self.futures is not None and self.futures.match(instrument):
            return Ticks.futures
        is_usd = self.ticks == "usd" and (currency or self.market_of(instrument)) == "USD"
        return Ticks.cash if self.ticks == "cash" or is_usd else Ticks.off


def _words_on(text: str) -> list[str]:
    """The text from each of its words on."""
    words = text.split()
    return [" ".join(words[at:]) for at in range(len(words))]


_UNKNOWN = ClassRules(
    "unknown",
    (),
    (
        Unmarked(QuoteType.price_pct, Fraction(20), Fraction(250)),
        Unmarked(QuoteType.yield_pct, Fraction(-3), Fraction(20)),
        Unmarked(QuoteType.spread_unspecified_bp, Fraction(-200), Fraction(5000)),
    ),
)


@lru_cache(maxsize=256)  # asked a dozen times of a line
def rules_of(name: str) -> ClassRules:
    """The rules of a class; of none in particular for `unknown`."""
    return all_rules().get(name, _UNKNOWN)


def capitals(text: str) -> str:
    """The text with the name of its instrument in capitals: `Bund 2,60%`, `Cetes 6M`."""
    first, space, rest = text.partition(" ")
    is_titled = first.istitle() and first.isalpha() and first.upper() in _TITLED
    return f"{first.upper()}{space}{rest}" if is_titled else text


@cache
def all_rules() -> dict[str, ClassRules]:
    """The rules of every class, by its name, in the order of the files."""
    found = {}
    for file in _FILES:
        tables = words_of(__file__, file)
        for name, table in tables.items():
            found[name] = ClassRules(
                name=name,
                types=tuple(QuoteType(quote_type) for quote_type in table["types"]),
                unmarked=tuple(_unmarked(reading) for reading in table["unmarked"]),
                spread=QuoteType(table["spread"]) if "spread" in table else None,
                currency=table.get("currency"),
                ticks=table.get("ticks", "off"),
                size_unit=table.get("size_unit", "face_ccy"),
                deal=table.get("deal"),
                flat=table.get("flat", False),
                to_call=table.get("to_call", False),
                curve=table.get("curve", False),
                thousands=table.get("thousands", False),
                on_price=_pattern([table["on_price"]]) if "on_price" in table else None,
                futures=_pattern([table["futures"]]) if "futures" in table else None,
                instruments=_pattern(table.get("instruments", [])),
                strong=_pattern(table.get("strong", [])),
                shelves=frozenset(table.get("shelves", ())),
                markets=tuple((re.compile(source), currency) for currency, source in table.get("markets", {}).items()),
            )
    return found


def _unmarked(reading: list[str | float | int]) -> Unmarked:
    quote_type, low, high, *more = reading
    return Unmarked(
        QuoteType(str(quote_type)),
        Fraction(str(low)),
        Fraction(str(high)),
        falling="falling" in more,
        decimals=int(more[1]) if len(more) > 1 else None,
    )


def _pattern(sources: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{source})" for source in sources)) if sources else None
