"""Grids of quotes: curves (names by tenors), cubes (expiries by tenors) and volatility surfaces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ingest.generate.notation import printed
from ingest.generate.quotes import Level, Quoted, Shown, draw
from ingest.generate.runs import drawn, heading
from ingest.generate.tables import Cell, Table

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer
    from ingest.generate.instruments import Instrument


@dataclass(frozen=True, slots=True)
class _At:
    """One cell: which instrument and tenor it quotes."""

    instrument: Instrument
    shown: Shown


def grid(random: Random, seed: int, dealer: Dealer, book: Book, *, lines: int, day: date) -> Table:
    """A dealer's grid: as many rows as give about `lines` times the quotes of a row."""
    title = heading(random, dealer, book, sizes=False, in_table=True)
    as_of = dealer.words["as_of"].format(when=day.strftime(dealer.dates))
    currency = bool(book.currency)
    found = drawn(random, seed, book, max(3, lines) if book.grid == "curve" else 1)
    if book.grid == "curve":
        one_each = {one.ticker if book.listed else one.named(dealer): one for one in found}
        longer = bool(book.reference)
        header = (
            *((dealer.column("ticker"),) if longer else ()),
            dealer.column("reference" if longer else "issuer"),
            *book.tenors,
        )
        leads = [[*([one.named(dealer)] if longer else []), one.described(dealer)] for one in one_each.values()]
        cells = [
            [_At(one, Shown(lead[-1], sizes=False, currency=currency, tenor=tenor)) for tenor in book.tenors]
            for one, lead in zip(one_each.values(), leads, strict=True)
        ]
    elif book.grid == "cube":
        header = (dealer.column("expiry"), *book.across)
        leads = [[expiry] for expiry in book.rows[: max(3, lines)]]
        cells = [
            [_At(found[0], Shown(title, sizes=False, tenor=expiry + tail)) for tail in book.across]
            for (expiry,) in leads
        ]
    else:
        header = (dealer.column("tenor"), f"{found[0].ticker} ATM")
        leads = [[tenor] for tenor in book.tenors]
        cells = [
            [_At(found[0], Shown(found[0].ticker, sizes=False, currency=currency, tenor=tenor))] for (tenor,) in leads
        ]
    return _filled(random, dealer, book, Table(title, as_of, book.key, (), header, (), ()), leads=leads, cells=cells)


def _filled(
    random: Random, dealer: Dealer, book: Book, empty: Table, *, leads: list[list[str]], cells: list[list[_At]]
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    levels: list[tuple[int, int, Quoted, Level, Shown]] = []
    measure = book.tables[0]
    for lead, across in zip(leads, cells, strict=True):
        row = [Cell(text) for text in lead]
        for at in across:
            quoted = draw(random, at.instrument, book.tables, full=True)
            level = quoted.levels[0]
            levels.append((len(rows), len(row), quoted, level, at.shown))
            bid, ask = (printed(value or Decimal(0), measure, dealer.decimal) for value in (level.bid, level.ask))
            row.append(Cell(f"{bid}/{ask}"))
        rows.append(tuple(row))
    return replace(empty, rows=tuple(rows), levels=tuple(levels))
