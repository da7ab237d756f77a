"""Levels for instruments, and the truth about them in the gold form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.notation import eighths, plain

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.books import Book, Measure
    from ingest.generate.instruments import Instrument

ONE_SIDED = 0.06  # of lines
# domain.md 2.1: the best of the identifiers that are printed
BEST_FIRST = ("isin", "cusip", "figi", "sedol", "loanx_id", "wkn", "valor")
_FULL_DAYS = ("{mdy}", "{dmy}", "{mdY}", "{dmY}", "{dby}")


@dataclass(frozen=True, slots=True)
class Level:
    """One measure of one instrument, in the unit of its quote type; None where a side is not made."""

    measure: Measure
    bid: Decimal | None
    ask: Decimal | None


@dataclass(frozen=True, slots=True)
class Quoted:
    """An instrument with its levels; sizes in the book's unit."""

    instrument: Instrument
    levels: tuple[Level, ...]
    bid_size: int
    ask_size: int
    benchmark: str | None = None  # a bond: ticker, coupon in a mixed number, month and year
    reference: Decimal | None = None  # price of the share
    delta: int | None = None  # percent


@dataclass(frozen=True, slots=True)
class Shown:
    """What a layout prints of an instrument, and so what the truth may tell."""

    description: str | None
    ids: tuple[tuple[str, str], ...] = ()
    coupon: bool = False
    maturity: bool = False
    sizes: bool = True
    currency: bool = True
    tenor: str | None = None


def draw(random: Random, instrument: Instrument, measures: tuple[Measure, ...], *, full: bool = False) -> Quoted:
    """What a dealer quotes it at now, `full` with both sides; price and spread of one line lean against each other."""
    book = instrument.book
    side = random.choice(("bid", "ask")) if not full and random.random() < ONE_SIDED else None
    levels = tuple(
        _level(random, measure, 1 - instrument.anchor if at else instrument.anchor, side)
        for at, measure in enumerate(measures)
    )
    bid_size, ask_size = random.choice(book.sizes), random.choice(book.sizes)
    if book.quantity_first:
        ask_size = bid_size
    quoted = Quoted(instrument, levels, bid_size, ask_size)
    if any(measure.bench_bond for measure in measures):
        coupon, month = Decimal(random.randrange(16, 36)) / 8, random.choice(("06", "12"))
        bench = f"CAN {eighths(coupon)} {month}/{random.randrange(28, 56)}"
        quoted = replace(quoted, benchmark=bench)
    if any(measure.type == "price_vs_ref" for measure in measures):
        share = Decimal(random.randrange(1200, 24000)) / 100
        quoted = replace(quoted, reference=share, delta=random.randrange(12, 95))
    return quoted


def _level(random: Random, measure: Measure, anchor: float, side: str | None) -> Level:
    low, high = measure.limits
    width = random.randint(1, measure.widest)
    at = max(low + width, min(high - width, int(low + (high - low) * anchor) + random.randint(-9, 9)))
    if measure.signed and 0 <= at <= width:  # a market across zero has no one sign to print
        at = width + 1
    bid = measure.tick * at
    ask = measure.tick * (at - width if measure.down else at + width)
    return Level(measure, None if side == "ask" else bid, None if side == "bid" else ask)


def told(book: Book) -> tuple[bool, bool]:
    """Whether the name alone tells coupon and day of maturity."""
    return "{coupon}" in book.name or "{mixed}" in book.name or book.zero, any(day in book.name for day in _FULL_DAYS)


def truth(quoted: Quoted, level: Level, shown: Shown, place: dict[str, Any]) -> dict[str, Any]:
    """The gold line of one level at one place, without its case."""
    instrument, book, measure = quoted.instrument, quoted.instrument.book, level.measure
    best = min(shown.ids, key=lambda pair: BEST_FIRST.index(pair[0]), default=None)
    # domain.md 9.2: the one size of a one-sided line is that side's, of two the line keeps both
    bid_sized = shown.sizes and not (book.quantity_first and level.bid is None)
    ask_sized = shown.sizes and not (book.quantity_first and level.ask is None)
    line = {
        "kind": "quote",
        "asset_class": book.cls,
        "currency": book.currency if shown.currency else None,
        "quote_kind": "market",
        "quote_type": measure.type,
        "side": "ask" if level.bid is None else "bid" if level.ask is None else "two_way",
        "bid": _plain(level.bid),
        "ask": _plain(level.ask),
        "bid_size": str(quoted.bid_size * book.size_unit) if bid_sized else None,
        "ask_size": str(quoted.ask_size * book.size_unit) if ask_sized else None,
        "benchmark": _normal(quoted.benchmark) if measure.bench_bond else measure.benchmark,
        "tenor": shown.tenor,
        "option_struct": book.option,
        "coupon": _plain(instrument.coupon) if shown.coupon else None,
        "maturity": instrument.maturity.isoformat() if shown.maturity and instrument.maturity else None,
        "ref_price": _plain(quoted.reference),
        "delta_pct": None if quoted.delta is None else str(quoted.delta),
        "description": shown.description,
        "id_type": best[0] if best else "description",
        "instrument_id": best[1] if best else None,
        **dict(shown.ids),
        **place,
    }
    return {key: value for key, value in line.items() if value not in (None, "")}


def _plain(value: Decimal | None) -> str | None:
    return None if value is None else plain(value)


def _normal(bond: str | None) -> str | None:
    """`CAN 3 1/4 06/34` as domain.md 9.24 has it: CAN 3.25 06/34."""
    if bond is None:
        return None
    ticker, *coupon, month = bond.split()
    value = sum(
        (Decimal(top) / Decimal(under or 1) for top, _, under in (part.partition("/") for part in coupon)), Decimal(0)
    )
    return f"{ticker} {plain(value)} {month}"
