"""The sizes of a line, for the sides that it has (spec 4.8, ruling 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Level, Sizes
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.reading import Reading
from parsers.quotes.runs.scene import Scene
from parsers.values.sizes import SMALL_MONEYS, Size, SizePair, SizeRules, size, size_pair

_BY_FACTOR = re.compile(r"\s*[xX×]\s*0?\.\d+$")  # `15mm x .21`: what is left of it


def sizes_of(
    reading: Reading, levels: Sequence[Level], scene: Scene, original: Fraction | None
) -> tuple[Sizes, str | None]:
    """The sizes of the line for the sides of its levels, without the original face, and a currency that they print."""
    rules = _size_rules(scene)
    listed = scene.setting.kind
    quantity = reading.named.quantity
    if quantity is not None:
        counted = replace(rules, multiplier=1000 if rules.multiplier is None else rules.multiplier)
        return _one_size(size(quantity, counted), levels, quantity, listed=listed)
    texts = [_BY_FACTOR.sub("", text) if scene.asset_class in SECURITISED else text for text in reading.sizes]
    known = [(text, found) for text in texts if (found := size_pair(text, rules)) is not None]
    if original is not None:
        known = [one for one in known if one[1].single is None or one[1].single.value != original]
    of_class = rules_of(scene.asset_class)
    deals = [one.single for _, one in known if one.single is not None and of_class.is_of_deal(one.single.value)]
    known = [one for one in known if one[1].single not in deals]
    if not known:
        return Sizes(), deals[0].currency if deals else None
    text, first = known[0]
    if first.single is not None:
        has_market = any(level.bid is not None and level.ask is not None for level in levels)
        if len(known) < 2 or known[1][1].single is None or not has_market:
            return _one_size(first.single, levels, text, listed=listed)
        text, first = f"{text} x {known[1][0]}", SizePair(bid=first.single, ask=known[1][1].single)
    both = [side for side in (first.bid, first.ask) if side is not None]
    sizes = Sizes(
        bid=first.bid.value if first.bid else None,
        ask=first.ask.value if first.ask else None,
        unit=next((side.unit for side in both if side.unit != "face_ccy"), both[0].unit),
        text=text,
        flags=frozenset().union(*(side.flags for side in both)),
    )
    return sizes, next((side.currency for side in both if side.currency), None)


def _one_size(
    one: Size | None, levels: Sequence[Level], text: str, *, listed: QuoteKind | None
) -> tuple[Sizes, str | None]:
    """One size: both sides of a market, the side of a one-sided line, the bid of a list, the ask of an offer list."""
    if one is None:
        return Sizes(), None
    has_bid = any(level.bid is not None for level in levels)
    has_ask = any(level.ask is not None for level in levels)
    if listed is QuoteKind.owic:
        has_bid, has_ask = False, True
    elif listed is QuoteKind.bwic or any(level.quote_kind in (QuoteKind.talk, QuoteKind.cover) for level in levels):
        has_bid, has_ask = True, False
    elif not has_bid and not has_ask:
        has_bid = has_ask = True
    sizes = Sizes(
        bid=one.value if has_bid else None,
        ask=one.value if has_ask else None,
        unit=one.unit,
        text=text,
        flags=one.flags,
    )
    return sizes, one.currency


def _size_rules(scene: Scene) -> SizeRules:
    unit, rules = scene.setting.said.size_unit, rules_of(scene.asset_class)
    if unit is not None and scene.setting.is_in_m and rules.thousands:
        unit = Fraction(1000)
    return SizeRules(
        scene.block.locale,
        multiplier=int(unit) if unit is not None else None,
        m_is_thousand=scene.block.uses_mm or rules.thousands,
        small_m_too=rules.thousands,
        thousands_of_m=scene.asset_class != "govt_latam_local" and scene.setting.currency not in SMALL_MONEYS,
        unit=rules.size_unit,
        in_thousands=rules.thousands,
    )
