"""What a level of a line measures, and its values (spec 4.3 to 4.9, rulings 1 and 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from parsers.codes import Flag, Notation, QuoteKind, QuoteType
from parsers.quotes.classes import Unmarked, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs.reading import Mark, Reading
from parsers.values.dates import month_year
from parsers.values.levels import PRICES, LevelRules, Pair, pair
from parsers.values.numbers import Locale, Number, Ticks, number
from parsers.values.spreads import curve
from parsers.values.talk import talk
from parsers.values.tenors import tenor


@dataclass(frozen=True, slots=True)
class Ground:
    """What the block says about the levels of its lines."""

    asset_class: str = "unknown"
    locale: Locale = Locale.point
    ticks: Ticks = Ticks.off
    currency: str | None = None
    side: str | None = None  # of values that do not say theirs
    kind: QuoteKind | None = None
    hints: tuple[str, ...] = ()  # quote types of a header's level columns, left to right
    measure: QuoteType | None = None  # that a heading names
    struct: str | None = None
    running: Fraction | None = None  # a heading's `+500 running`
    subtype: str | None = None  # `lognormal`


@dataclass(frozen=True, slots=True)
class Measured:
    """A level with what was assumed about it."""

    level: Level
    pair: Pair


_TEXT_TYPES = {
    "dm": QuoteType.dm_bp,
    "disc margin": QuoteType.dm_bp,
    "yld": QuoteType.yield_pct,
    "yield": QuoteType.yield_pct,
    "ytm": QuoteType.yield_pct,
    "ytw": QuoteType.yield_pct,
    "ytc": QuoteType.yield_pct,
    "nvol": QuoteType.vol_normal_bp,
    "nvols": QuoteType.vol_normal_bp,
    "n.vol": QuoteType.vol_normal_bp,
    "ticks": QuoteType.roll_ticks,
}
_SPREAD_OF_CLASS = {  # what a bare `bp` or a bare sign means where the class has several spreads
    "cds_single": QuoteType.cds_spread_bp,
    "cds_index": QuoteType.cds_spread_bp,
    "cds_tranche": QuoteType.cds_spread_bp,
    "swaption": QuoteType.premium_bp,
    "trs": QuoteType.funding_spread_bp,
    "frn": QuoteType.dm_bp,
    "leveraged_loan": QuoteType.dm_bp,
    "clo": QuoteType.dm_bp,
    "crt": QuoteType.dm_bp,
    "rmbs_nonagency": QuoteType.dm_bp,
    "cdo_trups": QuoteType.dm_bp,
    "cmbs": QuoteType.spread_swap_bp,
    "abs": QuoteType.spread_i_bp,
    "us_muni": QuoteType.spread_mmd_bp,
    "covered_bond": QuoteType.spread_asw_bp,
    "provincial_canada": QuoteType.spread_bench_bp,
    "corp_ig": QuoteType.spread_bench_bp,
    "corp_hy": QuoteType.spread_bench_bp,
    "agency_ssa": QuoteType.spread_bench_bp,
    "em_hard_ccy": QuoteType.spread_bench_bp,
}
_NAME_TYPES = (  # words of an instrument's name or section that say what it is quoted in
    (re.compile(r"\bswap spreads?\b", re.IGNORECASE), "irs", QuoteType.swap_spread_bp),
    (re.compile(r"\b(?:basis|xccy|\d+s\d+s)\b", re.IGNORECASE), "irs", QuoteType.basis_bp),
    (re.compile(r"\bbase corr", re.IGNORECASE), "cds_tranche", QuoteType.base_corr_pct),
    (re.compile(r"\broll\b", re.IGNORECASE), "tba_mbs", QuoteType.roll_ticks),
    (re.compile(r"\bpay-?ups?\b", re.IGNORECASE), "agency_mbs_cmo", QuoteType.payup_32),
    (re.compile(r"\b(?:pts|points|pontos|puntos|swap points)\b", re.IGNORECASE), "fx_forward", QuoteType.fwd_points),
    (re.compile(r"\b(?:bills?|cdx? bills?)\b", re.IGNORECASE), "govt_us", QuoteType.discount_rate_pct),
    (re.compile(r"^B 0?\s", re.IGNORECASE), "govt_us", QuoteType.discount_rate_pct),
)
_DECIMALS = re.compile(r"[.,](\d+)")
_BOND = re.compile(r"(?:vs\.?\s|over\s)?(?P<ticker>[A-Za-z]+)\s(?P<coupon>.+?)\s(?P<maturity>\S+)")


def levels(reading: Reading, ground: Ground) -> tuple[Level, ...]:
    """The levels of a line, in the order printed; those that are no level in this class are left out."""
    marks = _split_covers(reading.marks)
    marks = _sides_joined(marks)
    found: list[Level] = []
    bare = 0
    for mark in marks:
        hint = None
        if mark.token.prefix is None and mark.label is None and mark.kind is None:
            hint = ground.hints[bare] if bare < len(ground.hints) else None
            bare += 1
        level = _level(mark, reading, ground, hint, found)
        if level is not None:
            found.append(level)
    if ground.asset_class == "fx_option" and any((level.option_struct or "atm") != "atm" for level in found):
        found = [replace(level, option_struct=level.option_struct or "atm") for level in found]
    return tuple(_sided(found, reading, ground))


def _level(mark: Mark, reading: Reading, ground: Ground, hint: str | None, before: Sequence[Level]) -> Level | None:
    if mark.kind == "talk" or (ground.kind in (QuoteKind.talk,) and mark.kind is None):
        return _talk(mark, ground)
    quote_type, benchmark, flags = _quote_type(mark, reading, ground, hint, before)
    if quote_type is None:
        return None
    rules = LevelRules(
        quote_type, ground.asset_class, ground.locale, ground.ticks if quote_type in PRICES else Ticks.off
    )
    found = _values(mark, rules)
    if found is None:
        return None
    kind = {"cover": QuoteKind.cover, "trade": QuoteKind.trade}.get(mark.kind or "")
    level = Level(
        quote_type=quote_type,
        quote_kind=kind or QuoteKind.market,
        bid=found.bid.value if found.bid else None,
        ask=found.ask.value if found.ask else None,
        mid=found.single.value if found.single else None,
        bid_raw=found.bid.raw if found.bid else None,
        ask_raw=found.ask.raw if found.ask else None,
        mid_raw=found.single.raw if found.single else None,
        notation=_notation(found),
        tenor=tenor(mark.tenor) if mark.tenor else None,
        option_struct=ground.struct or mark.struct,
        benchmark=_benchmark(reading, benchmark) if _is_spread(quote_type) else None,
        running_coupon_bp=_plain(mark.running, ground)
        if mark.running
        else (ground.running if quote_type is QuoteType.upfront_pts else None),
        ref_price=_plain(mark.reference, ground)
        if mark.reference and quote_type in (QuoteType.price_vs_ref, QuoteType.vol_pct, QuoteType.premium_pct)
        else None,
        delta_pct=_plain(mark.delta.strip("dΔelta "), ground) if mark.delta else None,
        char_start=mark.token.start,
        char_end=mark.token.end,
        flags=flags | found.flags,
    )
    return _placed(level, mark.side)


def _placed(level: Level, side: str | None) -> Level:
    """A single value on the side that the line names."""
    if level.mid is None:
        return level
    if level.quote_kind is QuoteKind.cover or (side == "bid" and level.quote_kind is not QuoteKind.trade):
        return replace(level, bid=level.mid, bid_raw=level.mid_raw, mid=None, mid_raw=None)
    if side == "ask" and level.quote_kind is not QuoteKind.trade:
        return replace(level, ask=level.mid, ask_raw=level.mid_raw, mid=None, mid_raw=None)
    return level


def _sided(found: list[Level], reading: Reading, ground: Ground) -> list[Level]:
    """Singles without a side take the section's, or that of the line's only price (spec 4.6, ruling 4)."""
    side = {"bid": "bid", "ask": "ask"}.get(reading.axe or "") or ground.side
    result = []
    for level in found:
        if level.mid is None or level.quote_kind is not QuoteKind.market:
            result.append(level)
            continue
        own = side
        if own is None:
            prices = [other for other in found if other is not level and other.quote_type in PRICES]
            if len(prices) == 1 and (prices[0].bid is None) != (prices[0].ask is None):
                own = "bid" if prices[0].bid is not None else "ask"
        if own in ("bid", "ask"):
            result.append(_placed(level, own))
        elif own == "mid":
            result.append(level)
        else:
            result.append(replace(level, flags=level.flags | {Flag.side_assumed}))
    return result


def _talk(mark: Mark, ground: Ground) -> Level | None:
    text = mark.token.text
    phrase = re.sub(r"\s?(?:dm|DM|bps?)$", "", text)
    is_spread = phrase != text or (mark.token.unit or "") in ("dm", "DM") or text.startswith("+")
    found = talk(f"{text} {mark.token.unit or ''}".strip(), ground.locale, spread=is_spread, ticks=ground.ticks)
    if found is None:
        return None
    if is_spread:
        kind = (
            QuoteType.dm_bp
            if "d" in text.lower() or (mark.token.unit or "").lower() == "dm"
            else _spread_of(ground.asset_class)
        )
    else:
        kind = QuoteType.price_unit if ground.asset_class in ("preferred", "warrant_equity") else QuoteType.price_pct
        top = max(value for value in (found.low, found.high) if value is not None)
        if top > 250:
            kind = _spread_of(ground.asset_class)
    return Level(
        quote_type=kind,
        quote_kind=QuoteKind.talk,
        talk_low=found.low,
        talk_high=found.high,
        mid_raw=text,
        notation=Notation.words,
        char_start=mark.token.start,
        char_end=mark.token.end,
    )


def _quote_type(
    mark: Mark, reading: Reading, ground: Ground, hint: str | None, before: Sequence[Level]
) -> tuple[QuoteType | None, str | None, frozenset[Flag]]:
    """What the level measures, over which curve, and what was assumed: marks of its own, header, heading, class."""
    none: frozenset[Flag] = frozenset()
    token, name = mark.token, ground.asset_class
    if token.prefix:
        quote_type, benchmark = curve(token.prefix, name)
        return quote_type, benchmark, none
    unit = (token.unit or "").strip().lower()
    if unit in _TEXT_TYPES:
        kind = _TEXT_TYPES[unit]
        if kind is QuoteType.yield_pct and name == "inflation_linked":
            kind = QuoteType.real_yield_pct
        return kind, None, none
    if unit.startswith("pt") or unit == "points":
        return (QuoteType.fwd_points if name == "fx_forward" else QuoteType.upfront_pts), None, none
    if "nav" in unit:
        return QuoteType.pct_nav, None, none
    if unit.startswith("v"):
        return (QuoteType.vol_normal_bp if name == "swaption" else QuoteType.vol_pct), None, none
    if mark.label is not None and mark.label != "price":
        kind = QuoteType(mark.label)
        return (
            (QuoteType.real_yield_pct if kind is QuoteType.yield_pct and name == "inflation_linked" else kind),
            None,
            none,
        )
    if unit.startswith("bp"):
        named = _named_type(reading, name)
        if named is not None and named.endswith("_bp"):
            return named, None, none
        return _spread_of(name), None, none
    if token.prefix == "":
        named = _named_type(reading, name)
        if named is not None:
            return named, None, none
        if name in ("irs", "fx_forward", "fx_option", "cds_tranche", "repo", "swaption", "inflation_swap"):
            return _by_class(mark, ground), None, none
        kind = (
            QuoteType(hint) if hint in QuoteType.__members__ and hint and hint.startswith("spread") else ground.measure
        )
        if kind is not None and _is_spread(kind):
            return kind, None, none
        if name == "unknown":
            return QuoteType.spread_unspecified_bp, None, frozenset({Flag.type_assumed})
        return _spread_of(name), None, none
    if mark.reference is not None and name in ("convertible", "unknown"):
        return QuoteType.price_vs_ref, None, none
    if hint is not None:
        kind = _hinted(hint, mark, reading, ground)
        if kind is not None:
            return kind, None, none
    named = _named_type(reading, name)
    if named is not None:
        return named, None, none
    if mark.label == "price":
        return _price_of(name), None, none
    on_price = rules_of(name).on_price
    if on_price is not None and on_price.search(reading.name):
        return QuoteType.price_pct, None, none
    if ground.measure is not None and not before and _fits(ground.measure, mark, ground):
        return ground.measure, None, none
    kind = _by_class(mark, ground)
    return kind, None, frozenset({Flag.type_assumed}) if name == "unknown" else none


def _hinted(hint: str, mark: Mark, reading: Reading, ground: Ground) -> QuoteType | None:
    """The quote type of a header's word: itself, or what `price`, `spread`, `rate` mean in this class."""
    if hint in QuoteType.__members__:
        return QuoteType(hint)
    if hint == "price":
        return _price_of(ground.asset_class)
    if hint == "spread":
        return _spread_of(ground.asset_class)
    return None


def _named_type(reading: Reading, name: str) -> QuoteType | None:
    return next((kind for pattern, owner, kind in _NAME_TYPES if owner == name and pattern.search(reading.name)), None)


def _by_class(mark: Mark, ground: Ground) -> QuoteType | None:
    """The first reading of the class that the values fit, uncrossed before crossed (data of `classes`)."""
    crossed: QuoteType | None = None
    for choice in rules_of(ground.asset_class).unmarked:
        found = _fitting(choice, mark, ground)
        if found is None:
            continue
        if Flag.crossed not in found.flags:
            return choice.quote_type
        crossed = crossed or (None if choice.falling else choice.quote_type)
    return crossed


def _fitting(choice: Unmarked, mark: Mark, ground: Ground) -> Pair | None:
    ticks = ground.ticks if choice.quote_type in PRICES else Ticks.off
    found = _values(mark, LevelRules(choice.quote_type, ground.asset_class, ground.locale, ticks))
    if found is None:
        return None
    values = [side for side in (found.bid, found.ask, found.single) if side is not None]
    if not all(choice.low <= side.value <= choice.high for side in values):
        return None
    decimals = max((len(match) for match in _DECIMALS.findall(mark.token.text)), default=0)
    if choice.decimals is not None and decimals > choice.decimals:
        return None
    if choice.falling:
        if found.bid is not None and found.ask is not None:
            return None if found.bid.value < found.ask.value else found
        if choice.decimals is not None and decimals:
            return None
    return found


def _fits(quote_type: QuoteType, mark: Mark, ground: Ground) -> bool:
    """Whether a heading's measure can be this level's: prices are not single-digit, yields not above 40."""
    found = _values(
        mark,
        LevelRules(quote_type, ground.asset_class, ground.locale, ground.ticks if quote_type in PRICES else Ticks.off),
    )
    if found is None:
        return False
    values = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    if quote_type.endswith("yield_pct") or quote_type in (QuoteType.discount_rate_pct, QuoteType.breakeven_pct):
        return all(value <= 40 for value in values)
    if quote_type is QuoteType.price_pct:
        return all(value >= 5 for value in values)
    return True


def _price_of(name: str) -> QuoteType:
    return next((kind for kind in rules_of(name).types if kind in PRICES), QuoteType.price_pct)


def _spread_of(name: str) -> QuoteType:
    return _SPREAD_OF_CLASS.get(name, QuoteType.spread_unspecified_bp)


def _is_spread(quote_type: QuoteType) -> bool:
    return quote_type.startswith("spread_")


def _values(mark: Mark, rules: LevelRules) -> Pair | None:
    text = mark.token.text
    if rules.quote_type is QuoteType.payup_32:
        text = re.sub(r"(\d)\+", r"\1.5", text)
        rules = replace(rules, locale=Locale.point)
    return pair(text, rules)


def _notation(found: Pair) -> Notation:
    sides: list[Number] = [side for side in (found.bid, found.ask, found.single) if side is not None]
    return next((side.notation for side in sides if side.notation is not Notation.decimal), Notation.decimal)


def _benchmark(reading: Reading, curve_name: str | None) -> str | None:
    """A bond named beside the spread, normalised, else the curve's letter (rulings 1, 24)."""
    match = _BOND.fullmatch(reading.bond) if reading.bond else None
    if match is None:
        return curve_name
    coupon = number(match["coupon"])
    months = month_year(match["maturity"])
    if coupon is None or months is None:
        return curve_name
    ticker = {"GOC": "CAN", "UST": "T", "CT": "T", "BUND": "DBR"}.get(match["ticker"].upper(), match["ticker"].upper())
    return f"{ticker} {shortest(coupon.value)} {months[0]:02}/{months[1] % 100:02}"


def shortest(value: Fraction) -> str:
    """The shortest decimal of an exact fraction: 3.25 for 3 1/4."""
    text = f"{round(value * 10**6):07}"
    return f"{text[:-6]}.{text[-6:]}".rstrip("0").rstrip(".")


def _plain(text: str | None, ground: Ground) -> Fraction | None:
    found = number(text.lstrip("$"), ground.locale) if text else None
    return found.value if found is not None else None


def _split_covers(marks: Sequence[Mark]) -> list[Mark]:
    """`cvr 100.02 / 104dm` is a price and a margin, not a market."""
    result = []
    for mark in marks:
        if (
            not (mark.kind in ("cover", "trade") or mark.side)
            or "/" not in mark.token.text
            or mark.token.unit not in ("dm", "DM")
        ):
            result.append(mark)
            continue
        first, _, second = mark.token.text.partition("/")
        start = mark.token.start
        result.append(
            replace(mark, token=replace(mark.token, text=first.strip(), unit=None, end=start + len(first.rstrip())))
        )
        result.append(
            replace(
                mark,
                token=replace(
                    mark.token,
                    text=second.strip(),
                    start=mark.token.end - len(second.strip()) - len(mark.token.unit or ""),
                ),
            )
        )
    return result


def _sides_joined(marks: list[Mark]) -> list[Mark]:
    """`98.5 bid 99 offer` is one market."""
    result: list[Mark] = []
    for mark in marks:
        last = result[-1] if result else None
        if (
            last is not None
            and last.side == "bid"
            and mark.side == "ask"
            and (last.token.prefix, last.label, last.kind) == (mark.token.prefix, mark.label, mark.kind)
            and not re.search(r"\d\s*/|/\s*\d", last.token.text + mark.token.text)
        ):
            token = replace(
                last.token,
                text=f"{last.token.text} / {mark.token.text}",
                end=mark.token.end,
                unit=mark.token.unit or last.token.unit,
            )
            result[-1] = replace(last, token=token, side=None)
        else:
            result.append(mark)
    return result
