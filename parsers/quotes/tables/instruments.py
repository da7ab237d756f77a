"""What a class's plan and the columns of a curve add to the instrument of a row."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Cell
from parsers.quotes.draft import Instrument
from parsers.quotes.tables.cells import plain
from parsers.quotes.tables.plan import Plan
from parsers.quotes.tables.sizes import size_of
from parsers.values.numbers import Locale


def planned_instrument(found: Instrument, plan: Plan, cells: Sequence[Cell], locale: Locale) -> Instrument:
    """With what only the class's plan knows of the row: its original face, and a loan's margin under `Spread`."""
    if plan.orig_face is not None:
        column, rules = plan.orig_face
        face = size_of(cells[column.at], rules)
        found = replace(found, orig_face=face.value if face is not None else None)
    if plan.margin is not None and found.coupon_margin_bp is None:
        found = replace(found, coupon_margin_bp=plain(cells[plan.margin], locale))
    return found


def titled_instrument(found: Instrument, title: str | None, month: str | None, money: str | None) -> Instrument:
    """The instrument of a column: of a curve in its own columns, of a month's delivery."""
    if title is None and month is None:
        return found
    description = " ".join(filter(None, (title or found.description, month.capitalize() if month else None)))
    return replace(found, description=description, currency=money if money and money != "$" else found.currency)
