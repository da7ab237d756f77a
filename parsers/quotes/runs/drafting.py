"""From a reading and its levels to a draft: kinds and marks, with the instrument and the sizes (ruling 3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.codes import Flag
from parsers.quotes.answers.attributes import attributes, settlement
from parsers.quotes.answers.instruments import instrument_of
from parsers.quotes.answers.moneys import currency_of
from parsers.quotes.answers.named import Named
from parsers.quotes.answers.rows import Row, drafted
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Level
from parsers.quotes.headings.setting import OF_MARKETS
from parsers.quotes.regions import Place
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.scene import Scene, titled
from parsers.quotes.runs.sizes import currency_of as money_of
from parsers.quotes.runs.sizes import sizes_of
from parsers.values.currencies import premium_currency
from parsers.values.times.moments import clock

PARSER = "text_run"

_UNDER_TENORS = frozenset({"cds_single", "cds_index", "cds_tranche", "repo", "swaption"})
"""Classes whose headings say of which tenor the lines are."""
_LOCALE_DOUBTS = frozenset({Flag.ambiguous_number, Flag.locale_assumed})


def draft_of(reading: Reading, levels: Sequence[Level], scene: Scene, text: str) -> Draft:
    """The draft of a line, which is `text`; the caller adds its place."""
    name, setting = scene.asset_class, scene.setting
    said = attributes(text, reading.named.name, name, scene.block.locale)
    has_market = name in OF_MARKETS and rules_of(name).market_of(reading.named.name) is None
    headed = setting.said.currency or (setting.market if has_market else None) or setting.of_subject.currency
    whole = titled(reading.named.name, scene)
    currency = currency_of(name, reading.named.name, whole, headed, reading.currency, over=reading.prefixes)
    sizes, size_text = sizes_of(reading, levels, scene, said.orig_face)
    currency = currency or premium_currency(text) or money_of(sizes)
    if currency is None and has_market:
        currency = setting.market
    named, numbers = _of_all_tenors(reading), dict(reading.named.numbers)
    over = next((level.benchmark for level in levels if level.benchmark), None)
    isin, cusip = numbers.get("isin"), numbers.get("cusip")
    place = Place(name, isin, cusip, reading.named.name, scene.region, benchmark=over, usual=scene.usual)
    found = instrument_of(named, place, currency, dates=scene.block.dates, locale=scene.block.locale, said=said)
    headed_tenor = setting.tenor if name in _UNDER_TENORS else None
    row = Row(
        instrument=replace(
            found,
            description=titled(found.description, scene) if found.description else None,
            tenor=found.tenor or headed_tenor,
        ),
        asset_class=name,
        class_source=scene.class_source,
        told=scene.told,
        heads=setting.hints,
        levels=tuple(levels),
        said=setting.all,
        sizes=sizes,
        size_text=size_text,
        axe=reading.axe,
        firmness=reading.firmness,
        is_flat=reading.is_flat,
        settle=settlement(text, reading.named.name, name),
        printed=clock(reading.time) if reading.time else None,
        language=scene.block.language,
        headed=setting.is_headed,
        flags=scene.block.flags & _LOCALE_DOUBTS,
    )
    return replace(drafted(row), parser=PARSER)


def _of_all_tenors(reading: Reading) -> Named:
    """The instrument of `F 3y 120/128 5y 182/188` is `F`: each level has its tenor."""
    named = reading.named
    tenors = {mark.tenor for mark in reading.marks}
    if len(tenors) < 2 or None in tenors or not named.tenor or not named.name.endswith(f" {named.tenor}"):
        return named
    return replace(named, name=named.name.removesuffix(f" {named.tenor}").rstrip(" :"))
