"""What decided how a cell of a table was read: its heading, the words around the table, the dealer (for `explain`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parsers.document import Grid, Line, Row
from parsers.quotes.context import PartContext
from parsers.quotes.headings.surroundings import STATED, Surroundings
from parsers.quotes.headings.usual import usual_of
from parsers.quotes.tables.around.above import lines_above
from parsers.quotes.tables.around.around import Around
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.quotes.tables.columns.unheaded import reasons, weighed, with_unheaded
from parsers.quotes.tables.grids.block import Block
from parsers.quotes.tables.grids.continuing import last_header
from parsers.quotes.tables.grids.split import blocks
from parsers.quotes.tables.plans.plan import left_out
from parsers.quotes.tables.reader import around_of, columns_of

_OF_COLUMN = ("role", "measure", "side", "kind", "tenor", "option_struct", "currency", "benchmark", "mark")


def account(
    grid: Grid, context: PartContext, before: Sequence[Line | Grid], place: tuple[int, int | None]
) -> tuple[str, ...]:
    """The deciding words for the cell at (row, column), as the sheet counts them, a sentence each.

    Args:
        grid: the table.
        context: of its part.
        before: the blocks in front of it.
        place: of the cell.
    """
    inherited = last_header(before, grid)
    for block in blocks(grid.rows):
        columns, is_headed = columns_of(block, inherited)
        if columns is None or not _holds(block, place[0]):
            continue
        table = table_of(columns, block.body, headed=is_headed)
        around = around_of(block.titles, columns, grid, context, list(lines_above(before)))
        return (
            *_of_column(block, table, place),
            *_of_words(block, around, usual_of(context.mail.dealer)),
            *_unread(with_unheaded(table, block.first, block.last)),
        )
    return ()


def _holds(block: Block, row: int) -> bool:
    return row in block.turned if block.turned is not None else any(one.number == row for one in block.body)


def _of_column(block: Block, table: Table, place: tuple[int, int | None]) -> Iterator[str]:
    if block.turned is not None:
        yield "the table is turned: its first column has the headings"
        return
    row = next(row for row in block.body if row.number == place[0])
    whole = with_unheaded(table, block.first, block.last)
    column = next((one for one in whole.columns if row.cells[one.at].column == place[1]), None)
    if column is None:
        return
    told = ", ".join(f"{name} {value}" for name in _OF_COLUMN if (value := getattr(column, name)) is not None)
    weighed_as = next(
        (one for one in weighed(table, block.first, block.last) if one.candidate.column.at == column.at), None
    )
    if column.unheaded and weighed_as is not None:
        yield from reasons(weighed_as)
        yield f"so it is read as: {told}"
    elif column.text:
        yield f"its heading `{column.text}` says: {told}"
    else:
        yield f"no heading: what the column holds says {told}"


def _of_words(block: Block, around: Around, usual: Surroundings) -> Iterator[str]:
    if block.titles:
        yield "above the table stands: " + " | ".join(block.titles)
    values = (
        (name, getattr(around.said, name)) for name in STATED if getattr(around.said, name) != getattr(usual, name)
    )
    told = ", ".join(f"{name} {value}" for name, value in values if value is not None)
    if told:
        yield f"titles, lines, sheet, file, subject and covering note say: {told}"
    if around.found.source != "none":
        yield f"the class is {around.found.name}, by the {around.found.source}"
    if around.default_class is not None:
        yield f"by the dealer table the sender mails {around.default_class} where nothing says another"


def _unread(table: Table) -> Iterator[str]:
    for one in left_out(table):
        yield f"beside it the column `{one.text}` is printed, and was not read"


def rows_around(grid: Grid, row: int, column: int | None, reach: int) -> Iterator[str]:
    """The rows near one, each with its number, the cell between arrows."""
    at = next((index for index, one in enumerate(grid.rows) if one.number == row), None)
    if at is None:
        return
    for one in grid.rows[max(at - reach, 0) : at + reach + 1]:
        is_it = one.number == row
        yield f"{'>' if is_it else ' '} {one.number:>5}  {_cells(one, column if is_it else None)}"


def _cells(row: Row, column: int | None) -> str:
    return " ¦ ".join(f"»{cell.text}«" if cell.column == column else cell.text for cell in row.cells)
