"""Tables of quotes before they become a document: header, rows of cells, and which cell holds which level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.generate.notation import pair, plain, printed
from ingest.generate.quotes import Level, Quoted, Shown, draw, told, truth
from ingest.generate.runs import drawn, heading

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer
    from ingest.generate.instruments import Instrument

_NAMED = {"trade_claim": "debtor", "private_equity_secondary": "fund", "clo": "deal", "rmbs_nonagency": "deal"}
_RATINGS = ("AAA", "AA+", "AA-", "A", "A-", "BBB+", "BBB", "BBB-", "BB+", "BB", "B+")


@dataclass(frozen=True, slots=True)
class Cell:
    """What is printed, and what a workbook stores for it (None: the text)."""

    text: str = ""
    value: Decimal | date | int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its levels, each with the 0-based row and column of its first price cell and what the row shows."""

    title: str
    as_of: str
    code: str  # for the names of files and sheets
    parents: tuple[str, ...]  # a row over the header, or none
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    levels: tuple[tuple[int, int, Quoted, Level, Shown], ...]

    @property
    def header_rows(self) -> int:
        """One, or two with the parents."""
        return 2 if self.parents else 1

    def truth(self, place: Callable[[int, int], dict[str, Any]]) -> list[dict[str, Any]]:
        """Gold lines; `place` says how the document's format locates row and column."""
        return [
            truth(quoted, level, shown, place(row, column) | {"raw_text": self.raw_text(row)})
            for row, column, quoted, level, shown in self.levels
        ]

    def raw_text(self, row: int) -> str:
        """The row as it reads."""
        return "\t".join(cell.text for cell in self.rows[row])


def table(random: Random, seed: int, dealer: Dealer, book: Book, *, lines: int, day: date) -> Table:
    """A dealer's sheet of one book, as of a day."""
    made = _list(random, dealer, book, [draw(random, one, book.tables) for one in drawn(random, seed, book, lines)])
    title = heading(random, dealer, book, sizes=book.size_kind != "", in_table=True)
    return replace(made, title=title, as_of=dealer.words["as_of"].format(when=day.strftime(dealer.dates)))


def _list(random: Random, dealer: Dealer, book: Book, quoted: list[Quoted]) -> Table:
    """One instrument a row: what it is, its levels, its sizes."""
    by_issuer = dealer.number % 3 == 1 and bool(book.ids) and {"coupon", "maturity"} <= set(book.columns)
    header, parents = _header(dealer, book, by_issuer=by_issuer)
    rows: list[tuple[Cell, ...]] = []
    levels = []
    for one in quoted:
        cells = _identity(random, dealer, one.instrument, by_issuer=by_issuer)
        shown = _shown(dealer, one.instrument, by_issuer=by_issuer)
        for level in one.levels:
            levels.append((len(rows), len(cells), one, level, shown))
            cells += _level_cells(dealer, level)
        rows.append((*cells, *_tail(random, dealer, book, one)))
    if dealer.total and book.currency:
        blank = [Cell() for _ in header]
        blank[0] = Cell(dealer.words["total"])
        blank[-1] = _number(sum(one.ask_size for one in quoted))
        rows.append(tuple(blank))
    return Table("", "", book.key, parents, header, tuple(rows), tuple(levels))


def _header(dealer: Dealer, book: Book, *, by_issuer: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = dealer.words
    top = [dealer.column(kind.partition(":")[0]) for kind in _printed_ids(dealer, book)]
    top.append(dealer.column("issuer" if by_issuer else _NAMED.get(book.cls, "name")))
    top += [dealer.column(name) for name in book.columns]
    if dealer.currency and book.currency:
        top.append(dealer.column("currency"))
    parents = [""] * len(top)
    for measure in book.tables:
        first, second = dealer.word(words["headers"][measure.head])
        parent = words["parents"].get(measure.head)
        if dealer.pairs and parent:
            top.append(f"{parent} {words['bid']}/{words['ask']}")
            parents.append("")
        elif dealer.two_rows and parent:
            top += [words["bid"], words["ask"]]
            parents += [parent, parent]
        else:
            top += [first, second]
            parents += ["", ""]
        if measure.type == "price_vs_ref":
            top += [dealer.column("ref"), dealer.column("delta")]
            parents += ["", ""]
    after = _after(dealer, book)
    return (*top, *after), (*parents, *([""] * len(after))) if any(parents) else ()


def _after(dealer: Dealer, book: Book) -> list[str]:
    words = dealer.words
    after: list[str] = []
    if book.currency:
        unit = words["units"]["k" if book.size_unit == 1000 else "mm"]
        after = [words["one_size"]] if _one_size(dealer, book) else list(words["size"])
        after = [text.format(unit=unit.format(ccy=book.currency)) for text in after]
    if any(measure.bench_bond for measure in book.tables):
        after.append(dealer.column("bench"))
    return [*after, words["chg"]] if dealer.chg else after


def _printed_ids(dealer: Dealer, book: Book) -> tuple[str, ...]:
    """Every third dealer gives all identifiers that there are, the others the first."""
    return book.ids if dealer.number % 3 == 2 and not _twice("isin", book) else book.ids[:1]


def _twice(kind: str, book: Book) -> bool:
    return sum(one.startswith(kind) for one in book.ids) > 1


def _identity(random: Random, dealer: Dealer, one: Instrument, *, by_issuer: bool) -> list[Cell]:
    count = len(_printed_ids(dealer, one.book))
    cells = [Cell(text) for _, text in one.ids[:count]]
    cells.append(Cell(one.described(dealer) if by_issuer else one.named(dealer)))
    for name in one.book.columns:
        match name:
            case "coupon":
                text = plain(one.coupon or Decimal(0)).replace(".", dealer.decimal)
                cells.append(Cell(text, one.coupon))
            case "maturity" if one.maturity:
                cells.append(Cell(one.maturity.strftime(dealer.dates), one.maturity))
            case "tenor":
                cells.append(Cell(one.tenor or ""))
            case "rating":
                cells.append(Cell(random.choice(_RATINGS)))
            case "vintage":
                cells.append(Cell(dict(one.words)["vintage"]))
            case _:
                years = Decimal(random.randrange(8, 98)) / 10
                cells.append(Cell(f"{years:.1f}", years))
    if dealer.currency and one.book.currency:
        cells.append(Cell(one.book.currency))
    return cells


def _shown(dealer: Dealer, one: Instrument, *, by_issuer: bool) -> Shown:
    coupon, maturity = (False, False) if by_issuer else told(one.book)
    columns = set(one.book.columns)
    return Shown(
        one.described(dealer) if by_issuer else one.named(dealer),
        one.ids[: len(_printed_ids(dealer, one.book))],
        coupon or "coupon" in columns,
        maturity or "maturity" in columns,
        bool(one.book.currency),
        tenor=one.tenor,
        currency=bool(one.book.currency),
    )


def _level_cells(dealer: Dealer, level: Level) -> list[Cell]:
    measure = level.measure
    if dealer.pairs and dealer.words["parents"].get(measure.head):
        return [Cell(pair(level.bid, level.ask, measure, dealer.decimal, null=dealer.null or "-"))]
    cells = []
    for value in (level.bid, level.ask):
        if value is None:
            cells.append(Cell(dealer.null))
        else:
            cells.append(
                Cell(printed(value, measure, dealer.decimal), value if measure.notation == "decimal" else None)
            )
    return cells


def _tail(random: Random, dealer: Dealer, book: Book, one: Quoted) -> list[Cell]:
    cells: list[Cell] = []
    if one.reference is not None and one.delta is not None:
        cells += [Cell(f"{one.reference:.2f}", one.reference), _number(one.delta)]
    if book.currency:
        if _one_size(dealer, book):
            cells.append(_number(one.bid_size) if book.quantity_first else Cell(f"{one.bid_size} x {one.ask_size}"))
        else:
            cells += [_number(one.bid_size), _number(one.ask_size)]
    if one.benchmark:
        cells.append(Cell(one.benchmark))
    if dealer.chg:
        change = Decimal(random.randrange(-30, 31)) / 100
        cells.append(Cell(f"{change:+.2f}".replace(".", dealer.decimal), change))
    return cells


def _one_size(dealer: Dealer, book: Book) -> bool:
    return dealer.size_pair or book.quantity_first


def _number(value: int) -> Cell:
    return Cell(str(value), value)
