"""Which measure and which side a heading names (spec 5.3, 5.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from parsers.lexicon import compiled

if TYPE_CHECKING:
    from parsers.quotes.headings.phrases import Heading

_GENERIC = {"price", "spread", "rate", "vol"}  # measures that a more precise word beside them replaces
_OVER_CURVE: Mapping[str | None, str] = MappingProxyType({"MS": "spread_asw_bp", "MMD": "spread_mmd_bp"})
_OVER = compiled(r"\+|\b{over_short}\b", re.IGNORECASE)


def is_sided(said: Mapping[str, tuple[str, ...]]) -> bool:
    """`We Buy (mm)`, `B x A (MM)`."""
    return "side" in said or len(said.get("letter_side", ())) > 1


def side_of(found: Heading) -> str | None:
    """`bid`, `ask`, `both`, or None. A letter is a side beside a measure or a size alone: `B YTM`, `A Sz`."""
    sides = set(found.meanings.get("side", ()))
    if "talk" in found.meanings.get("kind", ()):  # `Offer Talk`: the dealer's words about a client's list
        return None
    if {"bid", "ask"} <= sides:
        return "both"
    if sides:
        return found.one("side")
    letters = set(found.meanings.get("letter_side", ()))
    if not letters or not {"measure", "size"} & found.meanings.keys():
        return None
    return "both" if len(letters) > 1 else letters.pop()


def measure_of(found: Heading) -> str | None:
    """The one measure of the heading; an empty text where it names two (`Price / Yield`)."""
    named = set(found.meanings.get("measure", ()))
    precise = named - _GENERIC
    if precise:
        only = next(iter(precise)) if len(precise) == 1 else _nested(precise)
        is_in_bp = only.endswith("_bp")
        is_two = ("spread" in named and not is_in_bp) or ("price" in named and (is_in_bp or only == "yield_pct"))
        return "" if is_two else only
    if len(named) > 1:
        return ""
    in_bp = "bp" in found.meanings.get("mark_unit", ())
    if not named:
        return "spread" if in_bp and "side" in found.meanings else None
    generic = named.pop()
    if generic == "spread" and "benchmark" in found.meanings:
        return _OVER_CURVE.get(found.one("benchmark"), "spread_bench_bp")
    return "vol_normal_bp" if generic == "vol" and in_bp else generic


def over_a_curve(found: Heading, text: str) -> str | None:
    """`Bid T+`, `Bid vs OAT`, `10Y vs DBR`: the curve says what the level is."""
    is_over = "tenor" in found.meanings or ("side" in found.meanings and _OVER.search(text) is not None)
    curve = found.one("benchmark") if is_over and "measure" not in found.meanings else None
    return _OVER_CURVE.get(curve, "spread_bench_bp") if curve is not None else None


def _nested(precise: set[str]) -> str:
    """Of two precise measures the one that the other only explains: `CDS upfront` is an upfront."""
    for outer, inner in (
        ("cds_spread_bp", "upfront_pts"),
        ("spread_asw_bp", "spread_z_bp"),
        ("yield_pct", "real_yield_pct"),
    ):
        if precise == {outer, inner}:
            return inner
    return ""
