"""Tables of quotes before they become a document: a header, rows of cells, and which cell holds which level."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.kinds import Notation
from ingest.generate.market import Dealer, Instrument, instruments
from ingest.generate.notation import plain, printed
from ingest.generate.quotes import Level, Quoted, draw, truth

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from ingest.generate.kinds import Kind

ID_HEADERS = {"isin": "ISIN", "cusip": "CUSIP", "loanx_id": "LXID"}
SIZE_UNITS = {("en", 1_000_000): "(mm)", ("en", 1000): "(000)", ("de", 1_000_000): "(Mio. EUR)"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What is printed, and what a workbook stores for it (None: the text)."""

    text: str = ""
    value: Decimal | date | int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its levels, each with the 0-based row and column of its first price cell."""

    kind: Kind
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    levels: tuple[tuple[int, int, Quoted, Level], ...]

    def truth(self, place: Callable[[int, int], dict[str, Any]]) -> list[dict[str, Any]]:
        """Gold lines; `place` says how the document's format locates row and column."""
        return [
            truth(self.kind, quoted, level, place(row, column) | {"raw_text": self.raw_text(row)}, in_table=True)
            for row, column, quoted, level in self.levels
        ]

    def raw_text(self, row: int) -> str:
        """The row as it reads."""
        return "\t".join(cell.text for cell in self.rows[row])


def table(random: Random, seed: int, dealer: Dealer, kind: Kind, lines: int) -> Table:
    """A dealer's sheet of one class."""
    quoted = [
        draw(random, kind, instrument, in_table=True)
        for instrument in random.sample(instruments(seed, kind.code, kind.currency), lines)
    ]
    return _curves(kind, quoted) if kind.tenors else _list(dealer, kind, quoted)


def _curves(kind: Kind, quoted: list[Quoted]) -> Table:
    """Names down, tenors across, a pair in each cell."""
    rows, levels = [], []
    for row, item in enumerate(quoted):
        pairs = tuple(Cell(f"{level.bid}/{level.ask}") for level in item.levels)
        rows.append((Cell(item.instrument.name), Cell(item.instrument.issuer), *pairs))
        levels += [(row, 2 + at, item, level) for at, level in enumerate(item.levels)]
    return Table(kind, ("Ticker", "Reference entity", *kind.tenors), tuple(rows), tuple(levels))


def _list(dealer: Dealer, kind: Kind, quoted: list[Quoted]) -> Table:
    """One instrument a row: what it is, then its levels, then sizes."""
    identity = _identity_header(dealer, kind, quoted[0].instrument)
    prices = [header for level in kind.in_tables for header in level.headers]
    rows, levels = [], []
    for row, item in enumerate(quoted):
        cells = [*_identity(dealer, kind, item.instrument)]
        for level in item.levels:
            levels.append((row, len(cells), item, level))
            cells += [_price(level.bid, level, dealer), _price(level.ask, level, dealer)]
        rows.append((*cells, _size(item.bid_size), _size(item.ask_size)))
    header = (*identity, *prices, *_size_headers(dealer, kind))
    return Table(kind, header, tuple(rows), tuple(levels))


def _identity_header(dealer: Dealer, kind: Kind, one: Instrument) -> list[str]:
    german = dealer.language == "de"
    header = [ID_HEADERS[kind.id_type], "Emittent" if german else "Deal" if kind.code == "clo" else "Issuer"]
    if one.coupon is not None:
        header.append("Kupon" if german else "Cpn")
    if kind.maturity_column:
        header.append("Fälligkeit" if german else "Maturity")
    return [*header, "Währung" if german else "Ccy"]


def _identity(dealer: Dealer, kind: Kind, instrument: Instrument) -> list[Cell]:
    cells = [Cell(instrument.identifier or ""), Cell(instrument.issuer)]
    if instrument.coupon is not None:
        text = plain(instrument.coupon)
        cells.append(Cell(text.replace(".", ",") if dealer.language == "de" else text, instrument.coupon))
    if kind.maturity_column:
        cells.append(Cell(_day(instrument.maturity, dealer), instrument.maturity))
    return [*cells, Cell(kind.currency)]


def _day(day: date, dealer: Dealer) -> str:
    """Month first on this side of the ocean only."""
    if dealer.language == "de":
        return f"{day:%d.%m.%Y}"
    return f"{day:%m/%d/%Y}" if dealer.offset.startswith("-") else f"{day:%d/%m/%Y}"


def _price(value: Decimal | None, level: Level, dealer: Dealer) -> Cell:
    if value is None:
        return Cell()
    number = value if level.kind.notation is Notation.decimal else None
    return Cell(printed(value, level.kind, dealer.language), number)


def _size(size: int | None) -> Cell:
    return Cell() if size is None else Cell(str(size), size)


def _size_headers(dealer: Dealer, kind: Kind) -> tuple[str, str]:
    unit = SIZE_UNITS[dealer.language, kind.size_unit]
    sides = ("Volumen Geld", "Volumen Brief") if dealer.language == "de" else ("Bid Sz", "Ask Sz")
    return f"{sides[0]} {unit}", f"{sides[1]} {unit}"
