"""What is known of each asset class, as data: words, instrument patterns, what its bare levels are (spec 1).

Four files, one a family; one table a class:
    types         what it is quoted in, the default first
    spread        what a bare `bp` or a bare `+` is
    currency      of its market, assumed where none is printed
    ticks         `cash`: its prices are in 32nds; `usd`: only in US dollars; else never
    unmarked      what a level without any mark is: [quote type, lowest, highest, shape, decimals], the first that
                  fits; shape `falling`: first value above the second; decimals: at most so many printed
    words         of headings, subjects and file names, folded, in the six languages
    instruments   patterns of instrument texts, matched from the start
    strong        patterns that say more than a heading does
    shelves       first words of the names of its deals
    markets       currencies of instruments by pattern, before the class's own
    futures       instruments whose 32nds are an exchange's: a third digit 0, 2, 5, 7 is quarters
    on_price      instruments of the class that trade on price instead
    size_unit     what a size counts, if not face
    flat          its prices are without accrued interest
    curve         it is quoted by tenor
    thousands     its sizes are in thousands: `M` anywhere, a quantity in front of a name, a column of small numbers
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources

from msgspec import Struct, field

from parsers.codes import QuoteType
from parsers.values.currencies import CODE
from parsers.values.numbers import Ticks
from parsers.values.words import fold

_FILES = ("rates", "credit", "securitised", "derivatives")
_LONGEST_PHRASE = 4  # words
PRODUCTS = frozenset({"repo", "trs", "strips", "cds_tranche"})
"""Made of instruments of other classes, which their headings name too: `UST repo`."""
_HEADS = frozenset({"cds_single", "frn", "convertible"})
"""Of whatever stands right in front of them: `Agency floaters`."""
_LISTING = re.compile(r"[&+/,]")
"""Between things, none of which is the head of another: `HY & converts`."""
_OVER = frozenset({"mid", "vs", "over", "asset", "interpolated", "interp", "against"})
"""In front of swaps, or of a government's bonds, that are the curve of a spread."""
_CURVES = frozenset({"govt_us", "govt_intl", "govt_canada"})
_PAIR = re.compile(rf"\b(?:{CODE})/?(?:{CODE})\b")
_VOL = re.compile(r"\bvols?\b", re.IGNORECASE)
_OPTIONS = re.compile(r"\b(?:options?|swaptions?|payers?|receivers?|vols?)\b", re.IGNORECASE)
"""On an index."""
_TITLED = frozenset(
    {"MBONO", "UDIBONO", "CETES", "BONO", "TES", "SOB", "BUND", "BOBL", "SCHATZ", "GILT", "ITRAXX", "SOBERANO"}
)
"""Instruments that are also written with one capital."""
_DEAL = re.compile(
    r"([A-Z0-9]{2,6}) (?:(?:19|20)\d\d-[A-Z0-9]{1,6}|\d{1,3}(?:X|-\d)?[A-Z]{0,2}) [A-Z0-9]{1,5}\b(?![/.])"
)


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
    flat: bool = False
    curve: bool = False
    thousands: bool = False
    on_price: re.Pattern[str] | None = None
    futures: re.Pattern[str] | None = None
    instruments: re.Pattern[str] | None = None
    strong: re.Pattern[str] | None = None
    words: tuple[str, ...] = ()
    shelves: frozenset[str] = field(default_factory=frozenset)
    markets: tuple[tuple[re.Pattern[str], str], ...] = ()

    def market_of(self, text: str) -> str | None:
        """The currency of an instrument by its text, where the class has several markets."""
        text = _capitals(text) if self.markets else text
        return next((currency for pattern, currency in self.markets if pattern.match(text)), None)

    def market_in(self, heading: str) -> str | None:
        """The currency of the market that a heading names by its bonds: `TES tasa fija`."""
        return next(filter(None, map(self.market_of, _words_on(heading))), None) if self.markets else None

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


def rules_of(name: str) -> ClassRules:
    """The rules of a class; of none in particular for `unknown`."""
    return _rules().get(name, _UNKNOWN)


def class_by_words(text: str) -> str | None:
    """The class that a heading, subject or file name speaks of: its longest phrase; of equals a product, the first."""
    found = class_named(text)
    return found[1] if found is not None else None


def class_named(text: str) -> tuple[int, str] | None:
    """How many words of a text name a class, and which."""
    return _class_named(text[:300])


def classes_in(text: str) -> frozenset[str]:
    """All classes that a heading over bonds speaks of, where it is more than one: `SSA & covered`."""
    found = _named(text[:300])
    heads = {start for _, name, start in found if name in _HEADS} if _LISTING.search(text) is None else set()
    named = frozenset(  # a word inside a longer phrase is that phrase's: `Chile BTP`
        name
        for length, name, at in found
        if at + length not in heads and not any(start < at and at + length <= start + more for more, _, start in found)
    )
    products = named & PRODUCTS
    is_beside = products == {"strips"} and _LISTING.search(text) is not None  # `Gilt strips & linkers`
    return named if len(named) > 1 and (not products or is_beside) else frozenset()


def _class_named(text: str) -> tuple[int, str] | None:
    best: tuple[int, str] | None = None
    end = 0
    is_listing = _LISTING.search(text) is not None
    for length, found, start in _named(text):
        is_head = found in _HEADS and start == end and not is_listing  # `EM Sovereign CDS`
        is_made = found in PRODUCTS or is_head
        is_product = is_made and best is not None and length + 1 >= best[0]  # `iTraxx Main tranches`
        if best is None or is_product or (length > best[0] and best[1] not in PRODUCTS):
            best, end = (length, found), start + length
    if (best is None or best[1] == "swaption") and _PAIR.search(text) and _VOL.search(text):  # `USDBRL vol surface`
        return 2, "fx_option"
    if best is not None and best[1] == "cds_index" and _OPTIONS.search(text):  # `CDX IG47 Jan options`
        return best[0], "cds_tranche"
    return best


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[tuple[int, str, int], ...]:
    """How many words name which class, and from which word on, for each word that begins such a phrase."""
    words = fold(text.replace("CDs", "certificates of deposit"))  # no swaps
    phrases, first_words = _phrases(), _first_words()
    named = []
    for start, first in enumerate(words):
        if first not in first_words or (first == "swaps" and start and words[start - 1] in _OVER):
            continue
        for length in range(min(_LONGEST_PHRASE, len(words) - start), 0, -1):
            found = phrases.get(" ".join(words[start : start + length]))
            if found is not None and not (found in _CURVES and start and words[start - 1] in _OVER):
                named.append((length, found, start))
                break
    return tuple(named)


@lru_cache(maxsize=4096)  # asked several times of a line, and the same bonds come every day
def class_by_instrument(text: str, *, strong: bool = False) -> str | None:
    """The class that an instrument's text has the form of; `strong`: only forms that leave no doubt."""
    text = _capitals(text)
    match = _forms(strong=strong).match(text)
    return match.lastgroup if match is not None else class_by_deal(text)


def _capitals(text: str) -> str:
    """The text with the name of its instrument in capitals: `Bund 2,60%`, `Cetes 6M`."""
    first, space, rest = text.partition(" ")
    is_titled = first.istitle() and first.isalpha() and first.upper() in _TITLED
    return f"{first.upper()}{space}{rest}" if is_titled else text


def is_of_class(text: str, name: str) -> bool:
    """Whether an instrument's text has a form of this class."""
    rules = rules_of(name)
    text = _capitals(text)
    for pattern in (rules.instruments, rules.strong):
        if pattern is not None and pattern.match(text) is not None:
            return True
    return class_by_deal(text) == name


def class_by_deal(text: str) -> str | None:
    """The class of a deal by its shelf: `BBCMS 2023-C19 A5`."""
    match = _DEAL.match(text)
    return _shelves().get(match[1]) if match is not None else None


@cache
def _forms(*, strong: bool) -> re.Pattern[str]:
    """The instruments of all classes, each in a group of the class's name: the first class that fits is the one."""
    forms = {rules.name: rules.strong if strong else rules.instruments for rules in _rules().values()}
    return re.compile("|".join(f"(?P<{name}>{form.pattern})" for name, form in forms.items() if form is not None))


@cache
def _rules() -> dict[str, ClassRules]:
    found = {}
    for file in _FILES:
        tables = tomllib.loads(resources.files(__name__).joinpath(f"{file}.toml").read_text("utf-8"))
        for name, table in tables.items():
            found[name] = ClassRules(
                name=name,
                types=tuple(QuoteType(quote_type) for quote_type in table["types"]),
                unmarked=tuple(_unmarked(reading) for reading in table["unmarked"]),
                spread=QuoteType(table["spread"]) if "spread" in table else None,
                currency=table.get("currency"),
                ticks=table.get("ticks", "off"),
                size_unit=table.get("size_unit", "face_ccy"),
                flat=table.get("flat", False),
                curve=table.get("curve", False),
                thousands=table.get("thousands", False),
                on_price=_pattern([table["on_price"]]) if "on_price" in table else None,
                futures=_pattern([table["futures"]]) if "futures" in table else None,
                instruments=_pattern(table.get("instruments", [])),
                strong=_pattern(table.get("strong", [])),
                words=tuple(table["words"]),
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


@cache
def _phrases() -> dict[str, str]:
    return {" ".join(fold(phrase)): rules.name for rules in _rules().values() for phrase in rules.words}


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.partition(" ")[0] for phrase in _phrases())


@cache
def _shelves() -> dict[str, str]:
    return {shelf: rules.name for rules in _rules().values() for shelf in rules.shelves}
