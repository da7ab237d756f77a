"""In what a column's sizes are counted: face, shares, thousands, millions (spec 4.8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from parsers.quotes.classes import rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import SIZE
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.cells.cells import plain
from parsers.quotes.tables.cells.sizes import size_of
from parsers.quotes.tables.columns.table import Table
from parsers.values.sizes import SMALL_MONEYS, SizeRules

_IN_M = re.compile(r"\(\s?M\s?\)")
"""Of a size: thousands of munis and where millions would be too many, else millions (spec 4.8)."""


def size_columns(
    table: Table, columns: Sequence[Column], class_name: str, said: Surroundings, unit: str
) -> tuple[tuple[tuple[Column, SizeRules], ...], int | None]:
    """The columns of sizes, each with how it is read, and the place of a column of the par of a preferred's unit."""
    found = []
    unit_par = None
    for column in columns:
        if column.role != SIZE:
            continue
        if column.counted == "par" and class_name == "preferred" and column.unit is None:
            unit_par = column.at
            continue
        counts = counted_in(column, rules_of(class_name).size_unit) or unit
        found.append((column, size_rules(table, column, class_name, said, counts)))
    return tuple(found), unit_par


def counted_in(column: Column, own: str) -> str | None:
    """What a column counts if no face; of a class without shares, millions of `Stück` are one."""
    if column.counted not in {"shares", "contracts"}:
        return None
    is_face = column.unit is not None and column.unit >= 1_000_000 and own != "shares"
    return None if is_face else column.counted


def size_rules(table: Table, column: Column, class_name: str, said: Surroundings, counts: str) -> SizeRules:
    """How a column's sizes are read; the heading's unit beats all (spec 4.8)."""
    is_in_thousands = rules_of(class_name).thousands
    multiplier = column.unit if column.unit is not None else said.size_unit
    if multiplier is None:
        multiplier = _by_values(table, column, counts, is_in_thousands=is_in_thousands)
    return SizeRules(
        locale=table.locale,
        multiplier=int(multiplier) if multiplier is not None else None,
        m_is_thousand=table.uses_mm or is_in_thousands,
        small_m_too=is_in_thousands,
        thousands_of_m=class_name != "govt_latam_local" and said.currency not in SMALL_MONEYS,
        unit=counts,
    )


def _by_values(table: Table, column: Column, counts: str, *, is_in_thousands: bool) -> Fraction | None:
    """What sizes are counted in whose unit no word says; None where it stands in the cells."""
    if _IN_M.search(column.text):
        return Fraction(1_000 if is_in_thousands or _are_many(table, column) else 1_000_000)
    if is_in_thousands and _are_small(table, column):
        return Fraction(1000)
    if counts != "face_ccy":
        return Fraction(1)
    return Fraction(1000) if _are_thousands(table, column) else None


def _are_thousands(table: Table, column: Column) -> bool:
    """Whether bare quantities are too many for millions and too few for face: `500`, `2,000`, `10,000`."""
    rules = SizeRules(table.locale, multiplier=1)
    values = [found.value for row in table.sample if (found := size_of(row.cells[column.at], rules)) is not None]
    return any(1_000 <= value < 10_000 for value in values) and max(values) < 100_000


def _are_many(table: Table, column: Column) -> bool:
    """Whether a column's bare quantities are too many for millions."""
    values = [plain(row.cells[column.at], table.locale, ceiling=None) for row in table.sample]
    return any(value is not None and value >= 1_000 for value in values)


def _are_small(table: Table, column: Column) -> bool:
    """Whether a column's bare quantities can only be thousands: none is a face of its own."""
    values = [plain(row.cells[column.at], table.locale) for row in table.sample]
    return all(value is None or value < 10_000 for value in values)
