"""Blocks of spreads or yields that are written tight side first (spec 4.5)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import Flag
from parsers.quotes.draft import Draft, Level
from parsers.values.markets import order, tight_wide


def turned_round(drafts: list[Draft]) -> list[Draft]:
    """The drafts of a part, those of a class and measure that are printed tight side first turned round and flagged.

    A side that a word or a letter names stays what it is: `T+130 offered` is no bid.
    """
    groups: dict[tuple[str, str], list[tuple[Fraction, Fraction]]] = {}
    for draft in drafts:
        for level in draft.levels:
            if level.bid is None or level.ask is None or not level.by_order:
                continue
            if order(level.quote_type, draft.asset_class) == "Y":
                groups.setdefault((draft.asset_class, level.quote_type), []).append((level.bid, level.ask))
    turned = {key for key, pairs in groups.items() if tight_wide(pairs)}
    if not turned:
        return drafts
    return [
        replace(
            draft,
            levels=tuple(
                _turned(level) if level.by_order and (draft.asset_class, level.quote_type) in turned else level
                for level in draft.levels
            ),
        )
        for draft in drafts
    ]


def in_order(drafts: list[Draft], sides: str) -> list[Draft]:
    """The drafts of a dealer who always prints this side first: `ask/bid`, `bid/ask`."""
    if sides == "bid/ask":
        return drafts
    return [
        replace(draft, levels=tuple(_turned(level) if level.by_order else level for level in draft.levels))
        for draft in drafts
    ]


def _turned(level: Level) -> Level:
    return replace(
        level,
        bid=level.ask,
        ask=level.bid,
        bid_raw=level.ask_raw,
        ask_raw=level.bid_raw,
        flags=level.flags | {Flag.side_assumed},
    )
