"""Columns with the day and time of each row's quotes: `Date`, `Time`, `Updated`, `Stand`, `Hora` (spec 2.3, 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from msgspec.structs import replace

from parsers.document import Cell
from parsers.values.times.moments import Printed, clock, of_value


def clock_of(places: Sequence[int], cells: Sequence[Cell]) -> Printed | None:
    """Day and time out of the cells of such columns; the first of each holds."""
    found: Printed | None = None
    for at in places:
        one = _read(cells[at])
        if one is None:
            continue
        if found is None:
            found = one
        elif found.time is None:
            found = replace(found, time=one.time, zone=one.zone)
        elif not found.days and not found.day_of_month:
            found = replace(found, days=one.days, day_of_month=one.day_of_month)
    return found


def _read(cell: Cell) -> Printed | None:
    if isinstance(cell.value, datetime | date | time):
        return of_value(cell.value)
    return clock(cell.text) if cell.text and cell.value is None else None
