"""The asset class of a table and of its rows, and what said so (spec section 1, detection order)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from parsers.quotes.classes import PRODUCTS, class_by_instrument, class_by_words, classes_in
from parsers.quotes.headings.columns import NAMES, Column
from parsers.values.words import fold

_BY_MEASURE = {"payup_32": "agency_mbs_cmo", "spread_mmd_bp": "us_muni", "pct_nav": "private_equity_secondary"}
"""Measures that only one class has columns of."""
_BY_DELTA = frozenset({"rr25", "bf25", "rr10", "bf10"})
"""Structures that only options on currencies are quoted in."""
_BY_IDENTIFIER = {"loanx_id": "leveraged_loan", "red_code": "cds_single"}


class Class(Struct, frozen=True):
    """A class and where it was found."""

    name: str = "unknown"
    source: str = "none"
    also: frozenset[str] = frozenset()  # all classes that the same words name, if several


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
    for column in columns:
        if column.role in NAMES and len(fold(column.text)) == 1 and (found := class_by_words(column.text)):
            products = ((class_by_words(text.replace("_", " ")), source) for text, source in said)
            made = next(((name, source) for name, source in products if name in PRODUCTS), None)
            return Class(*made) if made else Class(found, "header")  # `Gilt` of a list of repos
    named = next((_BY_MEASURE[column.measure] for column in columns if column.measure in _BY_MEASURE), None)
    if named is not None and not any(class_by_words(title) == "tba_mbs" for title in titles):
        return Class(named, "header")
    for title in reversed(titles):
        if found := class_by_words(title):
            return Class(found, "title", classes_in(title))
    for line in reversed(lines):
        if found := class_by_words(line):
            return Class(found, "heading", classes_in(line))
    for source, text in names:
        if text and (found := class_by_words(text.replace("_", " "))):
            return Class(found, source, classes_in(text))
    return Class("fx_option", "header") if any(one.option_struct in _BY_DELTA for one in columns) else Class()


def row_class(
    section: Class, table: Class, identifiers: Iterable[tuple[str, str]], description: str | None, default: str | None
) -> Class:
    """The class of one row: its own unmistakable form, its section, its table, then what is weaker."""
    strong = class_by_instrument(description, strong=True) if description else None
    if strong is not None:
        return Class(strong, "instrument")
    form = class_by_instrument(description) if description and section.source == "none" and table.also else None
    if form in table.also:
        return Class(form, "instrument")
    for found in (section, table):
        if found.source != "none":
            return found
    for kind, _ in identifiers:
        if kind in _BY_IDENTIFIER:
            return Class(_BY_IDENTIFIER[kind], "identifier")
    form = class_by_instrument(description) if description else None
    if form is not None:
        return Class(form, "instrument")
    return Class(default, "sender") if default else Class()
