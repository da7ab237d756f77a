"""Tables with prices that nobody makes: holdings, confirmations, research, market wraps (spec 2.9)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from parsers.document import Row
from parsers.lexicon import compiled
from parsers.quotes.draft import Draft
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS, OF_BONDS, SIZE
from parsers.quotes.tables.around.sections import is_market_talk
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.cells.sizes import size_of
from parsers.quotes.tables.columns.table import Table
from parsers.values.currencies import PAIR
from parsers.values.sizes import SizeRules
from parsers.values.times.dates import DateOrder, maturity

_LISTED = compiled(
    "[A-Z0-9]{1,6}(?:/[A-Z])? {exchange}(?: Equity)?"
)  # a share's ticker and its exchange, as Bloomberg writes them
_DONE = compiled(
    r"\b{numbered_deal} ?{deal_number}|\b(?:{counterparty}|{valuation_short})\b|mark[- ]to[- ]market",
    re.IGNORECASE,
)
_DEALT = compiled(
    r"^(?:{dealt_heading}|value(?: \(?[a-z]{3}\)?)?)$",
    re.IGNORECASE,
)
"""Beside a bid and an ask these may be the dealer's own: `Status`, `Account`."""
_PAST = compiled(
    r"^1d$|\b(?:{past_measure}|(?:\d{1,2}[dwmy]|{period})\s+{past_of})",
    re.IGNORECASE,
)
_AGO = re.compile(r"\b(?:ago|then|before)\b", re.IGNORECASE)
_NAV = compiled(r"(?:{nav_kind}\s)?{nav_name}(?:\s?(?:per|/)\s?{share_or_unit})?", re.IGNORECASE)
_TERMS = ("issuer", "ticker", "tranche", "seniority", "rating", "coupon", "coupon_margin_bp", "maturity", "tenor",
          "strike", "factor", "wal_years", "ce_pct", "orig_face")  # fmt: skip
_LIKELY = 2
"""Columns that a price list may have too, of which so many make a statement."""

_BENCHMARK = compiled(
    r"({benchmark_country})s?[ -]\d{1,2} ?{year_letter}",
    re.IGNORECASE,
)
_PAIRED = re.compile(r"\d\s?/\s?\d|\d\s?-\s?\d")
_ACCRUED = Fraction(4, 100)
_EXACT = Fraction(1, 10_000)
_MONITORED = 2
"""Rows of share indices, commodities, currencies from which a table may be a monitor."""


def is_record(columns: Sequence[Column]) -> bool:
    """Whether the columns are those of what is held or recommended, and none is a bid or an ask; or of what is done."""
    done = sum(1 for column in columns if _DONE.search(column.text))
    if done >= _LIKELY or _is_of_funds(columns):
        return True
    if _has_sides(columns):
        return False
    of_a_trade = columns[:1] if columns and columns[0].text.casefold() == "trade" else ()
    if len(of_a_trade) + done + sum(1 for column in columns if _DEALT.search(column.text)) >= _LIKELY:
        return True
    marks = [column.record for column in columns if column.record is not None]
    return "sure" in marks or len(marks) >= _LIKELY


def _is_of_funds(columns: Sequence[Column]) -> bool:
    """Whether a net asset value stands beside ISINs: the price list of a fund, whose own bid and offer are fees.

    Shares in private funds, which are quoted in per cent of such values, have none; beside equity of a CLO stand sizes
    and returns.
    """
    roles = {column.role for column in columns}
    is_sized = SIZE in roles or any(column.measure == "irr_pct" for column in columns)
    return "isin" in roles and not is_sized and any(_NAV.fullmatch(column.text) for column in columns)


def is_recap(columns: Sequence[Column]) -> bool:
    """Whether lone levels stand beside what they were in the past, and nothing identifies a bond: a look back."""
    if _has_sides(columns) or any(column.role in IDENTIFIERS | OF_BONDS for column in columns):
        return False
    past = sum(1 for column in columns if _PAST.search(column.text))
    return past >= _LIKELY or (past > 0 and any(_AGO.search(column.text) for column in columns))


def is_valued(table: Table) -> bool:
    """Whether a column is what the others multiply to, nominal by price: a statement, whatever its words."""
    sizes = [column.at for column in table.columns if column.role == SIZE]
    prices = [column.at for column in table.columns if column.is_level]
    if {"ask", "both"} & _sides(table.columns) or not sizes or not prices:  # a holding may be valued at bid
        return False
    known = {*sizes, *prices, *(at for places in table.fields.at.values() for at in places)}
    return any(
        _are_values(table, size, price, value.at, is_counted=value.role == SIZE)
        for size in sizes
        for price in prices
        for value in table.columns
        if value.at not in known or _may_be_value(value, size, price)
    )


def _may_be_value(column: Column, size: int, price: int) -> bool:
    """Whether a column whose meaning is known can be the product of these two all the same."""
    if column.is_level:
        return column.at != price
    return column.at != size if column.role == SIZE else column.role in {"unknown", "ignored"}


def _are_values(table: Table, size: int, price: int, value: int, *, is_counted: bool) -> bool:
    """Whether all rows with a value have about size by price per cent of it; accrued interest may be in it.

    One row does where it is so to the cent; so it must be of a column that is headed like a size (`is_counted`).
    """
    found = [valued for row in table.sample if (valued := _share(row, table, size, price, value)) is not None]
    if is_counted or len(found) == 1:
        return bool(found) and all(abs(share - 1) < _EXACT for share in found)
    return len(found) >= _MONITORED and all(1 - _ACCRUED < share < 1 + _ACCRUED for share in found)


def _share(row: Row, table: Table, size: int, price: int, value: int) -> Fraction | None:
    rules = SizeRules(table.locale, multiplier=1)
    face, worth = (size_of(row.cells[at], rules) for at in (size, value))
    level = plain(row.cells[price], table.locale)
    if level == 100:  # what is worth its face proves nothing
        return None
    return worth.value * 100 / (face.value * level) if face and worth and face.value and level else None


def is_of_goods(columns: Sequence[Column], drafts: Sequence[Draft]) -> bool:
    """Whether no row is of anything that is quoted, nor is a market made: an invoice, counts under `Private Sale`.

    What is quoted has an identifier, an issuer or ticker, terms of a bond or loan, or a class that something tells.
    """
    return bool(drafts) and not has_both_sides(columns) and not any(map(_is_quotable, drafts))


def _is_quotable(draft: Draft) -> bool:
    named = draft.instrument
    due = named.maturity_text
    return (
        draft.asset_class != "unknown"
        or bool(named.identifiers)
        or any(getattr(named, term) is not None for term in _TERMS)
        or (due is not None and maturity(due, DateOrder.dmy) is not None)
        or any(level.tenor is not None or (level.bid is not None and level.ask is not None) for level in draft.levels)
    )


def _has_sides(columns: Sequence[Column]) -> bool:
    return bool({"bid", "ask", "both"} & _sides(columns))


def has_both_sides(columns: Sequence[Column]) -> bool:
    """Whether the columns make a market: no calendar and no auction has both."""
    sides = _sides(columns)
    return "both" in sides or {"bid", "ask"} <= sides


def _sides(columns: Sequence[Column]) -> set[str | None]:
    return {column.side for column in columns if column.is_level}


def is_monitor(table: Table, *, is_classed: bool) -> bool:
    """Whether a third of the rows are share indices, commodities and currencies: a wrap of the day.

    So it is of shares by their exchanges (`AAPL US`) and of pairs of currencies without a tenor, where nothing says
    what the table is of (`is_classed`), and of the lone yields of several countries: `UST 10Y` above `Bund 10Y`.
    """
    if not table.fields.at.keys().isdisjoint(IDENTIFIERS):
        return False
    names = [name for row in table.sample if (name := table.fields.name(table.fields.texts(row.cells)))]
    if _are_benchmarks(names) and not _has_sides(table.columns):
        return not _has_pairs(table)
    shares = sum(1 for name in names if is_market_talk(name) or (not is_classed and _LISTED.fullmatch(name)))
    crosses = sum(1 for name in names if PAIR.fullmatch(name.strip()))
    if not is_classed and crosses == len(names) >= _MONITORED and not _is_dated(table):
        return True
    return shares >= _MONITORED and (shares + crosses) * 3 >= len(names)


def _has_pairs(table: Table) -> bool:
    """Whether a cell holds a market of its own."""
    return any(_PAIRED.search(row.cells[one.at].text) for row in table.sample for one in table.columns)


def _are_benchmarks(names: Sequence[str]) -> bool:
    """Whether all names are of governments' benchmarks, of several of them."""
    benchmarks = [match[1].casefold() for name in names if (match := _BENCHMARK.fullmatch(name.strip()))]
    return len(benchmarks) == len(names) and len(set(benchmarks)) > 1


def _is_dated(table: Table) -> bool:
    """Whether rows or columns have a term: of forwards, no spots."""
    if not table.fields.at.keys().isdisjoint({"tenor", "maturity"}):
        return True
    return any(one.tenor for one in table.columns)
