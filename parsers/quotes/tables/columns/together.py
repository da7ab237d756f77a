"""What columns are by those beside them, whatever their cells hold: changes on the day, curves, currencies' curves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Row
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS, IGNORED, NAMES

_SIDES = frozenset({"bid", "ask"})
_OF_INSTRUMENTS = NAMES | IDENTIFIERS | {"tranche", "part"}
_LEAST_MONEYS = 2
_BASIS_POINTS = re.compile(r"(?P<whole>[1-9]\d{1,3})(?:[.,](?:0|00|25|5|50|75))?|(?P<few>[1-9])")
"""No finer than quarters, and whole below ten."""
_LEAST_PAIRS = 2


def of_curves(columns: list[Column]) -> list[Column]:
    """The columns, the curve the name of its points where nothing else is: `Curve | Tenor | Bid | Ask`."""
    roles = [found.role for found in columns]
    if "tenor" not in roles or roles.count("benchmark") != 1 or not _OF_INSTRUMENTS.isdisjoint(roles):
        return columns
    return [replace(found, role="description") if found.role == "benchmark" else found for found in columns]


def without_changes(columns: list[Column]) -> list[Column]:
    """The columns, no levels those under days alone beside a market that is of none: `Bid | Ask | 1d | 1w`."""
    if not any(found.is_level and found.side in _SIDES and found.tenor is None for found in columns):
        return columns
    return [replace(found, role=IGNORED) if _is_of_days(found) else found for found in columns]


def over_benchmarks(columns: list[Column], sample: Sequence[Row]) -> list[Column]:
    """The columns, spreads under bare bid and ask beside benchmarks, if all are basis points and fall: `198`, `192`."""
    bare = [found for found in columns if found.is_level and found.measure is None and found.side in _SIDES]
    if [found.side for found in bare] != ["bid", "ask"] or not any(found.role == "benchmark" for found in columns):
        return columns
    if not _fall(bare, sample):
        return columns
    return [replace(found, measure="spread") if found in bare else found for found in columns]


def _fall(sides: Sequence[Column], sample: Sequence[Row]) -> bool:
    """Whether all bids and asks are basis points, the bid above its ask."""
    texts = [tuple(row.cells[found.at].text for found in sides) for row in sample]
    pairs = [tuple(map(_BASIS_POINTS.fullmatch, pair)) for pair in texts if all(pair)]
    falls = [bid and ask and _points(bid) >= _points(ask) and bid[0] != ask[0] for bid, ask in pairs]
    return len(falls) >= _LEAST_PAIRS and all(falls)


def _points(found: re.Match[str]) -> int:
    return int(found["whole"] or found["few"])


def _is_of_days(found: Column) -> bool:
    is_bare = found.is_level and found.side is None and found.measure is None and found.kind is None
    return is_bare and found.tenor is not None and found.title is None and found.option_struct is None


def by_money(columns: Sequence[Column]) -> Sequence[Column]:
    """The columns of a curve, each level of its currency's curve where there are several: `AUD Bid | NZD Bid`."""
    levels = [found for found in columns if found.is_level]
    is_curve = bool(columns) and columns[0].role == "tenor"
    moneys = {found.currency for found in levels}
    if not is_curve or len(moneys) < _LEAST_MONEYS or None in moneys or any(found.title for found in levels):
        return columns
    return [replace(found, title=found.currency) if found.is_level else found for found in columns]
