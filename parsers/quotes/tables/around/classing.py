"""The asset class of a table and of its rows, and what said so (spec section 1, detection order)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from parsers.document import Row
from parsers.quotes.answers.told import Told
from parsers.quotes.classes import PRODUCTS, class_by_instrument, class_by_words, classes_in, rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.heeding import MAX_REMARK
from parsers.quotes.headings.roles import NAMES
from parsers.quotes.headings.told import told
from parsers.securities.dictionary import Dictionary
from parsers.values.currencies import PAIR
from parsers.values.spreads import spread_prefix
from parsers.values.words import fold

_BY_MEASURE = {
    "payup_32": "agency_mbs_cmo",
    "spread_mmd_bp": "us_muni",
    "pct_nav": "private_equity_secondary",
    "base_corr_pct": "cds_tranche",
}
"""Measures that only one class has columns of."""
_BY_DELTA = frozenset({"rr25", "bf25", "rr10", "bf10"})
"""Structures that only options on currencies are quoted in."""
_FORWARDS = frozenset({"fwd_points", "fx_rate"})
_ON_OTHERS = frozenset({"cds_single", "repo", "trs", "strips"})
_ISSUED = frozenset({"em_hard_ccy", "corp_ig", "corp_hy", "financial_sub", "govt_us", "govt_intl", "agency_ssa"})
"""Of a title of CDS, a section `CEEMEA` or `Financials` only says whose."""
_OVER = frozenset({"UST", "UKT", "DBR"})
_CREDIT = frozenset({"spread_g_bp", "spread_i_bp"})
"""Curves and measures that credit is quoted over."""
_LEAST_TENORS = 2  # of a curve


class Class(Struct, frozen=True, gc=False):
    """A class and where it was found."""

    name: str = "unknown"
    source: str = "none"
    also: frozenset[str] = frozenset()  # all classes that the same words name, if several


_ANY_CDS = re.compile(r"(?<![a-z])cds(?![a-z])")
"""Swaps or certificates of deposit."""
_ANY_CP = re.compile(r"(?<![a-z])c[bdp](?![a-z])")
"""Of a file: `cp.csv` may be of preferreds in Canada."""


def table_class(
    columns: Sequence[Column],
    titles: Sequence[str],
    lines: Sequence[str],
    names: Sequence[tuple[str, str | None]],
) -> Class:
    """The class that a table's own words name.

    Args:
        columns: its headings.
        titles: in the grid above it, top-down.
        lines: right above the grid, top-down.
        names: (source, text) of sheet, file and subject, in that order.
    """
    said = (*((title, "title") for title in reversed(titles)), *((text, source) for source, text in names if text))
    if (over_names := _over_names(columns, said)) is not None:
        return over_names
    if (named := _by_columns(columns, titles, lines, names)) is not None:
        return Class(named, "header")
    for texts, place in ((titles, "title"), (lines, "heading")):
        for line in map(told, reversed([text for text in texts if len(text) <= MAX_REMARK])):
            if line.named is not None:
                return Class(line.named, place, line.also)
    for source, text in _by_trust(columns, names):
        if text and (found := class_by_words(text.replace("_", " "))):
            return Class(found, source, classes_in(text))
    return _of_curves(columns, names)


def _over_names(columns: Sequence[Column], said: Sequence[tuple[str, str]]) -> Class | None:
    """The class that the heading of the names says; `Gilt` of a list of repos says what they are of."""
    for column in columns:
        if column.role in NAMES and len(fold(column.text)) == 1 and (found := class_by_words(column.text)):
            products = ((class_by_words(text.replace("_", " ")), source) for text, source in said)
            made = next(((name, source) for name, source in products if name in PRODUCTS), None)
            return Class(*made) if made else Class(found, "header")
    return None


def _by_columns(
    columns: Sequence[Column], titles: Sequence[str], lines: Sequence[str], names: Sequence[tuple[str, str | None]]
) -> str | None:
    """The class that alone has such columns: options on currencies, or what is measured so."""
    if any(one.option_struct in _BY_DELTA for one in columns) or _are_of_pair(columns[:1], names):
        return "fx_option"
    if _are_vols_of_pairs(columns, (*titles, *lines, *(text for _, text in names if text))):
        return "fx_option"
    named = next((_BY_MEASURE[column.measure] for column in columns if column.measure in _BY_MEASURE), None)
    return None if named is not None and any(class_by_words(title) == "tba_mbs" for title in titles) else named


def _are_vols_of_pairs(columns: Sequence[Column], said: Sequence[str]) -> bool:
    """`G10 ATM vols` over pairs of currencies."""
    pairs = sum(1 for one in columns if one.title and PAIR.fullmatch(one.title))
    return pairs >= _LEAST_TENORS and any(class_by_words(text) == "swaption" for text in said)


def _are_of_pair(lead: Sequence[Column], names: Sequence[tuple[str, str | None]]) -> bool:
    """Whether the rows are the structures of options on a pair of currencies: `EURUSD` over `ATM`, `25RR`."""
    texts = [one.title or name for one in lead if one.role == "option_struct" for _, name in names]
    return any(text is not None and PAIR.fullmatch(text) for text in texts)


def _by_trust(columns: Sequence[Column], names: Sequence[tuple[str, str | None]]) -> Sequence[tuple[str, str | None]]:
    """The names; of a curve first those that name what has curves: a sheet `CEEMEA` of `sov_cds.xlsx` says whose."""
    names = _below_subject(names)
    if sum(1 for column in columns if column.tenor) < _LEAST_TENORS:
        return names
    curved = {text for _, text in names if text and rules_of(class_by_words(text.replace("_", " ")) or "unknown").curve}
    return sorted(names, key=lambda name: name[1] not in curved)


def _below_subject(names: Sequence[tuple[str, str | None]]) -> Sequence[tuple[str, str | None]]:
    """The names that say something beside the subject's class.

    A file `cds.csv` says nothing under a subject of certificates of deposit, nor `cp.csv` under one of any class.
    """
    subject = next((class_by_words(text) for source, text in names if source == "subject" and text), None)
    if subject is None:
        return names
    unsure = _ANY_CDS if subject == "cd" else _ANY_CP
    return [(source, text) for source, text in names if source == "subject" or not unsure.search(text or "")]


def _of_curves(columns: Sequence[Column], names: Sequence[tuple[str, str | None]]) -> Class:
    """Forwards where the tenors of a pair have points; `SONIA` over tenors is of swaps."""
    pair = next((source for source, text in names if text and PAIR.fullmatch(text.strip())), None)
    if pair is not None and any(one.measure in _FORWARDS for one in columns):  # `USDMXN`
        return Class("fx_forward", pair)
    if _are_points_of_pair(columns):
        return Class("fx_forward", "header")
    points = [f"{one.title} 5Y" for one in columns if one.is_level and one.title]
    named = {class_by_instrument(text) for text in points if columns[0].role == "tenor"}
    found = named.pop() if len(named) == 1 else None
    return Class(found, "header") if found is not None and rules_of(found).curve else Class()


def _are_points_of_pair(columns: Sequence[Column]) -> bool:
    """Whether the levels beside the tenors of a pair are all points."""
    is_of_pair = any(one.role == "tenor" and one.title and PAIR.fullmatch(one.title) for one in columns)
    return is_of_pair and all(one.mark == "pts" for one in columns if one.is_level)


def row_told(
    section: Class,
    table: Class,
    default: Class,
    *,
    has_tenors: bool = False,
    is_canadian: bool = False,
    securities: Dictionary | None = None,
) -> Told:
    """What is said around one row of its class.

    Args:
        section: of the section that it stands in.
        table: of its table.
        default: where nothing of these says it.
        has_tenors: its levels stand under tenors, as those of no bond do.
        is_canadian: the words around it say that the desk is.
        securities: what is known of instruments beside the mail.
    """
    is_of_its_names = table.name in _ON_OTHERS and section.name in _ISSUED and (has_tenors or table.source != "subject")
    nearest = (table,) if is_of_its_names else (section, table)
    by = tuple([(one.name, one.source) for one in nearest if one.source != "none"])
    also = table.also if section.source == "none" else frozenset()
    return Told(by, also, is_canadian=is_canadian, default=(default.name, default.source), securities=securities)


def corner_of(lead: Column) -> str | None:
    """The instrument in the corner, whose parts the rows are: `Main S44 5Y` over `0-3%`."""
    return lead.text if lead.role == "description" and class_by_instrument(lead.text) is not None else None


def default_class(
    columns: Sequence[Column], of_sender: str | None, over: str | None = None, sample: Sequence[Row] = ()
) -> Class:
    """What the way of quoting says, else the sender's (spec section 1).

    Real yields are those of linkers; spreads over a benchmark, over treasuries, interpolated governments or swaps are
    those of investment grade credit. `over` is what the words around the table say that spreads are over, which the
    first spread of the `sample` of rows may say itself: `T+85/80`.
    """
    has_benchmark = any(column.role == "benchmark" for column in columns)
    for column in columns:
        is_over = column.benchmark in _OVER or (column.measure == "spread" and over in _OVER)
        is_spread = is_over or column.measure in _CREDIT or (column.measure == "spread" and _is_credit(column, sample))
        if column.measure == "real_yield_pct":
            return Class("inflation_linked", "notation")
        if is_spread or (has_benchmark and column.measure == "spread"):
            return Class("corp_ig", "notation")
    return Class(of_sender, "sender") if of_sender else Class()


def _is_credit(column: Column, sample: Sequence[Row]) -> bool:
    """Whether the first spread of a column says that it is over what credit is quoted over."""
    text = next((row.cells[column.at].text for row in sample if row.cells[column.at].text), "")
    over = spread_prefix(text) if text[:1].isalpha() else None
    return over is not None and (over.benchmark in _OVER or over.quote_type in _CREDIT)
