from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from decimal import Decimal

import pytest

from parsers.codes import Code
from parsers.document import Cell, Document, Grid
from parsers.documents.unreadable import Unreadable
from parsers.documents.workbooks.looks import SheetLooks
from parsers.documents.workbooks.odslooks import ods_looks
from parsers.documents.workbooks.reader import read_ods

Read = Callable[..., dict[tuple[int, int], Cell]]
SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"),
        ("style", "style"),
        ("text", "text"),
        ("table", "table"),
        ("fo", "xsl-fo-compatible"),
    )
)
STYLES = (
    '<style:style style:name="head" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
    '<style:table-cell-properties fo:background-color="#dddddd"/></style:style>'
    '<style:style style:name="gone" style:family="table-cell" style:parent-style-name="head">'
    '<style:text-properties fo:font-weight="normal" style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>'
    '<style:style style:name="off" style:family="text"><style:text-properties style:text-line-through-type="single"/>'
    "</style:style>"
    '<style:style style:name="ghost" style:family="table-cell"><style:text-properties fo:color="#FFFFFF"/></style:style>'
)


def cell(value: str, text: str, kind: str = "float", more: str = "") -> str:
    said = f'office:value="{value}"' if value else ""
    return f'<table:table-cell office:value-type="{kind}" {said} {more}><text:p>{text}</text:p></table:table-cell>'


def ods(rows: str, columns: str = "") -> bytes:
    content = (
        f'<office:document-content {SPACES} office:version="1.2"><office:automatic-styles>{STYLES}</office:automatic-styles>'
        f'<office:body><office:spreadsheet><table:table table:name="EUR IG">{columns}{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return packed(content)


def packed(content: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("META-INF/manifest.xml", "<manifest/>")
        package.writestr("content.xml", content)
    return out.getvalue()


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


@pytest.fixture
def read(grids: Callable[[Document], list[Grid]]) -> Read:
    def of(rows: str, columns: str = "") -> dict[tuple[int, int], Cell]:
        (grid,) = grids(read_ods(ods(rows, columns)))
        return {(each.number, cell.column): cell for each in grid.rows for cell in each.cells}

    return of


def test_styles_are_those_of_the_cell_its_column_and_the_styles_above(
    read: Read,
) -> None:
    found = read(
        row(
            cell("", "ISIN", "string", 'table:style-name="head"'),
            cell("98.5", "98.5", more='table:style-name="gone"'),
            cell("1", "1"),
        ),
        '<table:table-column table:number-columns-repeated="2"/><table:table-column table:default-cell-style-name="ghost"/>',
    )
    marks = {place: (each.bold, each.filled, each.struck, each.hidden) for place, each in found.items()}
    assert marks == {
        (1, 1): (True, True, False, False),
        (1, 2): (False, True, True, False),
        (1, 3): (False, False, False, True),
    }


@pytest.mark.parametrize(
    ("given", "shown", "number_format"),
    [
        (("0.0425", "4.25%", "percentage"), "4.25%", "0.00%"),
        (("0.0425", "4,3 %", "percentage"), "4.3%", "0.0%"),
        (("98.375", "98 3/8", "float"), "98 3/8", "# ?/8"),
        (("98.375", "98.38", "float"), "98.375", None),
    ],
)
def test_a_number_is_shown_as_the_file_says(
    given: tuple[str, str, str], shown: str, number_format: str | None, read: Read
) -> None:
    found = read(row(cell(*given)))[1, 1]
    assert (found.value, found.text, found.number_format) == (Decimal(given[0]), shown, number_format)


def test_what_is_struck_or_raised_in_a_part_of_a_cell_is_no_price(read: Read) -> None:
    raised, struck = (
        '98.25<text:span text:style-name="up">1</text:span>',
        '<text:span text:style-name="off">97</text:span> 98',
    )
    found = read(row(cell("", raised, "string"), cell("", struck, "string"), cell("", struck[:-3], "string")))
    assert [(each.text, each.struck) for each in found.values()] == [("98.25¹", False), ("98", False), ("97", True)]


def test_a_formula_without_a_value_says_so(read: Read) -> None:
    found = read(row(cell("98.25", "98.25"), '<table:table-cell table:formula="of:=[.A1]+1"/>', cell("1", "1")))
    assert [each.formula_no_cache for each in found.values()] == [False, True, False]


def test_a_hidden_sheet_says_so(grids: Callable[[Document], list[Grid]]) -> None:
    hidden = '<style:style style:name="ta" style:family="table"><style:table-properties table:display="false"/></style:style>'
    data = ods(row(cell("1", "1")))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        content = package.read("content.xml").decode()
    content = content.replace("</office:automatic-styles>", hidden + "</office:automatic-styles>")
    content = content.replace('table:name="EUR IG"', 'table:name="EUR IG" table:style-name="ta"')
    (grid,) = grids(read_ods(packed(content)))
    assert grid.hidden


def test_hidden_rows_and_columns_are_listed_and_repeats_counted() -> None:
    rows = row("<table:table-cell/>", more='table:number-rows-repeated="3"')
    rows += row(
        cell("1", "1"), cell("2", "2", more='table:number-columns-repeated="2"'), more='table:visibility="filter"'
    )
    columns = '<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>'
    with zipfile.ZipFile(io.BytesIO(ods(rows, columns))) as package:
        looks = ods_looks(package).sheet("EUR IG")
    assert (looks.hidden_rows, looks.hidden_columns) == ({4}, {2, 3})
    assert (looks.last_row, looks.last_column) == (4, 3)


def test_a_sheet_that_is_not_there_has_no_looks() -> None:
    with zipfile.ZipFile(io.BytesIO(ods(""))) as package:
        assert ods_looks(package).sheet("another") == SheetLooks()


@pytest.mark.parametrize("count", ["9" * 5000, "²", "-5", "x"])
def test_a_repeat_that_is_no_count_of_a_sheet_is_damage(count: str) -> None:
    row = f'<table:table-row table:number-rows-repeated="{count}">{cell("98.25", "98.25")}</table:table-row>'
    with pytest.raises(Unreadable) as refused:
        read_ods(ods(row))
    assert refused.value.code in {Code.CORRUPT_PART, Code.PART_TOO_LARGE}


def test_a_sheet_of_too_many_cells_is_refused_before_each_has_its_look() -> None:
    many = 'table:style-name="gone" table:number-columns-repeated="16384"'
    row = f'<table:table-row table:number-rows-repeated="1000">{cell("98.25", "98.25", more=many)}</table:table-row>'
    with pytest.raises(Unreadable) as refused:
        read_ods(ods(row))
    assert refused.value.code is Code.PART_TOO_LARGE
