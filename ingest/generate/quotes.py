"""Levels for instruments, and the truth about them in the gold form."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.notation import plain

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.kinds import Kind, LevelKind
    from ingest.generate.market import Instrument

ONE_SIDED = 0.06  # of table rows


@dataclass(frozen=True, slots=True)
class Level:
    """One measure of one instrument."""

    kind: LevelKind
    bid: Decimal
    ask: Decimal | None
    tenor: str | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """An instrument with its levels; sizes in the kind's unit."""

    instrument: Instrument
    levels: tuple[Level, ...]
    bid_size: int
    ask_size: int | None


def draw(random: Random, kind: Kind, instrument: Instrument, *, in_table: bool) -> Quoted:
    """What a dealer quotes it at now: all tenors in a table, one in a run."""
    one_sided = in_table and not kind.tenors and random.random() < ONE_SIDED
    levels = kind.in_tables if in_table else kind.in_runs
    tenors: tuple[str | None, ...] = kind.tenors if in_table else (random.choice(kind.tenors),) if kind.tenors else ()
    drawn = tuple(
        _level(random, level, instrument, tenor, one_sided) for level in levels for tenor in tenors or (None,)
    )
    bid_size = random.choice(kind.sizes)
    same = kind.quantity_first and not in_table
    return Quoted(instrument, drawn, bid_size, bid_size if same else None if one_sided else random.choice(kind.sizes))


def _level(random: Random, kind: LevelKind, instrument: Instrument, tenor: str | None, one_sided: bool) -> Level:  # noqa: FBT001 -- drawn by the caller
    steps = int((kind.high - kind.low) / kind.tick)
    width = random.randint(1, kind.widest)
    at = max(width, min(steps - width, int(steps * instrument.anchor) + random.randint(-9, 9)))
    bid = kind.low + kind.tick * at
    ask = bid - kind.tick * width if kind.bid_is_higher else bid + kind.tick * width
    return Level(kind, bid, None if one_sided else ask, tenor)


def truth(kind: Kind, quoted: Quoted, level: Level, place: dict[str, Any], *, in_table: bool) -> dict[str, Any]:
    """The gold line of one level at one place, without its case."""
    instrument = quoted.instrument
    has_id = instrument.identifier is not None and (in_table or kind.id_in_runs)
    description = instrument.issuer if in_table else instrument.named(kind.language)
    if level.tenor and not in_table:
        description += f" {level.tenor.lower()}"
    day_is_printed = kind.maturity_column and not kind.tenors if in_table else instrument.full_date
    sized = not (in_table and kind.tenors)
    line = {
        "kind": "quote",
        "asset_class": kind.code,
        "currency": kind.currency,
        "quote_kind": "market",
        "quote_type": level.kind.quote_type,
        "side": "bid" if level.ask is None else "two_way",
        "bid": plain(level.bid),
        "ask": None if level.ask is None else plain(level.ask),
        "bid_size": str(quoted.bid_size * kind.size_unit) if sized else None,
        "ask_size": str(quoted.ask_size * kind.size_unit) if sized and quoted.ask_size else None,
        "benchmark": level.kind.benchmark,
        "tenor": level.tenor,
        "coupon": None if instrument.coupon is None else plain(instrument.coupon),
        "maturity": instrument.maturity.isoformat() if day_is_printed else None,
        "description": description,
        "id_type": kind.id_type if has_id else "description",
        "instrument_id": instrument.identifier if has_id else None,
        **place,
    }
    return {key: value for key, value in line.items() if value is not None}
