"""Columns whose heading has two meanings, settled by what they hold (ruling 14)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.lexicon import compiled
from parsers.quotes.classes.naming import sector_class
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS, IGNORED, LEVEL, NAMES, SIZE, UNKNOWN
from parsers.quotes.tables.cells.readings import has_prefix
from parsers.quotes.tables.columns.stacked import side_word
from parsers.quotes.tables.columns.together import by_money, of_curves, over_benchmarks, without_changes
from parsers.values.benchmarks import bond
from parsers.values.currencies import CODE, PAIR
from parsers.values.identifiers import check
from parsers.values.numbers import is_null, number
from parsers.values.separators import Locale
from parsers.values.sizes import UNIT_IN_TEXT
from parsers.values.times.tenors import tenor
from parsers.values.words import fold

_IS_CODE = re.compile(CODE)
_COUNTED = 3
"""Rows; fewer may be of 1 and 2 millions."""
_COUNTED_BESIDE = 1
"""Row, where another column has the sizes."""

_BILLION = 10**9
_OF_ISSUE = re.compile(r"\bam(?:oun)?t\b", re.IGNORECASE)
"""`Amt (bn)` is what was issued; nobody makes a price in billions."""
_OF_BONDS = frozenset({"price", "price_pct", "yield_pct", "spread_asw_bp", "spread_bench_bp", "spread_z_bp"})
_WHOLE = re.compile(rf"\d{{1,3}}(?:\s?[x/]\s?\d{{1,3}})?(?:\s?{UNIT_IN_TEXT})?", re.IGNORECASE)
_SIZES = compiled(
    r"\d+(?:[.,]\d+)?{thousands_or_millions}?\s?x\s?\d+(?:[.,]\d+)?{thousands_or_millions}?", re.IGNORECASE
)
_REFERRING = re.compile(r"r[eé]f(?:[eé]ren(?:ce|cia|z))?\b", re.IGNORECASE)
_PRODUCT = compiled(r"{pool_program_short} ?\d")
_AGAINST = ("vs", "vs.")
"""Over the price of a convertible's stock."""
_UNMISTAKABLE = ("isin", "cusip", "loanx_id", "figi")
_UNSURE = NAMES | {UNKNOWN, "part", "coupon"}
"""Roles that identifiers overrule: `Loan` over `LX131555`."""

_DIVIDENDS = {("dividend",), ("dividende",), ("dividendo",)}
_LEAST_RATE, _MOST_RATE = 3, 15
"""Percent; smaller dividends may be money."""

_SIDES = frozenset({"bid", "ask"})
_LEAST = 2
"""Rows; one identifier may be a word by chance."""


def in_language(columns: Sequence[Column], language: str | None) -> Sequence[Column]:
    """The columns, `Volume` of a Portuguese table a size (spec 5.3); elsewhere it is what was traded."""
    if language != "pt":
        return columns
    return [replace(one, role=SIZE) if one.text.strip().casefold() == "volume" else one for one in columns]


def by_values(columns: Sequence[Column], sample: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, each with the role that its values leave."""
    named = [column.role for column in columns]
    is_named_twice = sum(role in NAMES or role in IDENTIFIERS for role in named) > 1
    has_prices = "ref_price" not in named and any(
        column.measure in _OF_BONDS and column.option_struct is None for column in columns
    )
    settled = [
        column
        if column.role == LEVEL and column.measure != "vol"
        else _settled(
            column,
            sample,
            is_named_twice=is_named_twice,
            is_last_named=any(one.role in {"tranche", "part"} and one.at < column.at for one in columns),
            is_only_size=named.count(SIZE) == 1 and "orig_face" not in named,
            has_prices=has_prices,
        )
        for column in columns
    ]
    settled = over_benchmarks(without_changes(_without_days(of_curves(settled), sample)), sample)
    return tuple(by_money(_named(settled, sample)))


def _without_days(columns: list[Column], sample: Sequence[Row]) -> list[Column]:
    """The columns, no tenors those that count the days to maturities beside them: `Plazo` over 900."""
    if not any(found.role == "maturity" for found in columns):
        return columns
    return [
        replace(found, role=IGNORED) if found.role == "tenor" and _hold(found, sample, str.isdigit) else found
        for found in columns
    ]


def _named(columns: list[Column], sample: Sequence[Row]) -> list[Column]:
    """The columns, the first for the names of the rows where the only other such column holds numbers.

    `IG47 5Y tranches` over `0-3%`, beside a `Ref` of 51.
    """
    if not columns:
        return columns
    names = [index for index, column in enumerate(columns) if column.role in NAMES or column.role in IDENTIFIERS]
    first = columns[0]
    if _is_product(first, columns) and _hold(first, sample, _worded):
        return [replace(first, role="description"), *columns[1:]]
    if len(names) == 1 and (bare := _unheaded(columns, columns[names[0]], sample)) is not None:
        return [bare, *(replace(one, role="ref_price") if one.role in NAMES else one for one in columns)]
    if len(names) != 1 or first.clear or first.role not in {UNKNOWN, LEVEL}:
        return columns
    other = columns[names[0]]
    if not _hold(other, sample, _plain_number) or _hold(first, sample, _plain_number):
        return columns
    columns[names[0]] = replace(other, role=IGNORED)
    columns[0] = replace(first, role="description", tenor=None, title=None)
    return columns


def _is_product(first: Column, columns: Sequence[Column]) -> bool:
    """`Note` over what others call a product, where nothing else names it."""
    return first.text.strip().casefold() == "note" and all(one.role != "description" for one in columns)


def _unheaded(columns: list[Column], other: Column, sample: Sequence[Row]) -> Column | None:
    """The column of names without a heading, left of all, where a `Ref` over the price of the stock is no name."""
    at = columns[0].at - 1
    if at < 0 or _REFERRING.match(other.text) is None or not _hold(other, sample, _number):
        return None
    bare = Column(at=at, text="", role="description")
    return bare if _hold(bare, sample, _worded) else None


def _settled(
    column: Column,
    sample: Sequence[Row],
    *,
    is_named_twice: bool,
    is_last_named: bool,
    is_only_size: bool,
    has_prices: bool,
) -> Column:
    if fold(column.text) in _DIVIDENDS and _hold(column, sample, _rate):  # of a preferred
        return replace(column, role="coupon", record=None)
    if column.role == "coupon" and _hold(column, sample, _PRODUCT.match):  # `Cpn` over `FNCL 5.5`
        return replace(column, role="description")
    if column.role == "maturity" and _hold(column, sample, tenor):  # `Laufzeit`, `Échéance`
        return replace(column, role="tenor")
    if column.role == "description" and _REFERRING.match(column.text) is not None:
        return _referring(column, sample, is_named_twice=is_named_twice, is_last_named=is_last_named)
    role = _role_by_values(column, sample, has_prices=has_prices)
    if role is not None:
        return replace(column, role=role)
    return _of_size(column, sample, is_only=is_only_size) if column.role == SIZE else column


def _referring(column: Column, sample: Sequence[Row], *, is_named_twice: bool, is_last_named: bool) -> Column:
    """`Référence` beside the names of the rows; `Ref` of 52 behind `0-3%`."""
    if is_named_twice and _hold(column, sample, bond):
        return replace(column, role="benchmark")
    is_number = (is_named_twice and _hold(column, sample, _number)) or (
        is_last_named and _hold(column, sample, _plain_number)
    )
    return replace(column, role="ref_price") if is_number else column


def _role_by_values(column: Column, sample: Sequence[Row], *, has_prices: bool) -> str | None:
    """The role that the values of a column leave no doubt of, if it is another than its heading's."""
    if has_prices and _may_be_volume(column):
        return SIZE if _hold(column, sample, _WHOLE.fullmatch) else None  # `Vol.` in millions
    if column.role in {SIZE, UNKNOWN} and _hold(column, sample, PAIR.fullmatch):  # `Par` in Spanish
        return "description"
    if column.role == "benchmark" and _hold(column, sample, _plain_number):  # `Crv`: what the curve gives
        return "ref_price" if column.text.lower() in _AGAINST else IGNORED
    if _may_be_sector(column) and _hold(column, sample, sector_class):  # `Class` over `IG`, `HY`
        return "sector"
    is_face = column.role == "currency" and _hold(column, sample, _number)  # `Curr`: the current face
    if is_face or (column.role == UNKNOWN and _hold(column, sample, _SIZES.fullmatch)):  # `Up` over `5x5`
        return SIZE
    return unmistakable(column, sample) if column.role in _UNSURE else None


def _may_be_volume(column: Column) -> bool:
    """`Vol.`, without a side."""
    return column.role == LEVEL and column.measure == "vol" and column.side is None


def _may_be_sector(column: Column) -> bool:
    return column.role == "tranche" and "tranche" not in column.text.lower()


def unmistakable(column: Column, sample: Sequence[Row]) -> str | None:
    """What a column of identifiers, currencies, sides or benchmarks is, whatever stands above it."""
    texts = [text for row in sample if (text := row.cells[column.at].text)]
    if len(texts) < _LEAST:
        return None
    if column.role in {UNKNOWN, "coupon"} and all(map(_IS_CODE.fullmatch, texts)):  # `Div.` of money too
        return "currency"
    if column.role == UNKNOWN and column.benchmark and all(map(bond, texts)):  # `GoC` over `CAN 2.75 03/30`
        return "benchmark"
    if column.role == UNKNOWN and all(side_word(text) in _SIDES for text in texts):
        return "axe"
    return next((kind for kind in _UNMISTAKABLE if all(check(kind, text) for text in texts)), None)


def _of_size(column: Column, sample: Sequence[Row], *, is_only: bool) -> Column:
    is_open = column.side is None and column.unit is None
    if (is_open and counts_rows(column, sample, _COUNTED if is_only else _COUNTED_BESIDE)) or (
        column.unit == _BILLION and _OF_ISSUE.search(column.text)
    ):
        return replace(column, role=IGNORED)
    is_level = column.side is not None and _hold(column, sample, _over_a_curve)  # `Fin. Bid`
    return replace(column, role=LEVEL, clear=True) if is_level else column


def _hold(column: Column, sample: Sequence[Row], read: Callable[[str], object]) -> bool:
    """Whether a column has texts, and all of them can be read."""
    at, has_text = column.at, False
    for row in sample:
        text = row.cells[at].text
        if text and not is_null(text):
            if not read(text):
                return False
            has_text = True
    return has_text


def counts_rows(column: Column, sample: Sequence[Row], least: int = _COUNTED) -> bool:
    """Whether a column counts its rows: `Lot` over 1, 2, 3."""
    texts = [text for row in sample if (text := row.cells[column.at].text)]
    return len(texts) >= least and texts[0] == "1" and texts == [str(at) for at in range(1, len(texts) + 1)]


def _worded(text: str) -> str | None:
    return text if any(map(str.isalpha, text)) and not text.replace(",", ".")[:4].replace(".", "").isdigit() else None


def _plain_number(text: str) -> str | None:
    return text if text.replace(".", "", 1).replace(",", "").isdigit() else None


def _rate(text: str) -> bool:
    found = number(text.rstrip(" %"), Locale.comma if "," in text else Locale.point)
    return found is not None and _LEAST_RATE <= found.value <= _MOST_RATE


def _number(text: str) -> str | None:
    return text if text.lstrip("@ $")[:1].isdigit() else None


def _over_a_curve(text: str) -> str | None:
    """`SOFR-15`."""
    return text if has_prefix(text) and text[0].isalpha() else None
