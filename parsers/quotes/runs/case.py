"""A level to be judged, what it may be read with, and the verdict."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.quotes.runs.ground import Ground
from parsers.quotes.runs.reading import Mark
from parsers.values.levels import Pair, pair
from parsers.values.markets import LevelRules

_BARE = (None, None)
_PAYUP, _ROLL = QuoteType.payup_32, QuoteType.roll_ticks


_IN_TICKS = re.compile(r"\b0-(?P<ticks>\d\d)(?P<eighths>[0-7])?(?!\d)")


class Measure(Struct, frozen=True, gc=False):
    """The quote type of a level, the curve under it, and what was assumed."""

    quote_type: QuoteType
    benchmark: str | None = None
    flags: frozenset[Flag] = frozenset()


class Case(Struct, frozen=True, gc=False):
    """A level to be judged."""

    mark: Mark
    name: str  # of the instrument
    ground: Ground
    hint: str | None = None  # measure of its header column
    is_first: bool = True  # of its line
    price: Fraction | None = None  # the one in front of it
    printed: frozenset[QuoteType] = frozenset()  # spreads over a curve in front of it
    has_bond: bool = False  # it is the line's only level, and a benchmark bond is named beside it

    @property
    def is_marked(self) -> bool:
        """Whether a curve, a unit, a word or a reference beside the level may say what it measures."""
        mark = self.mark
        return mark.label is not None or mark.reference is not None or (mark.token.prefix, mark.token.unit) != _BARE

    @property
    def unit(self) -> str:
        """What is printed behind the level, lower case."""
        return (self.mark.token.unit or "").strip()


def _plain_ticks(match: re.Match[str]) -> str:
    return str(int(match["ticks"])) + (f".{int(match['eighths']) * 125:03}" if match["eighths"] else "")


def values(mark: Mark, rules: LevelRules) -> Pair | None:
    """The values of a level, read as one of this type; `21+` of a pay-up or roll is 21 and a half, `0-18` is 18."""
    text = mark.token.text
    if rules.quote_type is _PAYUP or rules.quote_type is _ROLL:
        text = re.sub(r"(\d)\+", r"\1.5", _IN_TICKS.sub(_plain_ticks, text))
    return pair(text, rules)
