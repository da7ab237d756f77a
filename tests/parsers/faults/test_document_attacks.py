"""Faults 96 to 106: what a document may do to its reader (docs/faults.md)."""

from __future__ import annotations

import base64
import gzip
import io
import pickle
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import docx
import openpyxl
import py7zr
import pytest

from parsers.codes import Code
from parsers.outcome import MailOutcome

pytestmark = pytest.mark.slow

Parsed = Callable[[bytes], MailOutcome]
Attached = Callable[..., Code | None]
Zipped = Callable[..., bytes]
CLEAN = {None, Code.NO_QUOTE_CONTENT, Code.TABLE_NOT_RECOGNISED}  # read to its end
BOOK = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"


def workbook(**changed: bytes) -> bytes:
    """A workbook with other bytes for some of its members: names with `__` for `/` and `_xml` for `.xml`."""
    plain, out = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["ISIN", "Bid", "Ask"])
    book.save(plain)
    named = {name.replace("__", "/").replace("_xml", ".xml"): data for name, data in changed.items()}
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, named.get(name) or source.read(name))
    return out.getvalue()


def overlapping() -> bytes:
    """A zip whose 250 members are all the same bytes."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(bytes(10_000_000)) + packed.flush()
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(data), 10_000_000, 1, 0) + b"a" + data
    central = b"".join(
        struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(data), 10_000_000, 3, 0, 0, 0, 0, 0, 0)
        + b"%03d" % number
        for number in range(250)
    )
    return local + central + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 250, 250, len(central), len(local), 0)


def inside(zipped: Zipped, depth: int) -> bytes:
    data = b"x"
    for _ in range(depth):
        data = zipped(inner_zip=data)
    return data


def test_archives_end_at_their_limits_by_what_comes_out_of_them(
    parsed: Parsed, attached: Attached, zipped: Zipped
) -> None:
    assert attached(zipped(a=bytes(60_000_000)), "zeros.zip") in {None, Code.ARCHIVE_LIMIT}
    assert attached(overlapping(), "overlap.zip") in {None, Code.ARCHIVE_LIMIT, Code.CORRUPT_PART}
    assert attached(gzip.compress(bytes(300_000_000)), "zeros.gz") is Code.ARCHIVE_LIMIT
    assert attached(zipped(**{f"m{n}": b"x" for n in range(600)}), "many.zip") is Code.ARCHIVE_LIMIT
    head = b"From: a@b.example\nContent-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n"
    for data in (zipped(a=bytes(60_000_000)), overlapping(), inside(zipped, 20)):
        parts = parsed(head + base64.encodebytes(data)).parts
        assert {part.code for part in parts} & {Code.ARCHIVE_LIMIT, Code.CORRUPT_PART, Code.PART_TOO_LARGE}


def test_entities_of_a_workbook_are_neither_expanded_nor_fetched(
    attached: Attached, parsed: Parsed, tmp_path: Path
) -> None:
    names = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)]
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "lol">{"".join(names)}]>'
    strings = f'{bomb}<sst {BOOK} count="1" uniqueCount="1"><si><t>&e11;</t></si></sst>'.encode()
    assert attached(workbook(xl__sharedStrings_xml=strings), "bomb.xlsx") in {*CLEAN, Code.CORRUPT_PART}
    (tmp_path / "secret").write_text("XS2641318121")
    outside = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'

    def table(head: str, isin: str) -> bytes:
        cells = [["ISIN", "Bid", "Ask"], *([name, "98.25", "98.75"] for name in ("US0378331005", isin, "DE0001102580"))]
        shown = ("".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) for row in cells)
        rows = (f'<row r="{at}">{row}</row>' for at, row in enumerate(shown, 1))
        return f"{head}<worksheet {BOOK}><sheetData>{''.join(rows)}</sheetData></worksheet>".encode()

    head = (
        b"From: a@b.example\nContent-Type: application/octet-stream; name=a.xlsx\nContent-Transfer-Encoding: base64\n\n"
    )

    def isins(sheet: bytes) -> set[str | None]:
        raw = head + base64.encodebytes(workbook(xl__worksheets__sheet1_xml=sheet))
        return {quote.instrument_id for quote in parsed(raw).quotes}

    assert "XS2641318121" in isins(table("", "XS2641318121"))  # what would be read, were it fetched
    assert "XS2641318121" not in isins(table(outside, "&e;"))


def test_a_sheet_is_as_large_as_its_cells_and_not_as_it_says(attached: Attached) -> None:
    def sheet(cells: str, says: str = "A1:XFD1048576") -> bytes:
        return f'<worksheet {BOOK}><dimension ref="{says}"/><sheetData>{cells}</sheetData></worksheet>'.encode()

    one = '<row r="1"><c r="A1"><v>98.25</v></c></row>'
    far = one + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    beyond = '<row r="99999999"><c r="ZZZZ99999999"><v>1</v></c></row>'
    assert attached(workbook(xl__worksheets__sheet1_xml=sheet(one)), "says.xlsx") in CLEAN
    assert attached(workbook(xl__worksheets__sheet1_xml=sheet(far)), "far.xlsx") is Code.PART_TOO_LARGE
    assert attached(workbook(xl__worksheets__sheet1_xml=sheet(beyond)), "beyond.xlsx") not in CLEAN
    strings = f"<sst {BOOK}>{'<si><t>x</t></si>' * 1_000_000}</sst>".encode()
    assert attached(workbook(xl__sharedStrings_xml=strings), "strings.xlsx") is not None


def test_an_ole_file_that_leads_in_circles_or_asks_for_all_memory_has_a_code(
    attached: Attached, shared: Callable[[str], Path]
) -> None:
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<LLLLLLLLL", header, 44, 1, 1, 0, 0x1000, 0xFFFFFFFE, 0, 0, 0, 0)
    circle = bytes(header) + struct.pack("<128L", *([0] * 128)) * 4  # every sector follows sector 0
    for name in ("loop.xls", "loop.doc", "loop.msg"):
        assert attached(circle, name) is not None
    (oom,) = (shared("odd") / "xls").glob("*OOM_alloc3.xls")
    assert attached(oom.read_bytes(), "oom.xls") is not None


def pdf(objects: dict[int, bytes], root: int = 1, tail: bytes = b"%%EOF") -> bytes:
    out, places = b"%PDF-1.7\n", {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 1\n0000000000 65535 f \n"
    table += b"".join(b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items())
    trailer = b"trailer <</Root %d 0 R /Size %d>>\nstartxref\n%d\n" % (root, len(objects) + 1, len(out))
    return out + table + trailer + tail


CATALOG = b"<</Type/Catalog /Pages 2 0 R>>"
FLATE = zlib.compress(b"0 0 m " * 20_000_000, 1)
DRAWS = b"<</Length 9>>\nstream\n/X Do /X Do\nendstream"
CIRCLE = b"<</Type/XObject /Subtype/Form /BBox[0 0 9 9] /Resources<</XObject<</X 5 0 R>>>> /Length 11>>\nstream\n/X Do /X Do\nendstream"
PAGE = b"<</Type/Page /Parent 2 0 R /MediaBox[0 0 99 99] /Contents 4 0 R /Resources<</XObject<</X 5 0 R>>>>>>"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(pdf({1: CATALOG, 2: b"<</Type/Pages /Kids[2 0 R] /Count 1>>"}), id="a tree of pages in a circle"),
        pytest.param(
            pdf({1: CATALOG, 2: b"<</Type/Pages /Kids[3 0 R] /Count 1>>", 3: PAGE, 4: DRAWS, 5: CIRCLE}),
            id="a form that draws itself",
        ),
        pytest.param(
            pdf(
                {
                    1: CATALOG,
                    2: b"<</Type/Pages /Kids[3 0 R] /Count 1>>",
                    3: PAGE,
                    4: b"<</Filter/FlateDecode /Length %d>>\nstream\n%s\nendstream" % (len(FLATE), FLATE),
                }
            ),
            id="120 MB in one stream",
        ),
        pytest.param(pdf({1: CATALOG, 2: b"<</Type/Pages /Kids[3 0 R] /Count 1>>", 3: PAGE}, tail=b""), id="no end"),
        pytest.param(
            b"%PDF-1.7\nxref\n0 1\ntrailer <</Root 1 0 R /Prev 9>>\nstartxref\n9\n%%EOF",
            id="a table that leads to itself",
        ),
        pytest.param(
            pdf(
                {1: CATALOG, 2: b"<</Type/Pages /Kids[" + b"3 0 R " * 100_000 + b"] /Count 100000>>", 3: PAGE, 4: DRAWS}
            ),
            id="100,000 pages",
        ),
        pytest.param(pdf({1: CATALOG, 2: b"[" * 200_000}), id="200,000 open brackets"),
        pytest.param(
            pdf(
                {1: CATALOG}
                | {n: b"<</Type/Pages /Kids[%d 0 R %d 0 R] /Count 9>>" % (n + 1, n + 1) for n in range(2, 40)}
                | {40: b"<</Type/Page /Parent 39 0 R /MediaBox[0 0 99 99]>>"}
            ),
            id="a tree of pages of 2 to the 38 ways",
        ),
        pytest.param(
            pdf(
                {
                    1: CATALOG,
                    2: b"<</Type/ObjStm /N 1 /First 4 /Extends 2 0 R /Length 9>>\nstream\n2 0 <<>> \nendstream",
                }
            ),
            id="a stream of objects that holds itself",
        ),
    ],
)
def test_a_pdf_in_circles_or_without_end_has_a_code_in_time(data: bytes, attached: Attached) -> None:
    assert attached(data, "run.pdf") is not None


def test_of_a_pdf_the_first_1000_pages_are_read(parsed: Parsed) -> None:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 100))
    for number in range(1, 1003):
        if number in {1000, 1001}:
            canvas.drawString(20, 50, f"XS2641318121 XYZ 7 PERP 9{number - 1000}.25/9{number - 1000}.75")
        canvas.showPage()
    canvas.save()
    head = b"From: a@b.example\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n"
    outcome = parsed(head + base64.encodebytes(out.getvalue()))
    assert [(quote.page, str(quote.bid)) for quote in outcome.quotes] == [(1000, "90.25")]
    assert "beyond the limits" in outcome.parts[0].detail


def test_a_pdf_that_names_a_character_map_by_path_runs_none(attached: Attached, tmp_path: Path) -> None:
    assert tuple(map(int, version("pdfminer.six").split(".")[:1])) >= (20251230,)

    class Deed:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "ran",)

    (tmp_path / "evil.pickle.gz").write_bytes(gzip.compress(pickle.dumps(Deed())))
    name = str(tmp_path / "evil").replace("/", "#2F").encode()
    font = (
        b"<</Type/Font /Subtype/Type0 /BaseFont/X /Encoding/"
        + name
        + b" /DescendantFonts[<</Type/Font /Subtype/CIDFontType0 /BaseFont/X /CIDSystemInfo<</Registry("
        + str(tmp_path).encode()
        + b"/)/Ordering(evil)>> /FontDescriptor<<>>>>]>>"
    )
    page = b"<</Type/Page /Parent 2 0 R /MediaBox[0 0 99 99] /Contents 4 0 R /Resources<</Font<</F 5 0 R>>>>>>"
    text = b"BT /F 9 Tf (98.25) Tj ET"
    objects = {
        1: CATALOG,
        2: b"<</Type/Pages /Kids[3 0 R] /Count 1>>",
        3: page,
        4: b"<</Length %d>>\nstream\n%s\nendstream" % (len(text), text),
        5: font,
    }
    attached(pdf(objects), "map.pdf")
    from parsers.documents.pdf.second import pdfminer_pages

    list(pdfminer_pages(pdf(objects), 10))  # and by the engine that had the fault, without the walls
    assert not (tmp_path / "ran").exists()


def test_a_pdf_that_is_locked_or_has_no_text_says_so(attached: Attached) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    def drawn(password: str | None) -> bytes:
        out = io.BytesIO()
        canvas = Canvas(out, encrypt=StandardEncryption(password) if password else None)
        canvas.rect(50, 50, 90, 90, fill=1)
        canvas.save()
        return out.getvalue()

    assert attached(drawn("secret"), "locked.pdf") is Code.PASSWORD_PROTECTED
    assert attached(drawn(None), "scan.pdf") is Code.IMAGE_ONLY


def word(xml: bytes, *, twice: bool = False) -> bytes:
    plain, out = io.BytesIO(), io.BytesIO()
    docx.Document().save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, xml if name == "word/document.xml" else source.read(name))
        if twice:
            with pytest.warns(UserWarning, match="Duplicate name"):
                target.writestr("word/document.xml", xml)
    return out.getvalue()


def test_a_word_file_may_nest_name_twice_and_point_outside(attached: Attached) -> None:
    def document(body: str) -> bytes:
        return f'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>'.encode()

    deep = "<w:tbl><w:tr><w:tc>" * 100_000 + "</w:tc></w:tr></w:tbl>" * 100_000
    assert attached(word(document(deep)), "deep.docx") is not None
    assert attached(word(document("<w:p><w:r><w:t>hello there</w:t></w:r></w:p>"), twice=True), "twice.docx") in CLEAN
    link = '<w:p><w:fldSimple w:instr="INCLUDETEXT http://192.0.2.1/x"><w:r><w:t>hello there</w:t></w:r></w:fldSimple></w:p>'
    assert attached(word(document(link)), "link.docx") in CLEAN


def test_an_rtf_may_nest_and_lie_about_its_lengths(attached: Attached) -> None:
    assert attached(b"{\\rtf1 " + b"{" * 10_000 + b"hello" + b"}" * 10_000 + b"}", "deep.rtf") in CLEAN
    assert attached(b"{\\rtf1 hello \\bin999999999 x}", "bin.rtf") in CLEAN
    assert attached(b"{\\rtf1 hello \\bin-5 there}", "bin.rtf") in CLEAN


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"<table><tr><td colspan=2147483648 rowspan=2147483648>x</td><td>y</td></tr></table>", id="spans"),
        pytest.param(
            b"<img src='http://192.0.2.1/x.png'><script src='//192.0.2.1/x.js'>while(1){}</script>hello", id="outside"
        ),
        pytest.param(b"<a " + b"x=1 " * 500_000 + b">hello</a>", id="attributes"),
    ],
)
def test_a_page_is_read_within_bounds_and_nothing_is_fetched(page: bytes, parsed: Parsed) -> None:
    outcome = parsed(b"From: a@b.example\nContent-Type: text/html\n\n<html><body>" + page)
    assert [part.code for part in outcome.parts] in ([Code.NO_QUOTE_CONTENT], [None])
    assert not outcome.quotes


@pytest.mark.parametrize("opened", [b"<div>" * 1_000_000, b"<table>" * 50_000, b"<b>" * 3_000])
def test_a_page_that_nests_deeper_than_can_be_read_says_so(opened: bytes, parsed: Parsed) -> None:
    head = b"From: a@b.example\nContent-Type: text/html\n\n<html><body>"
    run = b"<p>BACR 5.2 05/26 T+85/80 5x5</p>"
    assert [part.code for part in parsed(head + opened + run).parts] == [Code.CORRUPT_PART]
    before = parsed(head + run + opened + run)
    assert [str(quote.bid) for quote in before.quotes] == ["85"]
    assert "beyond the limits" in before.parts[0].detail
    assert len(parsed(head + b"<b>" * 300 + run).quotes) == 1


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(b"a,b\n" + b"1," + b"x" * 40_000_000, id="a line without end"),
        pytest.param(b",".join([b"1"] * 1_000_000) + b"\n1,2\n", id="a million columns"),
    ],
)
def test_a_csv_is_read_within_bounds(table: bytes, attached: Attached) -> None:
    assert attached(table, "run.csv") is Code.PART_TOO_LARGE
    assert attached(b"a,b\n1,\0\0\n2,3\n" * 3, "run.csv") in {Code.NO_QUOTE_CONTENT, Code.UNSUPPORTED_TYPE}


def test_quotes_that_are_never_closed_lose_no_row_of_a_csv(parsed: Parsed) -> None:
    rows = b"".join(b'"XS2641318121,XYZ 7 PERP,%d.25,%d.75\n' % (at, at) for at in range(90, 99))
    head = b"From: a@b.example\nContent-Type: text/csv\n\n"
    outcome = parsed(head + b"ISIN,Security,Bid,Ask\n" + rows)
    assert [int(quote.bid or 0) for quote in outcome.quotes] == list(range(90, 99))


def test_a_member_packed_by_lzma_that_is_damaged_or_asks_for_all_memory_costs_itself_alone(
    parsed: Parsed, zipped: Zipped
) -> None:
    def packed(at: int, said: bytes) -> bytes:
        out = io.BytesIO(zipped(run_txt=b"XS2641318121 XYZ 7 PERP 98.25/98.75"))
        with zipfile.ZipFile(out, "a", zipfile.ZIP_LZMA) as target:
            target.writestr("other.txt", b"x" * 1000)
        data = bytearray(out.getvalue())
        properties = data.index(b"\x09\x04\x05\x00\x5d") + 4  # how it is packed, then the size of the dictionary
        data[properties + at : properties + at + len(said)] = said
        return bytes(data)

    head = b"From: a@b.example\nContent-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n"
    for at, said, codes in ((1, b"\xff" * 4, {None, Code.ARCHIVE_LIMIT}), (0, b"\xff", {Code.CORRUPT_PART})):
        outcome = parsed(head + base64.encodebytes(packed(at, said)))
        assert [str(quote.bid) for quote in outcome.quotes] == ["98.25"]
        assert outcome.parts[-1].code in {*codes, Code.NO_QUOTE_CONTENT} - (
            {Code.NO_QUOTE_CONTENT} if at == 0 else set()
        )


def test_columns_hidden_from_below_the_first_take_no_memory(attached: Attached) -> None:
    sheet = f'<worksheet {BOOK}><cols><col min="-999999999" max="5" hidden="1"/></cols><sheetData/></worksheet>'
    assert attached(workbook(xl__worksheets__sheet1_xml=sheet.encode()), "cols.xlsx") in CLEAN


@pytest.mark.parametrize("kind", ["zip", "gz", "tar", "7z"])
def test_what_an_archive_holds_is_read_inside_the_walls(kind: str, parsed: Parsed, zipped: Zipped) -> None:
    run, out = b"XS2641318121 XYZ 7 PERP 98.25/98.75\n", io.BytesIO()
    if kind == "tar":
        with tarfile.open(fileobj=out, mode="w") as tar:
            member = tarfile.TarInfo("run.txt")
            member.size = len(run)
            tar.addfile(member, io.BytesIO(run))
    if kind == "7z":
        with py7zr.SevenZipFile(out, "w") as archive:
            archive.writestr(run, "run.txt")
    data = {"zip": zipped(run_txt=run), "gz": gzip.compress(run)}.get(kind) or out.getvalue()
    head = f"From: a@b.example\nContent-Type: application/x; name=run.{kind}\nContent-Transfer-Encoding: base64\n\n"
    assert [str(quote.bid) for quote in parsed(head.encode() + base64.encodebytes(data)).quotes] == ["98.25"]
