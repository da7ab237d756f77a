"""A level to be judged, what it may be read with, and the verdict."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.quotes.answers.measuring import Sample
from parsers.quotes.classes import ClassRules, rules_of
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.marked.reading import Mark
from parsers.values.levels import Pair, pair
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import within

_BARE = (None, None)
_MINUS = ("-", "−")
_PAYUP, _ROLL = QuoteType.payup_32, QuoteType.roll_ticks


_IN_TICKS = re.compile(r"\b0-(?P<ticks>\d\d)(?P<eighths>[0-7])?(?!\d)")

_RISING = re.compile(r"(\d{2,3}\.\d+)\s?[/-]\s?(\d{2,3})")
_WIDTH = 3
"""Points that a price is wide (spec 4.3)."""
_PRICE_IN_TICKS = re.compile(r"(?:[6-9]\d|1\d\d)-(?:0\d|[12]\d|3[01])")
"""A price where 32nds were read; a market of a spread only in shorthand: `120-15`."""
_IN_PARTS = re.compile(r"\d[ \-]\d{1,2}/(?:2|4|8|16|32|64)(?!\d)|[¼½¾⅛⅜⅝⅞]|/\s?\.\d")
"""Fractions, or a second side that begins with its point: `98 1/4`, `99.1/.3`."""
_DECIMALS = re.compile(r"[.,](\d+)")
_WHOLE = re.compile(r"\d{2,3}")


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
        is_told = mark.label is not None or mark.reference is not None or (mark.token.prefix, mark.token.unit) != _BARE
        return is_told or self.is_signed

    @property
    def is_signed(self) -> bool:
        """Whether a plus stands in front of it, or of its second side: `+85/80`, `/+84`."""
        token = self.mark.token
        is_in_front = token.prefix == "" and token.text[:1] not in _MINUS
        return is_in_front or ("/" in token.text and token.text.partition("/")[2].lstrip()[:1] == "+")

    @property
    def rules(self) -> ClassRules:
        """Of its class."""
        return rules_of(self.ground.asset_class)

    @property
    def unit(self) -> str:
        """What is printed behind the level, lower case."""
        return (self.mark.token.unit or "").strip()

    def sample(self, kind: QuoteType) -> Sample | None:
        """Its values read as of a type, and how they are written; None where they cannot be that."""
        text, ground = self.mark.token.text, self.ground
        found = values(self.mark, ground.rules(kind))
        if found is None:
            return None
        sides = [side.value for side in (found.bid, found.ask, found.single) if side is not None]
        falls = ground.falls or (ground.falls_in_points and _WHOLE.fullmatch(text) is not None)
        return Sample(
            sides,
            low_first=int(len(sides) > 1 and sides[0] < sides[1]),
            high_first=int(len(sides) > 1 and sides[0] > sides[1]),
            printed=max((len(match) for match in _DECIMALS.findall(text)), default=0),
            is_price=_is_price(text, found, ground) if len(sides) > 1 else _is_lone_price(text),
            is_sided=self.mark.side is not None,
            is_over_bond=self.has_bond,
            is_wide=Flag.wide in found.flags,
            is_beside_falling=falls,
        )


def _is_lone_price(text: str) -> bool:
    """`par`, `98 1/4`."""
    return text[0] in "pP" or _IN_PARTS.search(text) is not None


def _is_price(text: str, found: Pair, ground: Ground) -> bool:
    """Whether a market is written as one of prices: in 32nds, or in shorthand that would fall below a bid near par."""
    is_short, bid = Flag.shorthand_expanded in found.flags, found.bid
    if _PRICE_IN_TICKS.fullmatch(text) is not None and (not is_short or ground.ticks is not Ticks.off):  # `112-08`
        return True
    if not is_short or ground.falls:
        return False
    plain = _RISING.fullmatch(text)
    if plain is not None and 0 < Fraction(plain[2]) - Fraction(plain[1]) <= _WIDTH:  # `82.5/85`
        return True
    return bid is not None and within(bid.value, 80, 120) and _IN_PARTS.search(text) is not None


def _plain_ticks(match: re.Match[str]) -> str:
    return str(int(match["ticks"])) + (f".{int(match['eighths']) * 125:03}" if match["eighths"] else "")


def values(mark: Mark, rules: LevelRules) -> Pair | None:
    """The values of a level, read as one of this type; `21+` of a pay-up or roll is 21 and a half, `0-18` is 18."""
    text = mark.token.text
    if rules.quote_type is _PAYUP or rules.quote_type is _ROLL:
        text = re.sub(r"(\d)\+", r"\1.5", _IN_TICKS.sub(_plain_ticks, text))
    return pair(text, rules)
