"""What the readers of tables and runs hand over: one source line as understood, before keys, checks and confidence.

Data goes one way: blocks -> drafts (`tables/`, `runs/`) -> quotes (`assemble`). A draft has exact rationals; the
assembler alone rounds, judges, defaults and names.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from msgspec import Struct, field

from parsers.codes import Firmness, Flag, Notation, QuoteKind, QuoteType
from parsers.quotes.answers.told import Told
from parsers.values.times.moments import Printed


class Level(Struct, frozen=True, kw_only=True, gc=False):
    """One measure of the line: becomes one quote."""

    quote_type: QuoteType
    quote_kind: QuoteKind = QuoteKind.market
    bid: Fraction | None = None
    ask: Fraction | None = None
    mid: Fraction | None = None
    talk_low: Fraction | None = None
    talk_high: Fraction | None = None
    bid_raw: str | None = None
    ask_raw: str | None = None
    mid_raw: str | None = None
    by_order: bool = False  # no word or letter says which side is which: the order of the values does
    notation: Notation = Notation.decimal
    tenor: str | None = None  # where the level has its own, as in grids of tenors
    option_struct: str | None = None
    benchmark: str | None = None  # spreads only
    running_coupon_bp: Fraction | None = None
    ref_price: Fraction | None = None
    delta_pct: Fraction | None = None
    column: int | None = None  # 1-based, of the first price cell
    row: int | None = None  # where it differs from the draft's row (stacked rows, transposed tables)
    char_start: int | None = None  # 0-based half-open span of the level in the part's text, or the row's text
    char_end: int | None = None
    flags: frozenset[Flag] = frozenset()


class Instrument(Struct, frozen=True, kw_only=True, gc=False):
    """What the line and its context say of the instrument."""

    identifiers: tuple[tuple[str, str], ...] = ()  # (kind, value) as printed first to last; the first is preferred
    description: str | None = None
    issuer: str | None = None
    ticker: str | None = None
    tranche: str | None = None
    seniority: str | None = None
    rating: str | None = None
    coupon: Fraction | None = None
    coupon_type: str = "unknown"
    coupon_margin_bp: Fraction | None = None
    maturity: date | None = None
    maturity_text: str | None = None
    is_due_unsure: bool = False  # day and month may be the other way round, and only market or desk decided
    tenor: str | None = None
    currency: str | None = None  # printed; the assembler knows the defaults
    strike: str | None = None
    factor: Fraction | None = None
    wal_years: Fraction | None = None
    ce_pct: Fraction | None = None
    orig_face: Fraction | None = None


class Sizes(Struct, frozen=True, kw_only=True, gc=False):
    """Sizes of the line, in units."""

    bid: Fraction | None = None
    ask: Fraction | None = None
    unit: str = "unknown"  # face_ccy, shares, contracts, notional, unknown
    text: str | None = None
    flags: frozenset[Flag] = frozenset()


class Beside(Struct, frozen=True, gc=False):
    """What stands beside a source line."""

    rows: int = 1  # that are read as of its class under the same words, itself among them
    margin: int | None = None  # by how much these outweigh every other class; None: they were not weighed


class Draft(Struct, frozen=True, kw_only=True, gc=False):
    """One source line."""

    instrument: Instrument
    levels: tuple[Level, ...]
    sizes: Sizes = field(default_factory=Sizes)
    asset_class: str = "unknown"
    class_source: str = "none"
    told: Told | None = None  # what is said around it of its class; that of its block
    beside: Beside = Beside()
    heads: tuple[str, ...] = ()  # what the columns that it stands in hold: `bid`, `spread_z_bp`, `rating`
    unheaded: bool = False  # a column of its table is read, though no heading says what it is
    leaves_figures: bool = False  # a column of its table that nobody understands holds figures
    firmness: Firmness = Firmness.unknown
    is_axe_bid: bool = False
    is_axe_ask: bool = False
    is_flat: bool = False
    unit_par: Fraction | None = None
    settle_text: str | None = None
    printed: Printed | None = None  # a day or time in the row itself
    said_at: Printed | None = None  # the same of the words around it
    language: str | None = None  # of its block
    headed: bool = False  # under a header row
    flags: frozenset[Flag] = frozenset()
    parser: str = ""
    raw_text: str = ""
    page: int | None = None
    table_idx: int | None = None
    row: int | None = None
    sheet: str | None = None
    line: int | None = None
