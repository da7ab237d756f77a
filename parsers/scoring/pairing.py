"""Which found quote is which of the truth (spec 7.3): lines of the gold form, one mail at a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct

Line = Mapping[str, Any]
"""A line of the gold form: decimals as strings, what is absent left out."""

NAMES = ("instrument_id", "description")
PRICE_FIELDS = ("quote_type", "bid", "ask", "mid", "talk_low", "talk_high")
ROW_FIELDS = (
    *PRICE_FIELDS,
    *("asset_class", "currency", "maturity", "coupon", "quote_kind", "side"),
    *("bid_size", "ask_size", "benchmark", "tenor", "option_struct"),
)
"""What must be right for a row to be exact, beside its instrument."""

_DECIMALS = frozenset(["bid", "ask", "mid", "talk_low", "talk_high", "bid_size", "ask_size", "coupon"])
_Value = Decimal | str | None
_PLACE = ("sheet", "cell", "page", "row", "line")


def value(line: Line, name: str) -> _Value:
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
    is_identified = bool(truth.get("instrument_id") or found.get("instrument_id"))
    return _names_same(instrument(truth), instrument(found), identified=is_identified)


class _Seen(Struct, frozen=True):
    """What pairs a line: values that are compared again and again, so they are made once."""

    instrument: str | None
    has_identifier: bool
    quote_type: _Value
    part: _Value
    tenor: _Value
    said: tuple[_Value, ...]  # kind of option and of quote
    places: tuple[_Value, ...]
    prices: tuple[_Value, ...]


def pairs(truths: Sequence[Line], founds: Sequence[Line]) -> list[tuple[Line | None, Line | None]]:
    """Truth and found: the best fit first, in reading order where fits are equal; then what has no other."""
    told, seen = [_seen(line) for line in truths], [_seen(line) for line in founds]
    made = _alike(told, seen)
    left, right = set(range(len(told))).difference(made), set(range(len(seen))).difference(made.values())
    fits = [(_fit(told[at], seen[to]), at, to) for at in sorted(left) for to in sorted(right)]
    for _, at, to in sorted((fit for fit in fits if fit[0]), key=lambda fit: (-fit[0], abs(fit[1] - fit[2]), fit[1])):
        if at in left and to in right:
            made[at] = to
            left.remove(at)
            right.remove(to)
    paired = [(truths[at], founds[to]) for at, to in made.items()]
    return [*paired, *((truths[at], None) for at in sorted(left)), *((None, founds[to]) for to in sorted(right))]


def _alike(told: Sequence[_Seen], seen: Sequence[_Seen]) -> dict[int, int]:
    """Truths with the one found line that is wholly as they say: nothing fits better, and most lines are such.

    All with all takes a second for a mail of a few hundred quotes; only what is left has to.
    """
    counts, places = Counter(told), {line: to for to, line in enumerate(seen)}
    counts_seen = Counter(seen)
    return {at: places[line] for at, line in enumerate(told) if counts[line] == counts_seen[line] == 1}


def _seen(line: Line) -> _Seen:
    return _Seen(
        instrument(line),
        bool(line.get("instrument_id")),
        value(line, "quote_type"),
        value(line, "part_path"),
        value(line, "tenor"),
        (value(line, "option_struct"), value(line, "quote_kind")),
        tuple(value(line, name) for name in _PLACE),
        tuple(value(line, name) for name in ("bid", "ask", "mid")),
    )


def _fit(truth: _Seen, found: _Seen) -> float:
    """How well two lines fit as a pair; 0: they are none."""
    same, same_type = _is_same(truth, found), truth.quote_type == found.quote_type
    here = truth.part == found.part
    places = sum(one is not None and one == other for one, other in zip(truth.places, found.places, strict=True))
    if not same and not (same_type and here and places):
        return 0.0
    said, prices = _agreeing(truth.said, found.said), _agreeing(truth.prices, found.prices)
    tenor = truth.tenor == found.tenor
    return 8.0 * same + 4.0 * same_type + 2.0 * tenor + here + said + 0.5 * places + 0.75 * prices


def _agreeing(truth: Sequence[_Value], found: Sequence[_Value]) -> int:
    return sum(one == other for one, other in zip(truth, found, strict=True))


def _is_same(truth: _Seen, found: _Seen) -> bool:
    identified = truth.has_identifier or found.has_identifier
    return _names_same(truth.instrument, found.instrument, identified=identified)


def _names_same(one: str | None, other: str | None, *, identified: bool) -> bool:
    if one is None or other is None or one == other:
        return one == other
    return not identified and (one in other or other in one)
