"""From a reading and its levels to a draft: kinds and marks, with the instrument and the sizes (ruling 3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.codes import LISTS, Firmness, Flag, QuoteKind
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Level
from parsers.quotes.runs.attributes import attributes, settlement
from parsers.quotes.runs.instruments import instrument, titled
from parsers.quotes.runs.levels import of_covers
from parsers.quotes.runs.money import currency_of, market_of
from parsers.quotes.runs.reading import Reading
from parsers.quotes.runs.scene import Scene
from parsers.quotes.runs.setting import OF_MARKETS, Setting
from parsers.quotes.runs.sizes import sizes_of
from parsers.quotes.runs.talking import of_range
from parsers.values.currencies import premium_currency
from parsers.values.moments import clock

PARSER = "text_run"

_LOCALE_DOUBTS = frozenset({Flag.ambiguous_number, Flag.locale_assumed})


def draft_of(reading: Reading, levels: Sequence[Level], scene: Scene, text: str) -> Draft:
    """The draft of a line, which is `text`; the caller adds its place."""
    name, setting = scene.asset_class, scene.setting
    placed = tuple(_of_kind(level, reading, setting) for level in _told(levels, setting))
    said = attributes(text, reading.named.name, name, scene.block.locale)
    has_market = name in OF_MARKETS and rules_of(name).market_of(reading.named.name) is None
    headed = setting.said.currency or (setting.market if has_market else None) or setting.of_subject.currency
    currency = currency_of(reading, name, titled(reading.named.name, scene), headed)
    sizes, size_currency = sizes_of(reading, placed, scene, said.orig_face)
    currency = currency or premium_currency(text) or size_currency
    if currency is None and has_market:
        currency = setting.market
    market = currency
    if market is None and reading.named.maturity:
        market = market_of(reading.named, name, scene.region, placed)
    return Draft(
        instrument=instrument(reading, scene, currency, market, said),
        levels=placed,
        sizes=sizes,
        asset_class=name,
        class_source=scene.class_source,
        firmness=reading.firmness or setting.firmness or Firmness.unknown,
        is_axe_bid=reading.axe == "bid" or (reading.axe == "any" and any(level.bid is not None for level in placed)),
        is_axe_ask=reading.axe == "ask" or (reading.axe == "any" and any(level.ask is not None for level in placed)),
        is_flat=reading.is_flat or rules_of(name).flat or setting.said.flat,
        unit_par=setting.unit_par if name == "preferred" else None,
        settle_text=settlement(text, reading.named.name, name) or setting.said.settle,
        printed=clock(reading.time) if reading.time and setting.kind not in LISTS else None,  # the auction's
        said_at=setting.printed,
        language=scene.block.language,
        headed=setting.is_headed,
        flags=scene.block.flags & _LOCALE_DOUBTS,
        parser=PARSER,
    )


def _told(levels: Sequence[Level], setting: Setting) -> Sequence[Level]:
    """On a list the levels that can be talk: none beside what came of it, `100.31 cover (T 100.33)`."""
    if setting.kind in LISTS and any(level.quote_kind in (QuoteKind.cover, QuoteKind.trade) for level in levels):
        return [level for level in levels if level.quote_kind is not QuoteKind.market]
    return [of_range(level) for level in levels] if setting.kind is QuoteKind.bwic else levels


def _of_kind(level: Level, reading: Reading, setting: Setting) -> Level:
    """The kind of a level: its own, else the heading's; one-sided interest on an axe list is an axe (ruling 3)."""
    if level.quote_kind is not QuoteKind.market:
        return level
    kind = setting.kind
    if kind is QuoteKind.cover and level.ask is None:
        return of_covers(level)
    if kind is QuoteKind.mark or (kind is QuoteKind.trade and level.mid is not None):
        return replace(level, quote_kind=kind, flags=level.flags - {Flag.side_assumed})  # neither has a side
    if kind in LISTS and level.mid is not None:
        flags = level.flags - {Flag.side_assumed}
        return replace(level, quote_kind=QuoteKind.talk, talk_low=level.mid, mid=None, flags=flags)
    is_one_sided = (level.bid is None) != (level.ask is None)
    if is_one_sided and (reading.axe is not None or setting.axe is not None):
        return replace(level, quote_kind=QuoteKind.axe)
    return level
