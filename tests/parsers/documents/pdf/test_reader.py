from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Spacer, Table, TableStyle

from parsers.codes import Code
from parsers.document import Document, Grid, Line
from parsers.documents.pdf.reader import read_pdf
from parsers.documents.unreadable import Unreadable

Grids = Callable[[Document], list[Grid]]
Lines = Callable[[Document], list[str]]
Texts = Callable[[Grid], list[list[str]]]
Draw = Callable[[Canvas], None]

HEADER = ["ISIN", "Security", "Bid", "Ask"]
ROWS = [
    [f"XS26{n:08d}", f"ISSUER {chr(65 + n % 26)} {n / 8} 05/{30 + n % 20}", f"{98 + n / 8}", f"{99 + n / 8}"]
    for n in range(40)
]


def drawn(draw: Draw, size: tuple[float, float] = A4, encrypt: StandardEncryption | None = None) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=size, encrypt=encrypt)
    draw(canvas)
    canvas.save()
    return out.getvalue()


def aligned(canvas: Canvas, rows: list[list[str]], places: list[float], top: float, font: str = "Helvetica") -> None:
    """Text at places: to the left of the first two, to the right of the others."""
    canvas.setFont(font, 9)
    for number, row in enumerate(rows):
        for at, (text, place) in enumerate(zip(row, places, strict=True)):
            (canvas.drawString if at < 2 else canvas.drawRightString)(place, top - 12 * number, text)


def ruled(rows: list[list[str]], *styles: tuple[object, ...], repeat: int = 0) -> bytes:
    out = io.BytesIO()
    table = Table(rows, repeatRows=repeat)
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), *styles]))
    SimpleDocTemplate(out, pagesize=A4).build([Spacer(1, 12), table])
    return out.getvalue()


def test_a_ruled_table_is_a_grid(grids: Grids, texts: Texts) -> None:
    (grid,) = grids(read_pdf(ruled([HEADER, *ROWS[:5]])))
    assert texts(grid) == [HEADER, *ROWS[:5]]
    assert [(row.number, row.page) for row in grid.rows] == [(n, 1) for n in range(1, 7)]


def test_merged_cells_of_a_ruled_table_span(grids: Grids, texts: Texts) -> None:
    section = ["SENIOR FINANCIALS", "", "", ""]
    (grid,) = grids(read_pdf(ruled([HEADER, section, *ROWS[:3]], ("SPAN", (0, 1), (-1, 1)))))
    assert texts(grid)[1] == section
    assert grid.rows[1].cells[0].col_span == 4
    assert grid.rows[1].cells[3].origin == (2, 1)


def test_a_wrapped_cell_stays_one_cell(grids: Grids, texts: Texts) -> None:
    wrapped = ["XS2600000099", "A VERY LONG NAME\nOF AN ISSUER", "98.5", "99"]
    (grid,) = grids(read_pdf(ruled([HEADER, wrapped, *ROWS[:2]])))
    assert texts(grid)[1] == ["XS2600000099", "A VERY LONG NAME OF AN ISSUER", "98.5", "99"]


@pytest.mark.parametrize("font", ["Helvetica", "Courier"])
def test_a_table_without_lines_is_found_by_its_gaps(font: str, grids: Grids, lines: Lines, texts: Texts) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 800, "Loan market, all first lien senior secured unless stated otherwise below")
        aligned(canvas, [HEADER, *ROWS[:6]], [40, 150, 380, 440], 760, font)
        canvas.drawString(40, 100, "Indicative only. Call the desk on +44 20 7946 0177.")

    document = read_pdf(drawn(draw))
    assert [texts(grid) for grid in grids(document)] == [[HEADER, *ROWS[:6]]]
    assert len(lines(document)) == 2
    assert [type(block) for block in document.blocks] == [Line, Grid, Line]


def test_numbers_in_tight_columns_are_not_glued(grids: Grids, texts: Texts) -> None:
    rows = [
        ["CUSIP", "Issue", "Bid", "Ask"],
        *([f"0378331{n:02d}", "APPLE 3.5 33", f"99.{n:02d}", f"100.{n:02d}"] for n in range(10, 18)),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for number, row in enumerate(rows):
            y = 700 - 12 * number
            canvas.drawString(40, y, row[0])
            canvas.drawString(100, y, row[1])
            canvas.drawRightString(220, y, row[2])
            canvas.drawRightString(250, y, row[3])  # 1.5 points after the bid

    (grid,) = grids(read_pdf(drawn(draw)))
    assert texts(grid) == rows


def test_sections_between_rows_stay_in_the_table(grids: Grids, texts: Texts) -> None:
    rows = [HEADER, ["TMT", "", "", ""], *ROWS[:3], ["AUTOS", "", "", ""], *ROWS[3:6]]

    def draw(canvas: Canvas) -> None:
        aligned(canvas, rows, [40, 150, 380, 440], 700)

    assert [texts(grid) for grid in grids(read_pdf(drawn(draw)))] == [rows]


def test_two_tables_side_by_side_are_two(grids: Grids, texts: Texts) -> None:
    rows = [
        ["Issue", "Bid", "Ask"],
        ["DIGICEL 8.25 31", "66", "68.5"],
        ["ENVISION 11 29", "14", "16"],
        ["OI 10 27", "7", "8"],
    ]

    def draw(canvas: Canvas) -> None:
        for x in (40.0, 430.0):
            canvas.setFont("Helvetica", 9)
            for number, (issue, bid, ask) in enumerate(rows):
                canvas.drawString(x, 500 - 14 * number, issue)
                canvas.drawRightString(x + 180, 500 - 14 * number, bid)
                canvas.drawRightString(x + 230, 500 - 14 * number, ask)

    assert [texts(grid) for grid in grids(read_pdf(drawn(draw, landscape(A4))))] == [rows, rows]


@pytest.mark.parametrize("repeat", [0, 1])
def test_a_table_over_several_pages_is_one_grid_without_its_repeated_headers(
    repeat: int, grids: Grids, texts: Texts
) -> None:
    rows = ROWS + [[isin.replace("XS26", "XS27"), *rest] for isin, *rest in ROWS]
    (grid,) = grids(read_pdf(ruled([HEADER, *rows], repeat=repeat)))
    assert texts(grid) == [HEADER, *rows]
    assert sorted({row.page or 0 for row in grid.rows}) == [1, 2, 3]
    assert [row.number for row in grid.rows] == list(range(1, 82))


def test_another_table_on_the_next_page_is_another_grid(grids: Grids) -> None:
    def draw(canvas: Canvas) -> None:
        aligned(canvas, [HEADER, *ROWS[:4]], [40, 150, 380, 440], 700)
        canvas.showPage()
        canvas.setFont("Helvetica", 9)
        for number, row in enumerate([["Tenor", "Rate"], ["1M", "4.38"], ["3M", "4.41"]]):
            canvas.drawString(40, 700 - 12 * number, row[0])
            canvas.drawRightString(200, 700 - 12 * number, row[1])

    assert [len(grid.rows) for grid in grids(read_pdf(drawn(draw)))] == [5, 3]


def test_a_row_cut_by_the_end_of_a_page_is_one_row(grids: Grids, texts: Texts) -> None:
    def draw(canvas: Canvas) -> None:
        cut = [ROWS[4][0], ROWS[4][1], "", ""]
        aligned(canvas, [HEADER, *ROWS[:4], cut], [40, 150, 380, 440], 120)
        canvas.showPage()
        aligned(canvas, [["", "", *ROWS[4][2:]], *ROWS[5:9]], [40, 150, 380, 440], 780)

    (grid,) = grids(read_pdf(drawn(draw)))
    assert texts(grid) == [HEADER, *ROWS[:9]]
    assert [row.page for row in grid.rows] == [1] * 6 + [2] * 4
    assert [row.number for row in grid.rows] == list(range(1, 11))


def test_a_section_at_the_end_of_a_page_is_not_joined_with_the_row_below(grids: Grids, texts: Texts) -> None:
    def draw(canvas: Canvas) -> None:
        aligned(canvas, [HEADER, *ROWS[:4], ["AUTOS", "", "", ""]], [40, 150, 380, 440], 120)
        canvas.showPage()
        aligned(canvas, [*ROWS[5:9]], [40, 150, 380, 440], 780)

    (grid,) = grids(read_pdf(drawn(draw)))
    assert len(grid.rows) >= 9
    assert all(row in texts(grid) for row in ROWS[5:9])


def test_shaded_rows_say_so_and_a_white_or_page_wide_shade_is_none(grids: Grids) -> None:
    shades = [("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey), ("BACKGROUND", (0, 1), (-1, 1), colors.white)]
    (grid,) = grids(read_pdf(ruled([HEADER, *ROWS[:3]], *shades)))
    assert [[cell.filled for cell in row.cells] for row in grid.rows] == [[True] * 4, *[[False] * 4] * 3]

    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(colors.beige)
        canvas.rect(0, 0, *A4, stroke=0, fill=1)
        canvas.setFillColor(colors.black)
        aligned(canvas, [HEADER, *ROWS[:4]], [40, 150, 380, 440], 700)

    (grid,) = grids(read_pdf(drawn(draw)))
    assert not any(cell.filled for row in grid.rows for cell in row.cells)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_page_reads_as_shown(rotation: int, grids: Grids, texts: Texts) -> None:
    def draw(canvas: Canvas) -> None:
        width, height = A4
        canvas.setPageRotation(rotation)
        if rotation == 90:
            canvas.translate(width, 0)
        elif rotation == 180:
            canvas.translate(width, height)
        else:
            canvas.translate(0, height)
        canvas.rotate(rotation)
        aligned(canvas, [HEADER, *ROWS[:4]], [40, 150, 380, 440], 400)

    assert [texts(grid) for grid in grids(read_pdf(drawn(draw)))] == [[HEADER, *ROWS[:4]]]


def test_bold_rows_say_so(grids: Grids) -> None:
    (grid,) = grids(read_pdf(ruled([HEADER, *ROWS[:2]], ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"))))
    assert [row.cells[0].bold for row in grid.rows] == [True, False, False]


def test_lines_have_their_page_and_running_numbers() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 700, "page one")
        canvas.showPage()
        canvas.drawString(40, 700, "page two")

    blocks = read_pdf(drawn(draw)).blocks
    assert [(line.number, line.page, line.text) for line in blocks if isinstance(line, Line)] == [
        (1, 1, "page one"),
        (2, 2, "page two"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(drawn(lambda canvas: canvas.rect(1, 1, 9, 9)), Code.IMAGE_ONLY, id="no text"),
        pytest.param(
            drawn(lambda canvas: canvas.drawString(9, 9, "x"), encrypt=StandardEncryption("secret", "owner")),
            Code.PASSWORD_PROTECTED,
            id="a password is asked for",
        ),
        pytest.param(b"%PDF-1.7\n% and no more", Code.CORRUPT_PART, id="nothing after the mark"),
    ],
)
def test_what_cannot_be_read_has_a_code(data: bytes, code: Code) -> None:
    with pytest.raises(Unreadable) as refused:
        read_pdf(data)
    assert refused.value.code is code


def test_a_file_locked_for_its_readers_alone_is_read(lines: Lines) -> None:
    data = drawn(lambda canvas: canvas.drawString(40, 700, "open"), encrypt=StandardEncryption("", "owner", canCopy=0))
    assert lines(read_pdf(data)) == ["open"]


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_cut_off_file_has_an_outcome(cut: float) -> None:
    data = ruled([HEADER, *ROWS])
    try:
        code = None if read_pdf(data[: int(len(data) * cut)]).blocks else Code.IMAGE_ONLY
    except Unreadable as refused:
        code = refused.code
    assert code in {None, Code.CORRUPT_PART, Code.IMAGE_ONLY}


@pytest.mark.parametrize("thin", [True, False])
def test_a_row_and_a_line_that_are_struck_through_say_so(thin: bool, grids: Grids, texts: Texts) -> None:
    def draw(canvas: Canvas) -> None:
        aligned(canvas, [HEADER, *ROWS[:5]], [40, 150, 340, 400], 780)
        canvas.drawString(40, 600, "XS2641318121 98.25/98.75")
        for height in (780 - 12 * 2 + 3, 603):
            if thin:
                canvas.rect(38, height, 370, 0.6, stroke=0, fill=1)
            else:
                canvas.line(38, height, 410, height)

    document = read_pdf(drawn(draw))
    (grid,) = grids(document)
    assert texts(grid) == [HEADER, *ROWS[:5]]
    assert [[cell.struck for cell in row.cells] for row in grid.rows] == [[number == 2] * 4 for number in range(6)]
    assert [line.struck for line in document.blocks if isinstance(line, Line)] == [True]


@pytest.mark.parametrize("shown", [0, 90, 270])
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_table_is_read_whichever_way_it_runs_and_the_page_is_shown(
    turned: int, shown: int, grids: Grids, texts: Texts
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(shown)
        canvas.translate(*{0: (0, 0), 90: (A4[0], 0), 180: A4, 270: (0, A4[1])}[turned])
        canvas.rotate(turned)
        aligned(canvas, [HEADER, *ROWS[:9]], [40, 150, 340, 400], 500)

    (grid,) = grids(read_pdf(drawn(draw)))
    assert texts(grid) == [HEADER, *ROWS[:9]]


def test_a_price_that_is_struck_and_replaced_is_gone(lines: Lines) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 600, "XS2641318121 98.25/98.75 97/97.5")
        start = 40 + canvas.stringWidth("XS2641318121 ", "Helvetica", 10)
        canvas.line(start, 603, start + canvas.stringWidth("98.25/98.75", "Helvetica", 10), 603)

    assert [" ".join(line.split()) for line in lines(read_pdf(drawn(draw)))] == ["XS2641318121 97/97.5"]


@pytest.mark.parametrize(("count", "truncated"), [(1000, False), (1001, True)])
def test_only_a_file_of_more_pages_than_are_read_says_that_it_goes_on(count: int, truncated: bool) -> None:
    def pages(canvas: Canvas) -> None:
        for number in range(count):
            canvas.drawString(72, 700, f"page {number}")
            canvas.showPage()

    document = read_pdf(drawn(pages))
    assert (len(document.blocks), document.truncated) == (1000, truncated)


def test_pages_that_are_pictures_are_noted_beside_those_with_text() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for page in range(1, 5):
        if page % 2:
            canvas.drawString(40, 700, f"XS2701001005 9{page}.25 9{page}.75")
        else:
            canvas.rect(0, 0, 500, 700, fill=1)
        canvas.showPage()
    canvas.save()
    document = read_pdf(out.getvalue())
    assert [(block.page, block.text) for block in document.blocks if isinstance(block, Line)] == [
        (1, "XS2701001005 91.25 91.75"),
        (3, "XS2701001005 93.25 93.75"),
    ]
    assert document.note == "no text on pages 2, 4"


def test_a_digit_that_nobody_sees_is_none_of_the_price_before_it(grids: Grids, texts: Texts) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setFont("Helvetica", 10)
    for row in range(4):
        for x, text in ((40, f"XS270100100{row}"), (200, f"9{row}.25"), (300, f"9{row}.75")):
            canvas.drawString(x, 700 - 20 * row, text)
    canvas.setFillGray(1)
    canvas.drawString(200 + canvas.stringWidth("91.25"), 680, "1")
    canvas.save()
    (grid,) = grids(read_pdf(out.getvalue()))
    assert texts(grid)[1] == ["XS2701001001", "91.25", "91.75"]


@pytest.mark.parametrize("raised", [1.5, 4])
def test_a_raised_footnote_in_a_cell_is_a_mark_of_its_price(raised: float, grids: Grids, texts: Texts) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for row in range(4):
        for x, text in ((40, f"XS270100100{row}"), (200, f"9{row}.25"), (300, f"9{row}.75")):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, 700 - 20 * row, text)
            if (x, row) == (200, 1):
                width = canvas.stringWidth(text)
                canvas.setFont("Helvetica", 6)
                canvas.drawString(x + width, 680 + raised, "1")
    canvas.save()
    (grid,) = grids(read_pdf(out.getvalue()))
    assert texts(grid)[1] == ["XS2701001001", "91.25¹", "91.75"]
