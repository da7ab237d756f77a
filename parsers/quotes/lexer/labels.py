"""The words and letters beside a level, and what they say of it (spec 4.6, 4.7): the lexicon has them by place."""

from __future__ import annotations

from functools import cache

from parsers.lexicon import Place, said

MEASURES = frozenset(
    {
        "yield_pct",
        "breakeven_pct",
        "discount_rate_pct",
        "price",
        "payup_32",
        "roll_ticks",
        "premium_bp",
        "dm_bp",
        "spread_oas_bp",
        "spread_asw_bp",
        "base_corr_pct",
    }
)
"""Labels that say what a level measures."""
SIDES = frozenset({"bid", "ask", "mid"})
KINDS = frozenset({"talk", "cover", "trade", "mark"})
CURVES = frozenset({"Z", "G", "I", "J", "N", "MS", "ms", "OAS", "ASW", "MMD", "T"})
"""Curve letters that also stand apart from their level: `Z 412/402`."""
LETTERS = {"b": "bid", "a": "ask", "o": "ask"}
"""Of sides, right at a value or apart from it: `98 3/4a`, `b 99.1 o 99.5`."""


@cache
def labels() -> dict[str, str]:
    """What the words say that stand beside levels, in lower case."""
    return {word: sense for word, (sense,) in said(Place.level).items()}
