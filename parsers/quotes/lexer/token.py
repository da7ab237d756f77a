"""What a line of a run is made of: the kinds of its parts (spec 5.11)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """What a token is."""

    identifier = "identifier"
    date = "date"  # a whole date
    month = "month"  # month and year: a maturity, or two small numbers
    time = "time"
    series = "series"  # `5s 34`: coupon and year in one
    level = "level"  # a pair, a one-sided or a marked value
    number = "number"  # a lone value: coupon, year, or level
    size = "size"
    tenor = "tenor"
    tranche = "tranche"  # `0-3%`
    reference = "reference"  # `vs 42.10`: what a level refers to
    delta = "delta"
    bond = "bond"  # a benchmark bond behind the level
    change = "change"  # `(+01)`: a day's change, dropped
    label = "label"  # says what the level beside it is
    word = "word"


IDENTIFIER, DATE, MONTH, TIME, SERIES = Kind.identifier, Kind.date, Kind.month, Kind.time, Kind.series
LEVEL, NUMBER, SIZE, TENOR, TRANCHE = Kind.level, Kind.number, Kind.size, Kind.tenor, Kind.tranche
REFERENCE, DELTA, BOND, CHANGE, LABEL, WORD = (
    Kind.reference, Kind.delta, Kind.bond, Kind.change, Kind.label, Kind.word,
)  # fmt: skip
"""The kinds by names of the module: `Kind.word` is a call of Python's, asked of every token many times."""


class Token(Struct, frozen=True, gc=False):
    """A stretch of the line."""

    kind: Kind
    start: int
    end: int
    text: str
    prefix: str | None = None  # of a spread: `T`, `MS`; `` for a bare sign
    key: str | None = None  # of a label: what it says (`labels`); of an identifier: its kind
    unit: str | None = None  # printed behind a level, in small letters: `dm`, `bp`, `pts`
