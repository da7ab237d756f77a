"""Which quote type a slot holds: its heading's words, the class, and what the values look like (spec 5.3, 5.4, 4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from parsers.codes import QuoteKind, QuoteType
from parsers.quotes.classes import ClassRules, Unmarked
from parsers.values.markets import RATES, SPREADS, YIELDS
from parsers.values.separators import within

_T = QuoteType
_PRICES = (_T.price_pct, _T.price_unit, _T.price_vs_ref, _T.pct_nav, _T.upfront_pts, _T.fx_rate)
_ALL_CROSSED = 3
"""Rows with a bid above the ask, and none below, from which they are no prices."""
_LEAST_PRICE, _MOST_PRICE = Fraction(60), Fraction(150)
_BESIDE_RATES = frozenset({_T.swap_spread_bp, _T.basis_bp})
_TICKS = frozenset({_T.payup_32, _T.roll_ticks})
_MOST_TICKS = 64
_PRICED = frozenset({QuoteKind.trade, QuoteKind.mark})
_GENERIC = {
    "rate": ((_T.rate_pct, _T.repo_rate_pct, _T.discount_rate_pct, _T.yield_pct, _T.real_yield_pct), _T.yield_pct),
    "vol": ((_T.vol_normal_bp, _T.vol_pct), _T.vol_pct),
}
"""Words that mean the first of these that the class is quoted in, else the last."""

_IN_CLASS = {
    _T.swap_spread_bp: _T.spread_swap_bp,
    _T.spread_swap_bp: _T.swap_spread_bp,
    _T.spread_bench_bp: _T.swap_spread_bp,
    _T.spread_asw_bp: _T.swap_spread_bp,
    _T.premium_bp: _T.premium_pct,
    _T.premium_pct: _T.premium_bp,
    _T.yield_pct: _T.real_yield_pct,
    _T.rate_pct: _T.repo_rate_pct,
    _T.price_pct: _T.price_unit,
    _T.vol_pct: _T.vol_normal_bp,
}
"""What a word means in a class that does not know its first meaning: a `Yld` of linkers is real."""

_ELSEWHERE_NOTHING = frozenset(
    {_T.fx_rate, _T.fwd_points, _T.roll_ticks, _T.payup_32, _T.basis_bp, _T.funding_spread_bp}
)
"""Measures whose words are too common to be believed outside their classes."""


_FINE = 10**9
"""Parts of one in which values are compared before they are compared exactly, which takes much longer."""


class Sample(Struct, frozen=True, dict=True):
    """The first values of a slot, to tell a price from a spread."""

    values: Sequence[Fraction]
    low_first: int = 0  # pairs with bid < ask
    high_first: int = 0
    prefixed: bool = False  # most cells start with a curve or a plus: `T+85/80`, `+120/115`

    @cached_property
    def middle(self) -> Fraction:
        """The median of the magnitudes."""
        magnitudes = [value if value.numerator >= 0 else -value for value in self.values]
        ordered = sorted(magnitudes, key=lambda value: (value.numerator * _FINE // value.denominator, value))
        upper = len(ordered) // 2
        return ordered[upper] if len(ordered) % 2 else (ordered[upper - 1] + ordered[upper]) / 2

    @property
    def spans(self) -> Fraction:
        """The largest magnitude as a multiple of the smallest; 0 without values, or with a zero."""
        largest, least = (end(map(abs, self.values), default=Fraction(0)) for end in (max, min))
        return largest / least if least else Fraction(0)

    @property
    def two_sided(self) -> bool:
        """Whether there are pairs whose order can be told."""
        return self.low_first + self.high_first > 0

    @cached_property
    def looks_like_price(self) -> bool:
        """One-sided values around par with decimals; 85 may be a spread."""
        near_par = sum(1 for value in self.values if within(value, _LEAST_PRICE, _MOST_PRICE))
        fine = sum(1 for value in self.values if value.denominator > 2)
        return near_par * 10 >= len(self.values) * 8 and fine * 3 >= len(self.values)

    def is_finer_than(self, decimals: int) -> bool:
        """Whether half of the values have more decimals, and are no quarters."""
        fine = sum(1 for value in self.values if (value * 10**decimals).denominator > 1 < (value * 4).denominator)
        return fine * 2 >= len(self.values)

    @property
    def is_near_par(self) -> bool:
        """Whether one-sided values may as well be prices as spreads: nobody can tell."""
        return sum(1 for value in self.values if 80 <= value <= 120) * 10 >= len(self.values) * 8


NO_SAMPLE = Sample(())


class Settled(Struct, frozen=True):
    """The quote type of a slot; `assumed` when neither heading nor class says it."""

    quote_type: QuoteType
    assumed: bool = False


def settle(
    measure: str | None,
    knowledge: ClassRules,
    sample: Sample,
    *,
    hint: str | None,
    by_unit: bool,
    kind: QuoteKind | None = None,
) -> Settled | None:
    """The quote type of a slot; None where its word means nothing in this class.

    Args:
        measure: of the heading: a quote type, `price`, `spread`, `rate`, `vol`, or None for a bare side.
        knowledge: what the class is quoted in.
        sample: the slot's first values.
        hint: the measure that the table's title names.
        by_unit: sizes count pieces, so prices are per piece.
        kind: `Last` and `Close` are prices by their words, never a bare spread.
    """
    types = knowledge.types
    if measure is None:
        return _bare(knowledge, sample, hint, by_unit=by_unit, kind=kind)
    if measure == "price":
        return Settled(_price(types, by_unit=by_unit))
    if measure == "spread":
        return _spread(knowledge, hint)
    if measure in _GENERIC:
        family, otherwise = _GENERIC[measure]
        if measure == "vol" and _first(types, family) is None and _first(types, tuple(YIELDS)) is not None:
            return None  # `Vol.` of bonds is their volume
        return Settled(_first(types, family) or otherwise)
    return _named(QuoteType(measure), types)


def _named(named: QuoteType, types: Sequence[QuoteType]) -> Settled | None:
    """A quote type that the heading names, as the class understands it."""
    if not types or named in types:
        return Settled(named)
    if _IN_CLASS.get(named) in types:
        return Settled(_IN_CLASS[named])
    if named is _T.swap_spread_bp and _T.spread_asw_bp in types:  # `Swap-Spread` of a bond
        return Settled(_T.spread_asw_bp)
    return None if named in _ELSEWHERE_NOTHING else Settled(named)


def _price(types: Sequence[QuoteType], *, by_unit: bool) -> QuoteType:
    if by_unit and _T.price_unit in types:
        return _T.price_unit
    return _first(types, _PRICES) or _T.price_pct


def _spread(knowledge: ClassRules, hint: str | None) -> Settled:
    """The spread that the title names, the class's default, its only one, or the one over its benchmarks.

    Of a class without any what its basis points are: the premium of an option.
    """
    types = knowledge.types
    known = [kind for kind in types if kind in SPREADS and kind is not _T.spread_oas_bp]
    if hint is not None and hint in known:
        return Settled(QuoteType(hint))
    if known and (known[0] is types[0] or len(known) == 1):
        return Settled(known[0])
    own = knowledge.spread if knowledge.spread in types else None
    over = _T.spread_bench_bp if _T.spread_bench_bp in known else None
    return Settled(own or over or _T.spread_unspecified_bp, assumed=True)


def _bare(
    knowledge: ClassRules, sample: Sample, hint: str | None, *, by_unit: bool, kind: QuoteKind | None
) -> Settled | None:
    """`Bid`, `Geld`: the first of the class's readings that the values fit."""
    if not sample.values:
        return None
    types = knowledge.types
    hinted = _in_class(hint, types)
    if hinted is not None and _can_be(hinted, sample):
        return Settled(hinted)
    price = _first(types, _PRICES) is not None
    if kind in _PRICED and knowledge.unmarked[0].falling and not sample.looks_like_price:
        return None
    least = _ALL_CROSSED if sample.is_near_par else 1  # `172 | 168` is no price, `98 | 95` may be one of a slip
    is_falling = not types and not sample.low_first and sample.high_first >= least  # of no known class
    for reading in knowledge.unmarked:
        if not _fits(reading, sample, price=price) or (reading.quote_type in _PRICES and is_falling):
            continue
        if reading.quote_type in _PRICES:
            is_unclear = not sample.two_sided and not sample.looks_like_price and knowledge.unmarked[0].falling
            return None if is_unclear else Settled(_price(types, by_unit=by_unit))
        return Settled(reading.quote_type, assumed=not sample.two_sided and reading.falling)
    return None


def _in_class(hint: str | None, types: Sequence[QuoteType]) -> QuoteType | None:
    """What a title's measure is in a class, if anything: the `premium` of options on swaps is in basis points."""
    if hint is None:
        return None
    found = QuoteType(hint)
    return found if found in types else _T.premium_bp if found is _T.premium_pct and _T.premium_bp in types else None


def _can_be(hinted: QuoteType, sample: Sample) -> bool:
    """Whether what a title names can be these values."""
    if hinted in RATES:
        return sample.middle <= 40 and sample.low_first <= sample.high_first
    if hinted in _BESIDE_RATES:
        return sample.middle > 10 or not sample.is_finer_than(1 if hinted in SPREADS else 2)  # else a rate
    if hinted in SPREADS:
        return sample.low_first <= sample.high_first or hinted is _T.cds_spread_bp
    if hinted in _TICKS:
        return sample.middle < _MOST_TICKS
    return hinted in {
        _T.premium_bp,
        _T.pct_nav,
        _T.upfront_pts,
        _T.vol_pct,
        _T.vol_normal_bp,
        _T.fwd_points,
        _T.rate_pct,
    }


def _fits(reading: Unmarked, sample: Sample, *, price: bool) -> bool:
    if not within(sample.middle, reading.low, reading.high):
        return False
    if reading.decimals is not None and sample.is_finer_than(reading.decimals):
        return False
    if not reading.falling:
        return True
    if sample.two_sided:
        return sample.high_first >= sample.low_first
    return not (price and (sample.looks_like_price or sample.is_near_par))


def _first(types: Sequence[QuoteType], family: Sequence[QuoteType]) -> QuoteType | None:
    return next((kind for kind in types if kind in family), None)
