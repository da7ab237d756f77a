"""The levels of a line under a heading of several measures: `price / ASW`, `px, real yield, BE`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.codes import Flag, QuoteType
from parsers.quotes.answers.measuring import price_of, spread_of
from parsers.quotes.classes import rules_of
from parsers.quotes.judging import is_in_range
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.marked.reading import Mark
from parsers.values.levels import pair
from parsers.values.markets import market_flags

_NO_MARKET = frozenset({Flag.crossed, Flag.wide, Flag.locked, Flag.shorthand_expanded})


def halved(marks: Sequence[Mark], ground: Ground) -> Sequence[Mark]:
    """The marks of a line, each with its measure; none where the one level of two may as well be of the other.

    `98.5/99` is a market in price, `98.5/45` a price and a spread, `12.5/13.5` under `Spread/Upf` nobody knows what.
    """
    if len(marks) > 1 and len(marks) >= len(ground.listed) > 1:
        return _in_order(marks, ground)
    if ground.halves is None or len(marks) != 1 or not _is_bare(marks[0]):
        return marks
    fitting = [name for name in ground.halves if _fits(marks[0], name, ground)]
    if fitting:
        return [replace(marks[0], label=_label(fitting[0], ground))] if len(fitting) == 1 else []
    parts = list(zip(parted(marks[0]), ground.halves, strict=False))
    if len(parts) < len(ground.halves) or not all(_fits(part, name, ground) for part, name in parts):
        return marks
    return [replace(part, label=_label(name, ground)) for part, name in parts]


def _in_order(marks: Sequence[Mark], ground: Ground) -> Sequence[Mark]:
    """As many bare levels as the heading lists, each of the measure in its place, where all of them can be that."""
    bare = [mark for mark in marks if _is_bare(mark) or _is_signed(mark)]
    if len(bare) != len(ground.listed) or not all(map(_fits, bare, ground.listed, [ground] * len(bare))):
        return marks
    names = iter(ground.listed)
    return [replace(mark, label=_label(next(names), ground)) if mark in bare else mark for mark in marks]


def parted(mark: Mark) -> list[Mark]:
    """What stands in front of the slash of a level and what stands behind it, the unit with the second."""
    token = mark.token
    first, _, second = token.text.partition("/")
    front = replace(token, text=first.strip(), unit=None, end=token.start + len(first.rstrip()))
    behind = replace(token, text=second.strip(), start=token.end - len(second.strip()) - len(token.unit or ""))
    return [replace(mark, token=one) for one in (front, behind) if one.text]


def _is_bare(mark: Mark) -> bool:
    token = mark.token
    return (token.prefix, token.unit, mark.label, mark.kind, mark.reference) == (None,) * 5


def _is_signed(mark: Mark) -> bool:
    """Whether nothing but a sign says what a level is: `+330`, `14.5%`."""
    if mark.token.prefix or mark.token.unit not in (None, "%"):
        return False
    return _is_bare(replace(mark, token=replace(mark.token, prefix=None, unit=None)))


def _fits(mark: Mark, name: str, ground: Ground) -> bool:
    """Whether a level, as it is written, can be a market or a value of this measure."""
    rules = ground.rules(_type(name, ground))
    found = pair(mark.token.text, rules)
    if found is None:
        return False
    sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
    flags = found.flags | (market_flags(sides[0], sides[1], rules) if len(sides) > 1 else frozenset())
    return _NO_MARKET.isdisjoint(flags) and all(is_in_range(side, rules.quote_type) for side in sides)


def _type(name: str, ground: Ground) -> QuoteType:
    rules = rules_of(ground.asset_class)
    if name == "price":
        return price_of(rules.types)
    return spread_of(rules).quote_type if name == "spread" else QuoteType(name)


def _label(name: str, ground: Ground) -> str:
    return name if name == "price" else _type(name, ground).value
