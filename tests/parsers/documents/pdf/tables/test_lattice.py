from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from parsers.document import Document, Grid
from parsers.documents.pdf.page import Page, Ruling
from parsers.documents.pdf.tables.lattice import lattices
from tests.parsers.documents.pdf.tables.sheet import Sheet

Grids = Callable[[Document], list[Grid]]
Texts = Callable[[Grid], list[list[str]]]

PLACES = [60.0, 180.0, 240.0, 300.0]
BORDERS = [55.0, 175.0, 235.0, 295.0, 355.0]
HEADER = ["Country", "2003", "2004", "2005"]
ROWS = [[f"Region {n}", f"{90 + n}", f"{n}.1", f"{n}"] for n in range(1, 7)]


def test_pieces_of_lines_down_end_where_rows_do(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    blank = [HEADER, ROWS[0], ["", "", "", ""], *ROWS[1:]]
    for number, row in enumerate(blank):
        sheet.row(110 + 14 * number, row, PLACES)
        for x in BORDERS:
            sheet.down(x, 100 + 14 * number, 114 + 14 * number)
    sheet.text(PLACES[0], 110 + 14 * 8, "Note")
    for x in BORDERS:
        sheet.down(x, 212, 226)
    for y in (100, 114, 226):
        sheet.across(y, BORDERS[0], BORDERS[-1])
    (grid,) = grids(sheet.read())
    assert [row for row in texts(grid) if any(row)] == [HEADER, *ROWS, ["Note", "", "", ""]]


def test_a_column_of_labels_outside_the_lines_down_belongs_to_them_though_they_are_drawn_in_pieces() -> None:
    across = [Ruling(y, BORDERS[1], BORDERS[-1]) for y in (100, 160, 174, 188)] + [Ruling(134, *BORDERS[::4])]
    down = [Ruling(x, 100 + 12 * n, 111 + 12 * n) for x in BORDERS[1:] for n in range(7)]
    (lattice,) = lattices(Page(1, (), tuple(across), tuple(down)))
    assert lattice.columns() == BORDERS


def test_pieces_of_lines_across_end_where_columns_do_beside_lines_down() -> None:
    across = [Ruling(y, left, right) for y in (100, 120, 140) for left, right in pairwise(BORDERS)]
    (lattice,) = lattices(Page(1, (), tuple(across), (Ruling(BORDERS[1], 100, 140),)))
    assert lattice.columns() == BORDERS


def test_two_lines_around_a_header_frame_no_table(grids: Grids, texts: Texts) -> None:
    sheet = Sheet()
    for number, row in enumerate([HEADER, *ROWS]):
        sheet.row(110 + 14 * number, row, PLACES)
    for y in (99, 114):
        for left, right in pairwise(BORDERS):
            sheet.across(y, left, right)
    (grid,) = grids(sheet.read())
    assert texts(grid) == [HEADER, *ROWS]


def test_a_column_without_lines_between_its_rows_spans_none() -> None:
    across = [Ruling(y, *BORDERS[::4]) for y in (100, 120, 180)] + [
        Ruling(y, BORDERS[1], BORDERS[-1]) for y in (140, 160)
    ]
    (lattice,) = lattices(Page(1, (), tuple(across), tuple(Ruling(x, 100, 180) for x in BORDERS)))
    assert list(lattice.spanned(lattice.columns(), lattice.rows())) == []
    across.append(Ruling(160, *BORDERS[:2]))
    (lattice,) = lattices(Page(1, (), tuple(across), tuple(Ruling(x, 100, 180) for x in BORDERS)))
    assert list(lattice.spanned(lattice.columns(), lattice.rows())) == [(0, 1, 2)]
