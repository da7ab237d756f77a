"""Hand-made tables: a line a row, cells between bars, as `grid` and `read` take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from parsers.document import Cell, Grid, Line, Row
from parsers.quote import Quote
from parsers.quotes.assemble import assemble
from parsers.quotes.context import Dealer, MailContext, PartContext
from parsers.quotes.tables import TableResult, read_grid


def make_grid(text: str, **facts: Any) -> Grid:
    lines = [line.strip() for line in text.strip().splitlines()]
    width = max(line.count("|") + 1 for line in lines)
    rows = []
    for number, line in enumerate(lines, 1):
        texts = [cell.strip() for cell in line.split("|")] + [""] * (width - line.count("|") - 1)
        rows.append(Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(texts, 1))))
    return Grid(tuple(rows), **{"table_idx": 1, **facts})


@pytest.fixture
def grid() -> Callable[..., Grid]:
    return make_grid


@pytest.fixture
def change() -> Callable[..., Grid]:
    """A grid with some cells changed: `change(grid, {(row, column): {"bold": True}})`, both from 1."""

    def changed(given: Grid, cells: dict[tuple[int, int], dict[str, Any]]) -> Grid:
        rows = []
        for row in given.rows:
            made = tuple(replace(cell, **cells.get((row.number, cell.column), {})) for cell in row.cells)
            rows.append(replace(row, cells=made))
        return replace(given, rows=tuple(rows))

    return changed


@pytest.fixture
def context() -> Callable[..., PartContext]:
    def made(subject: str = "", file_name: str | None = None, asset_class: str | None = None) -> PartContext:
        dealer = Dealer(name="d", asset_class=asset_class) if asset_class else None
        mail = MailContext(message_key="k", message_id="k", subject=subject, dealer=dealer)
        return PartContext(mail=mail, part_path="2", content_type="text/csv", file_name=file_name)

    return made


@pytest.fixture
def result(context: Callable[..., PartContext]) -> Callable[..., TableResult]:
    """What becomes of a table under this subject and these lines."""

    def read(table: str | Grid, subject: str = "", lines: Sequence[str] = (), **facts: Any) -> TableResult:
        given = make_grid(table) if isinstance(table, str) else table
        before = [Line(number, text, 0) for number, text in enumerate(lines, 1)]
        return read_grid(given, context(subject, **facts), before)

    return read


@pytest.fixture
def read(result: Callable[..., TableResult], context: Callable[..., PartContext]) -> Callable[..., list[Quote]]:
    """The quotes of a table, assembled."""

    def quotes(table: str | Grid, subject: str = "", lines: Sequence[str] = (), **facts: Any) -> list[Quote]:
        drafts = result(table, subject, lines, **facts).drafts
        return [quote for draft in drafts for quote in assemble(draft, context(subject, **facts))[0]]

    return quotes


@pytest.fixture
def levels(read: Callable[..., list[Quote]]) -> Callable[..., list[tuple[str | None, ...]]]:
    """(instrument, quote type, bid, ask, mid) of each quote, decimals as plain text."""

    def shown(*given: Any, **facts: Any) -> list[tuple[str | None, ...]]:
        return [
            (
                quote.instrument_id or quote.description,
                str(quote.quote_type),
                *(None if value is None else format(value, "f") for value in (quote.bid, quote.ask, quote.mid)),
            )
            for quote in read(*given, **facts)
        ]

    return shown
