from __future__ import annotations

import pytest

from parsers.document import Line
from parsers.quotes.headings.heeding import under
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.lines.block import block_of
from parsers.quotes.runs.quoted.understanding import MAX_TOKENS, Understood, understood


def read(text: str, setting: Setting | None = None, default_class: str | None = None) -> Understood:
    return understood(text, setting or Setting(), block_of([Line(1, text, 0)]), default_class)


@pytest.mark.parametrize(
    ("line", "heading", "name"),
    [
        ("2Y  4.125 10/31/28   99-28+ / 99-29", "US Treasuries closes", "2Y 4.125 10/31/28"),
        ("1000 CALIFORNIA ST 5 10/01/38 @ 3.45", "Offerings", "CALIFORNIA ST 5 10/01/38"),
        ("500 F 5 03/34 98/99", "FORD", "F 5 03/34"),
        ("5 NOTES 03/34 98/99", "FORD", "FORD 5 NOTES 03/34"),
        ("5 03/34 98/99", "FORD", "FORD 5 03/34"),
    ],
)
def test_neither_a_quantity_nor_a_heading_without_an_issuer_is_in_a_bonds_name(
    line: str, heading: str, name: str
) -> None:
    assert read(line, under(Setting(), heading)).reading.named.name == name


@pytest.mark.parametrize(
    ("text", "asset_class"),
    [
        ("XYZ 1 03/28 104/105 vs 42.10 55d", "convertible"),
        ("BAC 5 03/34 T+85/80", "corp_ig"),
    ],
)
def test_the_notation_tells_the_class_where_no_heading_does(text: str, asset_class: str) -> None:
    line = read(text)
    assert (line.asset_class, line.class_source) == (asset_class, "notation")


def test_points_up_front_are_a_cds_under_any_heading() -> None:
    line = read("AAL 5y 12.5/13.5 pts up +500", Setting(section="corp_hy"))
    assert (line.asset_class, line.class_source) == ("cds_single", "notation")


def test_a_heading_goes_before_the_senders_class() -> None:
    text = "XYZ 5 03/34 98/99"
    assert read(text, Setting(section="corp_hy"), "us_muni").asset_class == "corp_hy"
    assert read(text, None, "us_muni").asset_class == "us_muni"


def test_a_bond_without_a_name_takes_that_of_the_issuer_above() -> None:
    assert read("5 03/34 98/99", Setting(issuer="XYZ")).reading.named.name.startswith("XYZ ")


def test_a_line_of_more_tokens_than_a_run_has_is_not_read() -> None:
    assert read("98/99 " * (MAX_TOKENS + 1)).reading.marks == []


def test_a_second_instrument_is_pointed_at() -> None:
    text = "BAC 5 03/34 T+85/80 JPM 4.9 07/33 T+72/69"
    assert [text[at:] for at in read(text, Setting(section="corp_ig")).others] == ["JPM 4.9 07/33 T+72/69"]
