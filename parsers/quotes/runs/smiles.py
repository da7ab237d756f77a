"""What the options without a word are where others of the same lines have one (spec class 41, ruling 19)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.draft import Draft

_CLASS = "fx_option"


def with_atm(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts; beside risk reversals and butterflies an FX option that says nothing is at the money."""
    is_smile = any(
        level.option_struct not in (None, "atm")
        for draft in drafts
        if draft.asset_class == _CLASS
        for level in draft.levels
    )
    return [_at_the_money(draft) if is_smile and draft.asset_class == _CLASS else draft for draft in drafts]


def _at_the_money(draft: Draft) -> Draft:
    levels = tuple(replace(level, option_struct=level.option_struct or "atm") for level in draft.levels)
    return replace(draft, levels=levels)
