from __future__ import annotations

from collections.abc import Callable

from parsers.document import Document, Grid
from parsers.documents.pdf.tables.prose import TextColumns
from tests.parsers.documents.pdf.tables.sheet import Sheet

Grids = Callable[[Document], list[Grid]]
Lines = Callable[[Document], list[str]]
Texts = Callable[[Grid], list[list[str]]]

LEFT = [
    "Turnover in the secondary market was thin",
    "on Monday, as most accounts waited for the",
    "minutes of the last meeting; spreads of the",
    "longer issues were wider by two to four basis",
    "points, and the new deals traded at reoffer in",
    "the afternoon, helped by inflows to the funds.",
]
RIGHT = [
    "Supply remains the theme of the week: three",
    "issuers mandated for benchmarks in euros and",
    "one in sterling, of which two are expected to",
    "price on Tuesday. We keep our preference for",
    "the belly of the curve, where concessions are",
    "largest, and stay away from the long end.",
]
TABLE = [["Issue", "Bid", "Ask"], *([f"ALPHA {n} 3{n}", f"{98 + n}.25", f"{98 + n}.75"] for n in range(1, 6))]


def test_text_in_two_columns_is_no_table_and_read_column_by_column(grids: Grids, lines: Lines) -> None:
    sheet = Sheet()
    sheet.lines(60, 100, LEFT)
    sheet.lines(280, 100, RIGHT)
    document = sheet.read()
    assert grids(document) == []
    assert lines(document) == [*LEFT, *RIGHT]


def test_a_heading_across_both_columns_parts_what_is_above_from_what_is_below(lines: Lines) -> None:
    sheet = Sheet()
    heading = "A heading which goes from the left column over the gutter and well into the right column"
    for top in (100, 177):
        sheet.lines(60, top, LEFT)
        sheet.lines(280, top, RIGHT)
    sheet.text(60, 166, heading)
    assert lines(sheet.read()) == [*LEFT, *RIGHT, heading, *LEFT, *RIGHT]


def test_a_table_beside_text_is_a_grid_of_its_own(grids: Grids, lines: Lines, texts: Texts) -> None:
    sheet = Sheet()
    for number, row in enumerate(TABLE):
        sheet.row(100 + 11 * number, row, [60, 140, 190])
    sheet.lines(280, 100, RIGHT)
    document = sheet.read()
    assert [texts(grid) for grid in grids(document)] == [TABLE]
    assert lines(document) == RIGHT


def test_a_list_with_bullets_is_no_table(grids: Grids, lines: Lines) -> None:
    sheet = Sheet()
    items = ["One bid was withdrawn.", "Two were filled.", "The rest is open."]
    for number, item in enumerate(items):
        sheet.row(100 + 11 * number, ["•", item], [60, 80])
    document = sheet.read()
    assert grids(document) == []
    assert [" ".join(line.split()) for line in lines(document)] == [f"• {item}" for item in items]


def test_sentences_that_begin_anew_in_each_row_are_a_column(grids: Grids, texts: Texts) -> None:
    rows = [[f"ALPHA {n} 3{n}", line.capitalize(), f"{98 + n}.25"] for n, line in enumerate(LEFT, 1)]
    sheet = Sheet()
    for number, row in enumerate(rows):
        sheet.row(100 + 11 * number, row, [60, 140, 360])
    (grid,) = grids(sheet.read())
    assert texts(grid) == rows


def test_labels_in_lower_case_with_figures_beside_them_are_a_column(grids: Grids, texts: Texts) -> None:
    rows = [[line, f"{98 + n}.25", f"{98 + n}.75"] for n, line in enumerate(LEFT[1:], 1)]
    sheet = Sheet()
    for number, row in enumerate(rows):
        sheet.row(100 + 11 * number, row, [60, 300, 360])
    (grid,) = grids(sheet.read())
    assert texts(grid) == rows


def test_stretches_with_gutters_at_the_same_places_are_one() -> None:
    above, below = TextColumns(100, 200, (270,)), TextColumns(220, 300, (275,))
    assert above.goes_on(below) == TextColumns(100, 300, (270,))
    assert above.goes_on(TextColumns(220, 300, (310,))) is None
    assert [below.column(x) for x in (60, 280)] == [0, 1]
