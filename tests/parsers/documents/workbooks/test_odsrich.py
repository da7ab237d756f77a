from __future__ import annotations

import pytest
from lxml import etree

from parsers.documents.workbooks.looks import Font
from parsers.documents.workbooks.odsrich import font_of, rich_cell

STYLES: dict[str | None, Font] = {"up": Font(raised=True), "off": Font(struck=True), "plain": Font()}


def shown(inside: str, *, struck: bool = False) -> tuple[str, bool] | None:
    cell = etree.fromstring(f'<c xmlns:t="text" xmlns:o="office">{inside}</c>')
    text = rich_cell(cell, STYLES)
    return text.standing(struck=struck) if text else None


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("<t:p>98.25</t:p>", None),
        ('<t:p>98.25<t:span t:style-name="plain">1</t:span></t:p>', None),
        ('<t:p>98.25<t:span t:style-name="up">1</t:span></t:p>', ("98.25¹", False)),
        ('<t:p><t:span t:style-name="off">97<t:s t:c="2"/></t:span>98<t:tab/>99</t:p>', (" 98 99", False)),
        ('<t:p>98</t:p><t:p>99<t:span t:style-name="up">2</t:span></t:p>', ("98\n99²", False)),
        ('<t:p>98<o:annotation><t:p>97</t:p></o:annotation><t:span t:style-name="up">2</t:span></t:p>', ("98²", False)),
        ('<t:p><t:span t:style-name="off"><t:span t:style-name="gone">97</t:span></t:span></t:p>', ("97", True)),
    ],
)
def test_parts_of_a_cell_are_as_their_styles_say(inside: str, found: tuple[str, bool] | None) -> None:
    assert shown(inside) == found


@pytest.mark.parametrize(
    ("said", "font"),
    [
        ({}, Font(struck=True, raised=True)),
        ({"text-position": "0% 100%", "text-line-through-style": "none"}, Font()),
        ({"text-position": "33% 58%", "text-line-through-type": "none"}, Font(raised=True)),
        ({"text-position": "sub 58%", "text-line-through-style": "solid"}, Font(struck=True, raised=True)),
    ],
)
def test_a_style_says_what_it_says_and_the_one_above_the_rest(said: dict[str, str], font: Font) -> None:
    marks = etree.Element("m", {f"{{style}}{name}": value for name, value in said.items()})
    assert font_of(marks, Font(struck=True, raised=True)) == font
