from __future__ import annotations

from parsers.documents.looks import Rich
from parsers.documents.xlsxrich import rich_cells, rich_strings

SUPER, STRIKE = '<rPr><vertAlign val="superscript"/></rPr>', "<rPr><b/><strike/></rPr>"


def runs(*texts: tuple[str, str]) -> str:
    return "".join(f"<r>{look}<t>{text}</t></r>" for look, text in texts)


def strings(*items: str) -> dict[int, Rich]:
    return rich_strings(f"<sst>{''.join(f'<si>{item}</si>' for item in items)}</sst>".encode())


def test_what_is_raised_is_no_digit_of_the_price_before_it() -> None:
    assert strings("<t>Bid</t>", runs(("", "98.25"), (SUPER, "1"))) == {1: Rich("98.25¹", struck=False)}


def test_what_is_struck_is_gone_or_is_all_there_is() -> None:
    found = strings(runs((STRIKE, "97.25 "), ("", "98.25")), runs((STRIKE, "97"), (STRIKE, ".25")))
    assert found == {0: Rich(" 98.25", struck=False), 1: Rich("97.25", struck=True)}


def test_what_is_expressly_not_struck_and_how_it_is_spoken_is_no_mark() -> None:
    plain = '<rPr><strike val="0"/><vertAlign val="baseline"/></rPr>'
    assert strings(runs((plain, "98")), f"{runs((plain, '99'))}<rPh><t>kyu</t></rPh>") == {}
    assert rich_strings(None) == {}


def test_cells_are_found_by_their_string_or_their_own_text() -> None:
    own = runs(("", "99"), (SUPER, "2"))
    sheet = f"""<worksheet><sheetData><row r="3"><c r="B3" t="s"><v>7</v></c><c r="C3" t="s"><v>8</v></c><c r="D3"><v>7</v></c>
      </row><row><c t="inlineStr"><is>{own}</is></c></row></sheetData></worksheet>"""
    rich = Rich("98.25¹", struck=False)
    assert rich_cells(sheet.encode(), {7: rich}) == {(3, 2): rich, (4, 1): Rich("99²", struck=False)}
    assert rich_cells(b"<worksheet/>", {}) == {}
