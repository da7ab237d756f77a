from __future__ import annotations

from itertools import pairwise

from parsers.documents.pdf.page import Page, Ruling, Word
from parsers.documents.pdf.rows import Spacing
from parsers.documents.pdf.tables.columns import Table
from parsers.documents.pdf.tables.ruled import ruled_tables

MEASURE = Spacing(10, None)
COLUMNS = [40.0, 140.0, 200.0, 260.0]


def word(text: str, x0: float, top: float) -> Word:
    return Word(text, x0, x0 + 5.0 * len(text), top, top + 10)


def row(top: float, *texts: str) -> list[Word]:
    return [word(text, left + 3, top) for text, left in zip(texts, COLUMNS, strict=False) if text]


def texts(table: Table) -> list[list[str]]:
    return [[" ".join(one.text for one in cell) for cell in cells] for cells in table.cells]


def across(*heights: float) -> tuple[Ruling, ...]:
    return tuple(Ruling(at, COLUMNS[0], COLUMNS[-1]) for at in heights)


def down(top: float, bottom: float) -> tuple[Ruling, ...]:
    return tuple(Ruling(at, top, bottom) for at in COLUMNS)


def test_rulings_part_rows_and_columns() -> None:
    words = [*row(103, "Issue", "Bid", "Ask"), *row(123, "ALPHA 5 31", "98", "99")]
    page = Page(1, tuple(words), across(100, 120, 140), down(100, 140))
    (table,) = ruled_tables(page, MEASURE)
    assert texts(table) == [["Issue", "Bid", "Ask"], ["ALPHA 5 31", "98", "99"]]
    assert table.edges == tuple(COLUMNS)


def test_lines_of_a_wrapped_cell_are_one_cell_and_full_lines_are_rows() -> None:
    wrapped = [*row(103, "Issue", "Bid", "Ask"), *row(123, "A VERY LONG", "98", "99"), *row(135, "NAME")]
    (table,) = ruled_tables(Page(1, tuple(wrapped), across(100, 120, 150), down(100, 150)), MEASURE)
    assert texts(table)[1] == ["A VERY LONG NAME", "98", "99"]
    full = [*row(103, "Issue", "Bid", "Ask"), *row(123, "ALPHA", "98", "99"), *row(135, "BETA", "97", "98")]
    (table,) = ruled_tables(Page(1, tuple(full), across(100, 120, 150), down(100, 150)), MEASURE)
    assert texts(table)[1:] == [["ALPHA", "98", "99"], ["BETA", "97", "98"]]


def test_a_column_without_a_line_at_its_left_is_merged_with_the_one_before() -> None:
    words = [*row(103, "Issue", "Bid", "Ask"), *row(123, "SENIOR"), *row(143, "ALPHA", "98", "99")]
    inner = tuple(Ruling(at, *ends) for at in COLUMNS[1:-1] for ends in ((100, 120), (140, 160)))
    outer = tuple(Ruling(at, 100, 160) for at in (COLUMNS[0], COLUMNS[-1]))
    (table,) = ruled_tables(Page(1, tuple(words), across(100, 120, 140, 160), outer + inner), MEASURE)
    assert table.merged == {(1, 1), (1, 2)}
    assert texts(table)[1] == ["SENIOR", "", ""]


def test_a_title_and_a_note_in_the_frame_as_wide_as_the_table_stand_outside_it() -> None:
    words = [*row(103, "PRICES"), *row(123, "Issue", "Bid", "Ask"), *row(143, "ALPHA", "98", "99"), *row(163, "NOTE")]
    inner = tuple(Ruling(at, 120, 160) for at in COLUMNS[1:-1])
    outer = tuple(Ruling(at, 100, 180) for at in (COLUMNS[0], COLUMNS[-1]))
    (table,) = ruled_tables(Page(1, tuple(words), across(100, 120, 140, 160, 180), outer + inner), MEASURE)
    assert texts(table) == [["Issue", "Bid", "Ask"], ["ALPHA", "98", "99"]]


def test_lines_across_alone_part_rows_and_their_ends_part_columns() -> None:
    heights = (120.0, 140.0, 160.0)
    pieces = tuple(Ruling(at, left, right - 2) for at in heights for left, right in pairwise(COLUMNS))
    gaps = [row(103, "Issue", "Bid", "Ask"), row(123, "ALPHA", "98", "99"), row(143, "BETA", "97", "98")]
    (table,) = ruled_tables(Page(1, tuple(one for words in gaps for one in words), pieces), MEASURE)
    assert texts(table)[-2:] == [["ALPHA", "98", "99"], ["BETA", "97", "98"]]


def test_lines_of_one_width_near_each_other_are_one_frame_and_far_ones_are_two() -> None:
    def frame(top: float) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...], list[Word]]:
        words = [*row(top + 3, "Issue", "Bid", "Ask"), *row(top + 23, "ALPHA", "98", "99")]
        return across(top, top + 20, top + 40), down(top, top + 40), words

    one, other = frame(100), frame(400)
    page = Page(1, tuple(one[2] + other[2]), one[0] + other[0], one[1] + other[1])
    assert [table.top for table in ruled_tables(page, MEASURE)] == [103, 403]


def test_tables_of_one_width_with_a_title_between_them_are_two() -> None:
    def page(height: float) -> Page:
        heads = across(100, 115, 130), across(130 + height, 145 + height, 160 + height)
        walls = down(100, 130), down(130 + height, 160 + height)
        words = [*row(103, "USDMXN", "1", "2"), *row(118, "3M", "1", "2"), *row(148 + height, "1M", "3", "4")]
        title, head = word("USDBRL", 43, 125 + height / 2), row(133 + height, "Tenor", "Bid", "Ask")
        return Page(1, (*words, title, *head), (*heads[0], *heads[1]), (*walls[0], *walls[1]))

    assert [len(table.cells) for table in ruled_tables(page(40), MEASURE)] == [2, 2]
    assert len(ruled_tables(page(15), MEASURE)) == 1


def test_an_underline_is_no_table() -> None:
    page = Page(1, tuple(row(103, "Levels")), (Ruling(115, 40, 90),))
    assert ruled_tables(page, MEASURE) == []
