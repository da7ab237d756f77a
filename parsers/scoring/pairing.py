"""Which found quote is which of the truth (spec 7.3): lines of the gold form, one mail at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

Line = Mapping[str, Any]
"""A line of the gold form: decimals as strings, what is absent left out."""

PRICE_FIELDS = ("quote_type", "bid", "ask", "mid", "talk_low", "talk_high")
ROW_FIELDS = (
    *PRICE_FIELDS,
    *("asset_class", "currency", "maturity", "coupon", "quote_kind", "side"),
    *("bid_size", "ask_size", "benchmark", "tenor", "option_struct"),
)
"""What must be right for a row to be exact, beside its instrument."""

_DECIMALS = frozenset(["bid", "ask", "mid", "talk_low", "talk_high", "bid_size", "ask_size", "coupon"])
_PLACE = ("sheet", "cell", "page", "row", "line")


def value(line: Line, name: str) -> Decimal | str | None:
    """A field's value to compare by: decimals by value, texts after case and space folding (spec 7.4)."""
    raw = line.get(name)
    if raw is None or raw == "":
        return None
    if name in _DECIMALS:
        try:
            return Decimal(str(raw)).normalize()
        except InvalidOperation:
            return f"no number: {raw}"
    return " ".join(str(raw).split()).lower()


def are_equal(truth: Line, found: Line, names: Sequence[str]) -> bool:
    """Whether all these fields are the same."""
    return all(value(truth, name) == value(found, name) for name in names)


def instrument(line: Line) -> str | None:
    """The identifier, else the letters and digits of the description."""
    if line.get("instrument_id"):
        return str(line["instrument_id"]).upper()
    return re.sub(r"[^a-z0-9]+", "", str(line.get("description") or "").lower()) or None


def is_same_instrument(truth: Line, found: Line) -> bool:
    """The same identifier, or descriptions of which one holds the other."""
    one, other = instrument(truth), instrument(found)
    if one is None or other is None or one == other:
        return one == other
    if truth.get("instrument_id") or found.get("instrument_id"):
        return False
    return one in other or other in one


def pairs(truths: Sequence[Line], founds: Sequence[Line]) -> list[tuple[Line | None, Line | None]]:
    """Truth and found: the best fit first, in reading order where fits are equal; then what has no other."""
    fits = [(_fit(truth, found), at, to) for at, truth in enumerate(truths) for to, found in enumerate(founds)]
    left, right = dict(enumerate(truths)), dict(enumerate(founds))
    made: list[tuple[Line | None, Line | None]] = []
    for _, at, to in sorted((fit for fit in fits if fit[0]), key=lambda fit: (-fit[0], abs(fit[1] - fit[2]), fit[1])):
        if at in left and to in right:
            made.append((left.pop(at), right.pop(to)))
    return [*made, *((truth, None) for truth in left.values()), *((None, found) for found in right.values())]


def _fit(truth: Line, found: Line) -> float:
    """How well two lines fit as a pair; 0: they are none."""
    same, same_type = is_same_instrument(truth, found), _are_same(truth, found, "quote_type")
    here = _are_same(truth, found, "part_path")
    places = [name for name in _PLACE if value(truth, name) is not None and _are_same(truth, found, name)]
    if not same and not (same_type and here and places):
        return 0.0
    said = sum(_are_same(truth, found, name) for name in ("option_struct", "quote_kind"))
    prices = sum(_are_same(truth, found, name) for name in ("bid", "ask", "mid"))
    tenor = _are_same(truth, found, "tenor")
    return 8.0 * same + 4.0 * same_type + 2.0 * tenor + here + said + 0.5 * len(places) + 0.75 * prices


def _are_same(truth: Line, found: Line, name: str) -> bool:
    return value(truth, name) == value(found, name)
