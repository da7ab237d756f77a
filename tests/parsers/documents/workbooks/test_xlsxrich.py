from __future__ import annotations

from parsers.documents.workbooks.looks import Font, Rich
from parsers.documents.workbooks.xlsxrich import rich_cells, rich_strings

SUPER, STRIKE = '<rPr><vertAlign val="superscript"/></rPr>', "<rPr><b/><strike/></rPr>"


def runs(*texts: tuple[str, str]) -> str:
    return "".join(f"<r>{look}<t>{text}</t></r>" for look, text in texts)


def strings(*items: str) -> dict[int, Rich]:
    return rich_strings(f"<sst>{''.join(f'<si>{item}</si>' for item in items)}</sst>".encode())


def test_what_is_raised_is_no_digit_of_the_price_before_it() -> None:
    found = strings("<t>Bid</t>", runs(("", "98.25"), (SUPER, "1")))
    assert {number: rich.standing(struck=False) for number, rich in found.items()} == {1: ("98.25¹", False)}


def test_what_is_struck_is_gone_or_is_all_there_is() -> None:
    found = strings(runs((STRIKE, "97.25 "), ("", "98.25")), runs((STRIKE, "97"), (STRIKE, ".25")))
    assert [rich.standing(struck=False) for rich in found.values()] == [(" 98.25", False), ("97.25", True)]


def test_a_part_without_a_look_of_its_own_is_struck_where_its_cell_is() -> None:
    found = strings(runs(("", "97.25 "), ("<rPr><b/></rPr>", "98.25"), (SUPER, "1")))
    assert found[0].standing(struck=True) == (" 98.25¹", False)


def test_what_is_expressly_not_struck_and_how_it_is_spoken_is_no_mark() -> None:
    plain = '<rPr><strike val="0"/><vertAlign val="baseline"/></rPr>'
    assert strings(runs((plain, "98")), f"{runs((plain, '99'))}<rPh><t>kyu</t></rPh>") == {}
    assert rich_strings(None) == {}


def test_cells_are_found_by_their_string_or_their_own_text() -> None:
    own = runs(("", "99"), (SUPER, "2"))
    sheet = f"""<worksheet><sheetData><row r="3"><c r="B3" t="s"><v>7</v></c><c r="C3" t="s"><v>8</v></c><c r="D3"><v>7</v></c>
      </row><row><c t="inlineStr"><is>{own}</is></c></row></sheetData></worksheet>"""
    rich = Rich((("98.25", None), ("1", Font(raised=True))))
    assert rich_cells(sheet.encode(), {7: rich}) == {
        (3, 2): rich,
        (4, 1): Rich((("99", None), ("2", Font(raised=True)))),
    }
    assert rich_cells(b"<worksheet/>", {}) == {}
