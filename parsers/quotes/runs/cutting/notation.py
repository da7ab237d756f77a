"""What the way that a line is quoted says of its class, whatever the heading over it names (spec 1)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.quotes.answers.classing import by_form
from parsers.quotes.classes import class_by_instrument, rules_of
from parsers.quotes.runs.marked.reading import Mark, Reading

_OWN_CURVES = {"govt_canada": frozenset({"CAN", "GoC", "GOC", "C"}), "govt_us": frozenset({"T", "UST", ""})}
_NOT_OVER = {**_OWN_CURVES, "cds_single": frozenset({"T", "UST"})}
"""Curves over which nothing of a class is quoted: protection over none, `F 6.1 08/32  T+178/172` is a bond."""
OVER_BONDS = frozenset({"T", "UST", "B", "BMK", "G", "I", "UKT", "GILT", "GILTS", "DBR", "BUND", "BUNDS", "CAN", "GOC"})
"""Curves over which credit is quoted."""


def _contradicted(reading: Reading, name: str) -> str | None:
    """The class of a line whose form is none of the class that its heading names."""
    named = reading.named
    if name == "cds_index" and named.tranche is not None:  # `0-3%` under `iTraxx Main S44 5y`
        return "cds_tranche"
    is_bond = named.is_bond or named.maturity == "PERP"
    other = by_form(name, named.name, is_bond=is_bond, level=reading.marks[0].token.text if reading.marks else "")
    if other is not None:
        return other
    others = _NOT_OVER.get(name, frozenset()) if named.is_bond or name in _OWN_CURVES else frozenset()
    if any(mark.token.prefix in others for mark in reading.marks):  # no government is quoted over itself
        own = class_by_instrument(named.name)
        return own if own not in (None, name) else "corp_ig"  # `T 4.5 05/35  T+98/94` is of the telephone company
    return None


def by_notation(reading: Reading, currency: str | None, name: str, over: str) -> tuple[str, str] | None:
    """A class by the way that it is quoted: points up front, against a stock, over treasuries.

    Args:
        reading: of the line.
        currency: that headings state.
        name: the class by all else.
        over: what headings say that spreads are over.
    """
    marks = reading.marks
    if reading.named.tenor is not None and not rules_of(name).curve and any(map(_is_upfront, marks)):
        return "cds_single", "notation"
    if name != "unknown":
        other = _contradicted(reading, name)
        return (other, "notation") if other is not None else None
    if any(mark.reference is not None and mark.delta is not None for mark in marks):
        return "convertible", "notation"
    if reading.named.coupon is None:
        return None
    is_told = currency == "USD" or reading.bond is not None or over.partition(" ")[0] in OVER_BONDS
    return ("corp_ig", "notation") if _are_over_bonds(marks, is_told=is_told) else None


def _is_upfront(mark: Mark) -> bool:
    """In points, beside a running coupon or with their word."""
    return mark.running is not None or (mark.token.unit or "").startswith("pts up")


def _are_over_bonds(marks: Sequence[Mark], *, is_told: bool) -> bool:
    """Whether spreads are over government bonds; with a bare sign where that is told."""
    prefixes = {mark.token.prefix and mark.token.prefix.upper() for mark in marks}
    return bool(prefixes & OVER_BONDS) or ("" in prefixes and is_told)
