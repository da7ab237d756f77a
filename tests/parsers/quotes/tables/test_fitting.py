from __future__ import annotations

from collections.abc import Iterable

from parsers.document import Cell, Grid, Row
from parsers.quotes.tables.grids.fitting import fitted
from parsers.quotes.work import FOR_LINES, Work

PRICED = ("XS2641318121", "98.25", "98.75")


def grid(rows: Iterable[tuple[str, ...]]) -> Grid:
    cells = (tuple(Cell(text=text, column=at) for at, text in enumerate(row, 1)) for row in rows)
    return Grid(tuple(Row(number, row) for number, row in enumerate(cells, 1)))


def test_a_grid_that_fits_is_left_as_it_is_and_its_work_counted() -> None:
    table, work = grid([("ISIN", "Bid", "Ask"), PRICED]), Work()
    before = work.left
    assert fitted(table, work) == (table, None)
    assert work.left < before


def test_of_a_larger_grid_the_first_rows_are_read_and_the_work_of_tables_is_done() -> None:
    table, work = grid([("ISIN", "Bid", "Ask"), *[PRICED] * 500]), Work(FOR_LINES + 5_000)
    first, ended = fitted(table, work)
    assert ended == table.rows[len(first.rows)]
    assert first.rows == table.rows[: len(first.rows)]
    assert work.for_tables == 0
    assert fitted(table, work)[1] == table.rows[0]


def test_words_without_headings_cost_as_little_as_figures() -> None:
    names = [(f"{first}{second}", "of the street") for first in "abcdefghij" for second in "klmnopqrst"]
    assert fitted(grid(names), Work(FOR_LINES + 10_000))[1] is None
    assert fitted(grid([("Bond", "Bid"), *names]), Work(FOR_LINES + 10_000))[1] is not None
