"""Two-sided levels: which text is the bid, which the ask, and what shorthand stands for (spec 4.1, 4.3 to 4.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from parsers.codes import Flag, Notation, QuoteType
from parsers.values.numbers import Locale, Number, Ticks, fraction, is_null, number, tick


@dataclass(frozen=True, slots=True)
class LevelRules:
    """What the block says about its levels."""

    quote_type: QuoteType = QuoteType.price_pct
    asset_class: str = "unknown"
    locale: Locale = Locale.point
    thirty_seconds: Ticks = Ticks.off


@dataclass(frozen=True, slots=True)
class Pair:
    """A level of one or two sides; `single` is a value whose side the text does not say."""

    bid: Number | None = None
    ask: Number | None = None
    single: Number | None = None
    flags: frozenset[Flag] = frozenset()


PRICES = frozenset({QuoteType.price_pct, QuoteType.price_unit, QuoteType.price_vs_ref, QuoteType.upfront_pts})
YIELDS = frozenset({QuoteType.yield_pct, QuoteType.real_yield_pct, QuoteType.discount_rate_pct, QuoteType.irr_pct})
SPREADS = frozenset(kind for kind in QuoteType if kind.startswith("spread_")) | {
    QuoteType.dm_bp,
    QuoteType.cds_spread_bp,
    QuoteType.swap_spread_bp,
    QuoteType.funding_spread_bp,
}
RATES = YIELDS | {QuoteType.rate_pct, QuoteType.repo_rate_pct, QuoteType.breakeven_pct}
_LOW_FIRST = frozenset(
    ["cds_single", "cds_index", "cds_tranche", "irs", "swaption", "inflation_swap", "trs", "fx_forward", "fx_option"]
)
_RATE_HIGH_FIRST = frozenset({"cd", "commercial_paper"})
_TAILED = frozenset(["govt_intl", "irs", "inflation_swap", "fx_forward", "fx_option"])

_BID_WORDS = re.compile(r"\s*\b(?:bid|wanted|buyer|geld|compra)\b(?:\s+only)?\s*", re.IGNORECASE)
_ASK_WORDS = re.compile(
    r"\s*\b(?:offer(?:ed|s)?|ask(?:ed)?|ofr|seller|brief|venta|venda)\b(?:\s+only)?\s*", re.IGNORECASE
)
_WIDE_SEPARATORS = re.compile(r"\s+[-–—]\s+|\s*@\s*|\s+(?:at|to)\s+", re.IGNORECASE)
_LIST_COMMA = re.compile(r"(\d+\.\d+),\s*(\d+\.\d+)")
_IN_TICKS = frozenset({Notation.thirty_seconds, Notation.futures_32})
_NO_FLAGS: frozenset[Flag] = frozenset()
_DECIMALS = re.compile(r"[.,](\d+)\)?$")
_HANDLES = re.compile(r"\d+-\d+")  # among 32nds not two prices: a tick above 31 is refused
_TICK_LIKE = re.compile(r"\d{2}(?:\+|\d|\.\d)?")


def order(quote_type: QuoteType, asset_class: str) -> str:
    """`P`: a fair market has bid <= ask; `Y`: bid >= ask; `N`: no test (spec section 1)."""
    if asset_class == "repo" or quote_type is QuoteType.repo_rate_pct:
        return "N"
    if asset_class in _LOW_FIRST:
        return "P"
    if quote_type is QuoteType.rate_pct and asset_class in _RATE_HIGH_FIRST:
        return "Y"
    high_first = quote_type in YIELDS or (quote_type in SPREADS and quote_type is not QuoteType.cds_spread_bp)
    return "Y" if high_first and quote_type is not QuoteType.funding_spread_bp else "P"


def pair(text: str, rules: LevelRules) -> Pair | None:
    """The level that the whole text is: `98.25/75`, `98 1/4 - 3/4`, `99-16+`, `127/`, `98.5 bid`, `-12/-14`.

    None where the text is no level.
    """
    text = text.strip()
    if not text or len(text) > 80 or is_null(text):
        return None
    worded = _worded(text, rules)
    if worded is not None:
        return worded
    if fraction(text) is None:  # without a handle, 1/4 is two values
        alone = _number(text, rules)
        if alone is not None:
            return Pair(single=alone, flags=alone.flags)
    for left, right in _splits(text, rules):
        found = _both(left, right, rules)
        if found is not None:
            return found
    return None


def complete(bid_text: str, ask_text: str, rules: LevelRules) -> Pair:
    """Bid and ask out of two texts, the ask possibly in shorthand; a side that is no number is None."""
    bid = _number(bid_text, rules)
    if bid is None:
        ask = _number(ask_text, rules)
        return Pair(ask=ask, flags=ask.flags if ask else frozenset())
    ask, flags = _expanded(bid, ask_text.strip(), rules)
    if ask is None:
        return Pair(bid=bid, flags=bid.flags)
    return Pair(bid, ask, flags=flags | bid.flags | ask.flags | market_flags(bid.value, ask.value, rules))


def market_flags(bid: Fraction, ask: Fraction, rules: LevelRules) -> frozenset[Flag]:
    """crossed, locked, wide (spec 4.5)."""
    flags = set()
    direction = order(rules.quote_type, rules.asset_class)
    if bid == ask:
        flags.add(Flag.locked)
    elif (direction == "P" and bid > ask) or (direction == "Y" and bid < ask):
        flags.add(Flag.crossed)
    if abs(ask - bid) > _wide(bid, rules.quote_type):
        flags.add(Flag.wide)
    return frozenset(flags)


def tight_wide(pairs: Iterable[tuple[Fraction, Fraction]]) -> bool:
    """Whether a headerless Y block is written tight side first: its first values are asks (spec 4.5)."""
    seen = list(pairs)
    low_first = sum(1 for first, second in seen if first < second)
    return len(seen) >= 3 and low_first * 10 >= len(seen) * 9


def _number(text: str, rules: LevelRules) -> Number | None:
    ceiling = 1000 if rules.quote_type in PRICES or rules.quote_type in RATES else None
    return number(text, rules.locale, ticks=rules.thirty_seconds, ceiling=ceiling)


def _worded(text: str, rules: LevelRules) -> Pair | None:
    """`98.5 bid`, `99 offered`, `@ 99`: one side, named."""
    if text[0] == "@":
        ask = _number(text[1:], rules)
        return Pair(ask=ask, flags=ask.flags) if ask is not None else None
    if not any(letter.isalpha() for letter in text):
        return None
    for words, is_bid in ((_BID_WORDS, True), (_ASK_WORDS, False)):
        rest, found = words.subn(" ", text)
        if found:
            value = _number(rest, rules)
            if value is None:
                return None
            return Pair(bid=value, flags=value.flags) if is_bid else Pair(ask=value, flags=value.flags)
    return None


def _splits(text: str, rules: LevelRules) -> Iterable[tuple[str, str]]:
    """Places where the text may part into bid and ask, likeliest first."""
    for match in _WIDE_SEPARATORS.finditer(text):
        yield text[: match.start()], text[match.end() :]
    listed = _LIST_COMMA.fullmatch(text)
    if listed is not None:
        yield listed[1], listed[2]
    for mark in "/–-":
        at = text.rfind(mark)
        while at >= 0:
            if mark != "-" or rules.thirty_seconds is Ticks.off or not _HANDLES.fullmatch(text):
                yield text[:at], text[at + 1 :]
            at = text.rfind(mark, 0, at)


def _both(left: str, right: str, rules: LevelRules) -> Pair | None:
    """The pair of two texts, or None where one of them is neither number nor null word."""
    left, right = left.strip(), right.strip()
    if is_null(left):
        ask = None if is_null(right) else _number(right, rules)
        return Pair(ask=ask, flags=ask.flags) if ask is not None else None
    bid = _number(left, rules)
    if bid is None or is_null(right):
        return Pair(bid=bid, flags=bid.flags) if bid is not None else None
    is_no_bid = fraction(left) is not None and rules.quote_type in PRICES and "/" in right  # 3/4 without a handle
    found = complete(left, right, rules)
    return found if found.ask is not None and not is_no_bid else None


def _expanded(bid: Number, text: str, rules: LevelRules) -> tuple[Number | None, frozenset[Flag]]:
    """The ask as its text means it beside this bid (spec 4.3), and whether shorthand was expanded."""
    direction = order(rules.quote_type, rules.asset_class)
    part = fraction(text)
    if part is None and bid.notation in _IN_TICKS and _TICK_LIKE.fullmatch(text):
        in_ticks = tick(text, rules.thirty_seconds)
        ask = Number(_above(bid.value, in_ticks[0], direction), text, bid.notation, in_ticks[1]) if in_ticks else None
    elif part is not None:
        ask = Number(_above(bid.value, part, direction), text, Notation.fraction)
    else:
        full = _number(text, rules)
        if full is None or full.notation is not Notation.decimal or text[:1] in "+-−–(":
            return full, _NO_FLAGS
        value = _shortest(bid, text, full.value, direction, rules)
        ask = Number(value, text, full.notation, full.flags)
        if value == full.value:
            return full, _NO_FLAGS
    return ask, frozenset({Flag.shorthand_expanded})


def _above(bid: Fraction, part: Fraction, direction: str) -> Fraction:
    """The bid's handle with this part, rolled once to the right side."""
    value = int(bid) + part
    if direction != "Y" and value < bid:
        return value + 1
    return value - 1 if direction == "Y" and value > bid else value


def _shortest(bid: Number, text: str, full: Fraction, direction: str, rules: LevelRules) -> Fraction:
    """F, D, R, T of spec 4.3: as written where that is a market, else the tightest shorthand that is one."""

    def right(value: Fraction) -> bool:
        return direction == "N" or (value >= bid.value if direction == "P" else value <= bid.value)

    tail = _tail(bid, text, direction) if rules.asset_class in _TAILED else None
    if tail is not None:
        return tail
    cap, wide = _cap(bid.value, rules.quote_type), _wide(bid.value, rules.quote_type)
    if right(full) and abs(full - bid.value) <= cap and not (text[0] == "0" and text.isdigit() and len(text) > 1):
        return full
    candidates = []
    for value, step in _shorthands(bid, text, full):
        if right(value):
            if abs(value - bid.value) <= wide:
                candidates.append(value)
            continue
        rolled = value + step if direction == "P" else value - step
        if right(rolled) and abs(rolled - bid.value) <= cap and (rolled >= 0) == (bid.value >= 0):
            candidates.append(rolled)
    if right(full):
        candidates.append(full)
    return min(candidates, key=lambda value: (value == bid.value, abs(value - bid.value)), default=full)


def _shorthands(bid: Number, text: str, full: Fraction) -> list[tuple[Fraction, int]]:
    """What the text may stand for beside the bid, each with the step it rolls by."""
    sign = -1 if bid.value < 0 else 1
    magnitude = abs(bid.value)
    found = []
    if text.isdigit() and _decimals(bid):
        found.append((sign * (int(magnitude) + Fraction(int(text), 10 ** len(text))), 1))
        if len(text) == _decimals(bid) and found[0][0] != bid.value:
            return found  # as many digits as the bid has decimals: they are its decimals
    whole = str(int(full))
    digits = len(text) if text.isdigit() else len(whole)
    if digits <= len(str(int(magnitude))):
        base = int(magnitude) // 10**digits * 10**digits
        found.append((sign * (base + full), 10**digits))
    return found


def _decimals(bid: Number) -> int:
    """How many decimals the bid was printed with; it is a plain decimal, in whatever locale."""
    match = _DECIMALS.search(bid.raw)
    is_grouped = bid.value.denominator == 1 and bid.value >= 1000
    return len(match[1]) if match is not None and not is_grouped else 0


def _tail(bid: Number, text: str, direction: str) -> Fraction | None:
    """T: the text replaces the bid's last decimals; rolled once like the other shorthands."""
    decimals = _decimals(bid)
    if not text.isdigit() or len(text) >= decimals:
        return None
    unit = Fraction(1, 10**decimals)
    span: int = 10 ** len(text)
    ticks = int(abs(bid.value) / unit) // span * span + int(text)
    value = unit * (-ticks if bid.value < 0 else ticks)
    step = span * unit
    if direction == "P" and value < bid.value:
        return value + step
    return value - step if direction == "Y" and value > bid.value else value


def _cap(bid: Fraction, quote_type: QuoteType) -> Fraction:
    """The width up to which an ask is taken as written (spec 4.3); where it has no cap, that of a wide market."""
    if quote_type in PRICES:
        return max(Fraction(3), abs(bid) * Fraction(15, 100)) if bid < 70 else Fraction(3)
    if quote_type in SPREADS:
        return max(Fraction(15), abs(bid) / 4)
    if quote_type in RATES:
        return Fraction(1, 2)
    return _wide(bid, quote_type)


def _wide(bid: Fraction, quote_type: QuoteType) -> Fraction:
    """The width above which a market is wide (spec 4.5)."""
    if quote_type in PRICES:
        return Fraction(10)
    return Fraction(150) if quote_type in SPREADS else abs(bid) * Fraction(3, 10)
