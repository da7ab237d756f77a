"""What a level measures, in tables and lines alike: its words, its class, what it looks like (spec 4.7, 5.3, 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from parsers.codes import Flag, QuoteType
from parsers.quotes.classes import SECURITISED, ClassRules, Unmarked
from parsers.quotes.judging import is_in_range
from parsers.values.markets import RATES, SPREADS, YIELDS, order
from parsers.values.separators import within

_T = QuoteType
_PRICES = (_T.price_pct, _T.price_unit, _T.price_vs_ref, _T.pct_nav, _T.upfront_pts, _T.fx_rate)
_LEAST_PRICE, _MOST_PRICE = Fraction(60), Fraction(150)
_NEAR_PAR, _AT_PAR = (80, 120), (90, 105)
_BESIDE_RATES = frozenset({_T.swap_spread_bp, _T.basis_bp})
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


_SIGNED_VALUES = frozenset(
    {"irs", "fx_forward", "fx_option", "cds_tranche", "repo", "swaption", "inflation_swap", "govt_latam_local"}
)
"""Classes in which a sign is a number's, not a spread's."""
_GOVERNMENTS = frozenset({"UST", "CAN", "DBR", "UKT"})
"""Whose bonds a spread is over where a heading says so."""
_HIGH_RATE, _MOST_RATE = 12, 40
_ALL = (-(10**6), 10**6)
_ENDS = {_T.price_pct: (5, 200), _T.payup_32: (-64, 63), _T.roll_ticks: (-64, 63), _T.fx_rate: (0, 10**6)}
"""What levels that a title or a name says can be; no currency costs less than nothing: `-18.4` of points."""
_LEAST_VOL = 20  # percent, of a credit index
_FINE = 10**9
"""Parts of one in which values are compared before they are compared exactly, which takes much longer."""


class Sample(Struct, frozen=True, dict=True):
    """The first values of a column, or those of the one level of a line, to tell a price from a spread."""

    values: Sequence[Fraction]
    low_first: int = 0  # pairs with bid < ask
    high_first: int = 0
    prefixed: bool = False  # most cells start with a curve or a plus: `T+85/80`, `+120/115`
    printed: int | None = None  # decimals, at most, where values alone do not tell: `98.75/25`
    is_price: bool = False  # written as prices alone are: `98 1/4`, `par`
    is_sided: bool = False  # a word or heading says whose they are
    is_over_bond: bool = False  # beside the bonds that they are over: `CAN 2 1/4 12/53`
    is_wide: bool = False
    is_beside_falling: bool = False  # most pairs of the lines around it have the higher value first, or a sign says so

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

    @property
    def falls(self) -> bool:
        """Whether several pairs, of which it is one, have the higher value first."""
        return self.is_beside_falling or (self.high_first > 1 and self.high_first > self.low_first)

    @cached_property
    def looks_like_price(self) -> bool:
        """One-sided values around par with decimals, nearer to it with halves; 85 may be a spread."""
        fine = sum(1 for value in self.values if value.denominator > 2)
        if self.is_price or (self.are_mostly(_LEAST_PRICE, _MOST_PRICE) and fine * 3 >= len(self.values)):
            return True
        broken = self.printed or sum(1 for value in self.values if value.denominator > 1)
        return self.are_mostly(*_NEAR_PAR) and broken * 3 >= len(self.values)

    def are_mostly(self, low: Fraction | int, high: Fraction | int) -> bool:
        """Whether four fifths of the values are in a range."""
        return sum(1 for value in self.values if within(value, low, high)) * 10 >= len(self.values) * 8

    def is_finer_than(self, decimals: int) -> bool:
        """Whether more decimals are printed, or half of the values have more and are no quarters."""
        if self.printed is not None:
            return self.printed > decimals
        fine = sum(1 for value in self.values if (value * 10**decimals).denominator > 1 < (value * 4).denominator)
        return fine * 2 >= len(self.values)

    def is_crossed(self, direction: str) -> bool:
        """Whether all its pairs are the wrong way round."""
        wrong, right = (self.high_first, self.low_first) if direction == "P" else (self.low_first, self.high_first)
        return direction != "N" and wrong > 0 == right


NO_SAMPLE = Sample(())
Read = Callable[[QuoteType], Sample | None]
"""The values as of a type: in a line shorthand is read by it."""
_ASSUMED, _NO_FLAGS = frozenset({Flag.type_assumed}), frozenset[Flag]()


class Measured(Struct, frozen=True, gc=False):
    """A quote type, the curve under it, and whether neither word nor class says it."""

    quote_type: QuoteType
    benchmark: str | None = None
    assumed: bool = False

    @property
    def flags(self) -> frozenset[Flag]:
        """The doubt that is left."""
        return _ASSUMED if self.assumed else _NO_FLAGS


def in_class(word: str, rules: ClassRules, *, hint: str | None = None, by_unit: bool = False) -> Measured | None:
    """What a word beside or above a level means in a class; None where it means nothing.

    Args:
        word: a quote type, `price`, `spread`, `rate` or `vol`.
        rules: of the class.
        hint: the measure that a title names.
        by_unit: sizes count pieces, so prices are per piece.
    """
    types = rules.types
    if word == "price":
        return Measured(price_of(types, by_unit=by_unit))
    if word == "spread":
        return spread_of(rules, hint)
    if word in _GENERIC:
        family, otherwise = _GENERIC[word]
        if word == "vol" and _first(types, family) is None and _first(types, tuple(YIELDS)) is not None:
            return None  # `Vol.` of bonds is their volume
        return Measured(_first(types, family) or otherwise)
    return _named(QuoteType(word), rules)


def _named(named: QuoteType, rules: ClassRules) -> Measured | None:
    """A quote type as the class understands it; what is quoted by tenor in no rate has no yield."""
    types = rules.types
    if not types or named in types:
        return Measured(named)
    if _IN_CLASS.get(named) in types:
        return Measured(_IN_CLASS[named])
    if named is _T.swap_spread_bp and _T.spread_asw_bp in types:  # `Swap-Spread` of a bond
        return Measured(_T.spread_asw_bp)
    is_of_bonds = named in YIELDS and rules.curve and RATES.isdisjoint(types)  # `Rendite 10J` among credit protection
    return None if is_of_bonds or named in _ELSEWHERE_NOTHING else Measured(named)


def price_of(types: Sequence[QuoteType], *, by_unit: bool = False) -> QuoteType:
    """What a price is in a class that is quoted in these."""
    if by_unit and _T.price_unit in types:
        return _T.price_unit
    return _first(types, _PRICES) or _T.price_pct


def spread_of(rules: ClassRules, hint: str | None = None) -> Measured:
    """The spread that the title names, the class's default, its only one, or the one over its benchmarks.

    Of a class without any what its basis points are: the premium of an option.
    """
    types = rules.types
    known = [kind for kind in types if kind in SPREADS and kind is not _T.spread_oas_bp]
    if hint is not None and hint in known:
        return Measured(QuoteType(hint))
    if known and (known[0] is types[0] or len(known) == 1):
        return Measured(known[0])
    if rules.spread in types:
        return Measured(rules.spread)
    return Measured(_T.spread_bench_bp if _T.spread_bench_bp in known else _T.spread_unspecified_bp, assumed=True)


def of_class(rules: ClassRules, read: Read, *, by_unit: bool = False) -> Measured | None:
    """The first of the class's readings that the values fit, the right way round before the wrong.

    Args:
        rules: of the class; of none known a market the wrong way round is none, but near par in decimals.
        read: the values as of a type, None where they cannot be that.
        by_unit: sizes count pieces, so prices are per piece.
    """
    beside = read(rules.spread) if rules.spread is not None else None
    if rules.spread is not None and beside is not None and _is_lone_spread(beside):
        return Measured(rules.spread)
    crossed = None
    for reading in rules.unmarked:
        sample = read(reading.quote_type)
        if sample is None or not _fits(reading, sample, rules):
            continue
        found = _as(reading, sample, rules, by_unit=by_unit)
        if not _is_crossed(reading.quote_type, sample, rules):
            return found
        crossed = crossed or (found if rules.types else None)
    return crossed


def _as(reading: Unmarked, sample: Sample, rules: ClassRules, *, by_unit: bool) -> Measured:
    """What a reading is here; assumed of no known class, and where values near par may be prices."""
    kind = reading.quote_type
    if kind in _PRICES:
        kind = price_of(rules.types, by_unit=by_unit)
    elif kind is _T.spread_asw_bp and sample.is_over_bond:
        kind = _T.spread_bench_bp
    is_open = reading.falling and not (sample.two_sided or sample.falls)
    return Measured(kind, assumed=not rules.types or (is_open and sample.are_mostly(*_NEAR_PAR)))


def _is_lone_spread(sample: Sample) -> bool:
    """`49,0/--  CAN 2 1/4 12/53`: one side beside a benchmark is a spread (ruling 1), but for a price near par."""
    is_lone = sample.is_over_bond and not sample.two_sided and bool(sample.values)
    return is_lone and (sample.falls or not sample.are_mostly(*_NEAR_PAR))


def _is_crossed(kind: QuoteType, sample: Sample, rules: ClassRules) -> bool:
    """Whether the values are the wrong way round; of no known class a lone price among falling pairs, too: `97 bid`."""
    is_crossed = sample.is_crossed(order(kind, rules.name))
    if rules.types or kind not in _PRICES:
        return is_crossed
    is_price = sample.are_mostly(*_NEAR_PAR) and sample.looks_like_price  # `101.50/100.75`
    return is_crossed and (sample.falls or not is_price) if sample.two_sided else sample.falls


def of_sign(rules: ClassRules, title: str | None, currency: str | None) -> Measured | None:
    """What a bare plus says: the title's spread or pay-up, else the class's (spec 4.7); None where it is a number's.

    Corporates in other money than dollars are over governments or swaps.
    """
    if rules.name in _SIGNED_VALUES:
        return None
    if title is not None and title.startswith(("spread_", "payup_")):
        return in_class(title, rules)
    if rules.name == "corp_ig" and currency not in {None, "USD"}:
        return Measured(_T.spread_unspecified_bp, assumed=True)
    return spread_of(rules)


def titled(measure: str | None, rules: ClassRules, over: str | None, *, is_list: bool) -> QuoteType | None:
    """What a title's measure is in a class, if anything; any securitised bond may float.

    A spread over what the class is not quoted over is, of talk, the class's.

    Args:
        measure: that it names.
        rules: of the class.
        over: what it says that spreads are over.
        is_list: of bids or offers wanted.
    """
    if measure is None:
        return None
    found, known = QuoteType(measure), frozenset(rules.types) or frozenset(QuoteType)
    is_of_list = is_list and found in SPREADS and found not in rules.types
    if found is _T.spread_unspecified_bp:
        if over in _GOVERNMENTS and _T.spread_bench_bp in known:
            return _T.spread_bench_bp  # `NVCC, spread to GoC`
        return rules.spread if is_of_list or rules.name == "irs" else None  # `Spreads` below rates
    if is_of_list:
        return rules.spread
    if found is _T.premium_pct and _T.premium_bp in rules.types:  # of options on swaps
        return _T.premium_bp
    return found if found in known or (found is _T.dm_bp and rules.name in SECURITISED) else None


def if_fitting(kind: QuoteType | None, rules: ClassRules, read: Read) -> Measured | None:
    """The measure that a title or the instrument's name says, where the values can be that."""
    sample = read(kind) if kind is not None else None
    return Measured(kind) if kind is not None and sample is not None and _can_be(kind, sample, rules) else None


def _can_be(kind: QuoteType, sample: Sample, rules: ClassRules) -> bool:
    """Whether values are such as a measure has: a rate is small, and a spread that rises looks like no price."""
    if not sample.values or not all(is_in_range(value, kind) for value in sample.values):
        return False
    if kind in RATES:
        return _can_be_rate(kind, sample, rules)
    if kind in _BESIDE_RATES and sample.middle <= 10 and sample.is_finer_than(1 if kind in SPREADS else 2):
        return False  # a rate
    if kind in SPREADS and kind is not _T.cds_spread_bp and sample.high_first <= sample.low_first:
        is_strip = rules.name in SECURITISED and sample.low_first > 0 and sample.is_finer_than(1)  # `XA 5.10/5.20`
        return not (is_strip or sample.looks_like_price)  # `offerti 107,90` among spreads
    least, most = _ENDS.get(kind, _ALL)
    return least <= min(sample.values) and sample.middle <= most


def _can_be_rate(kind: QuoteType, sample: Sample, rules: ClassRules) -> bool:
    may_fall = kind is not _T.breakeven_pct and sample.middle <= _HIGH_RATE  # `20.10/20.20`; real yields `2.41/2.395`
    return sample.middle <= _MOST_RATE and (may_fall or not sample.is_crossed(order(kind, rules.name)))


def is_cost(kind: QuoteType, values: Iterable[Fraction], rules: ClassRules) -> bool:
    """Whether what no word calls a vol is what an option on a credit index costs, in a unit that nobody prints."""
    return kind is _T.vol_pct and rules.name == "cds_tranche" and any(value < _LEAST_VOL for value in values)


def _fits(reading: Unmarked, sample: Sample, rules: ClassRules) -> bool:
    """Whether values look like a reading: in its range, a level's first value, too; as coarse; of a spread no price."""
    firsts = sample.values[: len(sample.values) <= 2]
    if not all(within(value, reading.low, reading.high) for value in (sample.middle, *firsts)):
        return False
    if reading.decimals is not None and sample.is_finer_than(reading.decimals):
        return False
    if not reading.falling:
        return True
    if sample.two_sided:
        return sample.high_first >= sample.low_first and not (sample.is_wide or sample.is_price)
    is_at_par = sample.is_sided and rules.name in SECURITISED and sample.are_mostly(*_AT_PAR)  # `N 97 bid`
    is_price = is_at_par or sample.looks_like_price
    return sample.falls or not is_price or _first(rules.types, _PRICES) is None


def _first(types: Sequence[QuoteType], family: Sequence[QuoteType]) -> QuoteType | None:
    return next((kind for kind in types if kind in family), None)
