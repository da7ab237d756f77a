"""The sizes of a line, for the sides that it has (spec 4.8, ruling 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from parsers.quotes.classes import SECURITISED, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.scene import Scene
from parsers.values.sizes import SMALL_MONEYS, SizePair, SizeRules, size, size_pair

_BY_FACTOR = re.compile(r"\s*[xX×]\s*0?\.\d+$")  # `15mm x .21`: what is left of it


def sizes_of(
    reading: Reading, levels: Sequence[Level], scene: Scene, original: Fraction | None
) -> tuple[SizePair, str | None]:
    """The sizes of the line, without the original face, and the text that they were read from."""
    rules = _size_rules(scene)
    quantity = reading.named.quantity
    if quantity is not None:
        counted = replace(rules, multiplier=1000 if rules.multiplier is None else rules.multiplier)
        return SizePair(single=size(quantity, counted)), quantity
    known = _known(reading, scene, rules, original)
    if not known:
        return SizePair(), None
    text, first = known[0]
    second = known[1][1].single if len(known) > 1 else None
    has_market = any(level.bid is not None and level.ask is not None for level in levels)
    if first.single is not None and second is not None and has_market:
        text, first = f"{text} x {known[1][0]}", SizePair(bid=first.single, ask=second)
    return first, text


def _known(reading: Reading, scene: Scene, rules: SizeRules, original: Fraction | None) -> list[tuple[str, SizePair]]:
    """The sizes that can be read, without the original face; a deal's own only where there is no other."""
    texts = [_BY_FACTOR.sub("", text) if scene.asset_class in SECURITISED else text for text in reading.sizes]
    known = [(text, found) for text in texts if (found := size_pair(text, rules)) is not None]
    if original is not None:
        known = [one for one in known if one[1].single is None or one[1].single.value != original]
    of_class = rules_of(scene.asset_class)
    deals = [one for one in known if one[1].single is not None and of_class.is_of_deal(one[1].single.value)]
    return [one for one in known if one not in deals] or deals[:1]


def currency_of(found: SizePair) -> str | None:
    """The currency that a size is printed in."""
    both = (found.bid, found.ask, found.single)
    return next((one.currency for one in both if one is not None and one.currency), None)


def _size_rules(scene: Scene) -> SizeRules:
    setting, rules = scene.setting, rules_of(scene.asset_class)
    unit = setting.said.size_unit or setting.usual.size_unit
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
