"""From a reading and its levels to a draft: instrument, sizes, kinds (rulings 2, 3, 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, Firmness, Flag, QuoteKind
from parsers.quotes.classes import rules_of
from parsers.quotes.draft import Draft, Instrument, Level, Sizes
from parsers.quotes.runs.attributes import SECURITISED, Attributes, attributes, settlement
from parsers.quotes.runs.block import Block
from parsers.quotes.runs.judging import ON_THE_RUN
from parsers.quotes.runs.levels import of_covers
from parsers.quotes.runs.money import currency_of, market_of
from parsers.quotes.runs.naming import coupon_value
from parsers.quotes.runs.reading import Named, Reading
from parsers.quotes.runs.setting import OF_MARKETS, Setting
from parsers.quotes.runs.talking import of_range
from parsers.values.currencies import premium_currency
from parsers.values.dates import maturity
from parsers.values.moments import clock
from parsers.values.numbers import number
from parsers.values.sizes import SMALL_MONEYS, Size, SizePair, SizeRules, size, size_pair
from parsers.values.tenors import tenor

PARSER = "text_run"

_BY_FACTOR = re.compile(r"\s*[xX×]\s*0?\.\d+$")  # `15mm x .21`: what is left of it
_WAL = re.compile(r"\s+(?:WAL\s)?(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:yrs?|y)?(?:\sWAL)?(?<=[yLrs])$", re.IGNORECASE)
_ONLY_TENOR = re.compile(r"(?:\d{1,3}[Dd]|\d\d?[WMYAJwmy]|\d\d?-\d{1,3}%?|[OTS]/?N)(?:\s(?:ATMF?|NDF|pts|outright))?")
_ONLY_OPTION = re.compile(
    r"(?:(?:\d{1,2}[dwmyDWMY]|ON)\s)?(?:ATMF?|(?:10|15|25)\s?[dD]?\s?(?:RR|BF|FLY))(?:\s\d{1,2}[dwmyDWMY])?"
)
"""An option on what a heading names: `1M 25RR`."""
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,7}(?=\s)")
_LOCALE_DOUBTS = frozenset({Flag.ambiguous_number, Flag.locale_assumed})


class Scene(Struct, frozen=True, gc=False):
    """Where a line stands."""

    asset_class: str
    class_source: str
    setting: Setting
    block: Block
    region: str | None  # of the sender's desk


def draft_of(reading: Reading, levels: Sequence[Level], scene: Scene, text: str) -> Draft:
    """The draft of a line, which is `text`; the caller adds its place."""
    name, setting = scene.asset_class, scene.setting
    placed = tuple(_of_kind(level, reading, setting) for level in _told(levels, setting))
    said = attributes(text, reading.named.name, name, scene.block.locale)
    currency = currency_of(reading, name, _titled(reading.named.name, scene), setting.currency)
    sizes, size_currency = _sizes(reading, placed, scene, said.orig_face)
    currency = currency or premium_currency(text) or size_currency
    if currency is None and name in OF_MARKETS and rules_of(name).market_of(reading.named.name) is None:
        currency = setting.market
    market = currency
    if market is None and reading.named.maturity:
        market = market_of(reading.named, name, scene.region, placed)
    return Draft(
        instrument=_instrument(_of_all_tenors(reading), scene, currency, market, said),
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


def _of_all_tenors(reading: Reading) -> Named:
    """The instrument of `F 3y 120/128 5y 182/188` is `F`: each level has its tenor."""
    named = reading.named
    tenors = {mark.tenor for mark in reading.marks}
    if len(tenors) < 2 or None in tenors or not named.tenor or not named.name.endswith(f" {named.tenor}"):
        return named
    return replace(named, name=named.name.removesuffix(f" {named.tenor}").rstrip(" :"))


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


def _titled(name: str, scene: Scene) -> str:
    """A tenor with what the heading over it says that it is of."""
    is_part = _ONLY_TENOR.fullmatch(name) or (" " in name and tenor(name))  # `3M`, `3 mesi`
    is_part = is_part or (scene.asset_class == "fx_option" and _ONLY_OPTION.fullmatch(name))
    title = scene.setting.issuer if rules_of(scene.asset_class).curve and is_part else None
    return f"{title} {name}" if title else name


def _instrument(named: Named, scene: Scene, currency: str | None, market: str | None, said: Attributes) -> Instrument:
    name, locale = scene.asset_class, scene.block.locale
    due = maturity(named.maturity, scene.block.date_order(market, scene.region)) if named.maturity else None
    coupon = coupon_value(named.coupon, locale) if named.coupon and name != "leveraged_loan" else None
    margin = number(named.margin, locale) if named.margin else None
    description = named.name
    life = _WAL.search(description) if name in SECURITISED else None
    if life is not None:
        description = description[: life.start()]
    if name in SECURITISED and said.rating and len(said.rating) > 1:  # `ELMW9 2021-2A ER  BB`
        description = description.removesuffix(f" {said.rating}")
    description = _titled(description, scene)
    ticker = _TICKER.match(named.name) if named.coupon is not None else None
    return Instrument(
        identifiers=tuple((item.kind, item.value) for item in named.identifiers),
        description=description or None,
        ticker=ticker[0] if ticker is not None else None,
        tranche=named.tranche,
        seniority=said.seniority,
        rating=said.rating,
        coupon=coupon,
        coupon_type=_coupon_type(named, name),
        coupon_margin_bp=margin.value if margin is not None else None,
        maturity=due.date if due is not None else None,
        maturity_text=named.maturity,
        is_due_unsure=due is not None and due.ambiguous and not scene.block.tells_date_order,
        tenor=_tenor(named, scene),
        currency=currency,
        factor=said.factor,
        wal_years=said.wal_years,
        ce_pct=said.ce_pct,
        orig_face=said.orig_face,
    )


def _tenor(named: Named, scene: Scene) -> str | None:
    """The line's tenor where the class has tenors (ruling 11), else a heading's for credit protection."""
    name = scene.asset_class
    if named.tenor and (rules_of(name).curve or (name in ON_THE_RUN and named.maturity is None)):
        return tenor(named.tenor)
    return scene.setting.tenor if name in ("cds_single", "cds_index", "cds_tranche", "repo") else None


def _coupon_type(named: Named, name: str) -> str:
    if named.margin is not None or name == "frn":
        return "float"
    plain = "fixed" if named.coupon is not None else "unknown"
    return "zero" if name == "strips" else plain


def _sizes(
    reading: Reading, levels: Sequence[Level], scene: Scene, original: Fraction | None
) -> tuple[Sizes, str | None]:
    """The sizes of the line (ruling 2), of which the original face is none, and a currency that they print."""
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
    if not known:
        return Sizes(), None
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
