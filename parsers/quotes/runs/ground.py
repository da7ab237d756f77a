"""What a block says about the levels of its lines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from parsers.codes import QuoteKind, QuoteType
from parsers.values.markets import PRICES, LevelRules
from parsers.values.numbers import Locale, Ticks


@dataclass(frozen=True, slots=True)
class Ground:
    """The class of a line and what the headings over it say."""

    asset_class: str = "unknown"
    locale: Locale = Locale.point
    ticks: Ticks = Ticks.off
    side: str | None = None  # of values that do not say theirs
    kind: QuoteKind | None = None
    hints: tuple[str, ...] = ()  # measures of a header's level columns, left to right
    measure: QuoteType | None = None  # that a heading names
    struct: str | None = None
    running: Fraction | None = None  # a heading's `500 running`

    def rules(self, quote_type: QuoteType) -> LevelRules:
        """How a level of this type is read here."""
        ticks = self.ticks if quote_type in PRICES else Ticks.off
        return LevelRules(quote_type, self.asset_class, self.locale, ticks)
