from __future__ import annotations

import pytest
from lxml import etree
from lxml.etree import _Element

from parsers.documents import htmlstyle
from parsers.documents.htmlstyle import PLAIN, Look, Styles


def element(tag: str, **attributes: str) -> _Element:
    return etree.Element(tag, {name.rstrip("_"): value for name, value in attributes.items()})


def test_the_elements_own_style_comes_after_the_rules_of_its_classes() -> None:
    styles = Styles([".red { color: red } td.num{color:blue}", ".red { font-weight: 700 }"])
    assert [
        part.strip() for part in styles.of(element("td", class_="red", style="color:white")).split(";") if part
    ] == [
        "color: red",
        "font-weight: 700",
        "color:white",
    ]
    assert styles.of(element("td", class_="other")) == ""


def test_rules_for_some_screens_only_are_no_rules() -> None:
    sheet = """@import "x.css"; @media only screen and (max-width:600px){.wide{display:none !important} td{color:red}}
      @media print { } @font-face{font-family:x} .num{color:blue}"""
    styles = Styles([sheet])
    assert styles.of(element("div", class_="wide")) == ""
    assert "blue" in styles.of(element("div", class_="num"))


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("display : NONE", True),
        ("visibility:hidden", True),
        ("mso-hide:all", True),
        ("display:block", False),
        ("display:none; display:block", False),
        ("x-display:none", False),
        ("", False),
    ],
)
def test_hidden_is_what_takes_no_place(style: str, hidden: bool) -> None:
    assert htmlstyle.is_hidden(element("p"), style) is hidden
    assert htmlstyle.is_hidden(element("p", hidden=""), style)


def test_struck_and_bold_are_said_by_tag_or_by_style() -> None:
    assert [htmlstyle.is_struck(element(tag), "") for tag in ("s", "strike", "del", "ins")] == [True, True, True, False]
    assert htmlstyle.is_struck(element("td"), "text-decoration: underline line-through")
    assert [htmlstyle.is_bold(element(tag), "") for tag in ("b", "strong", "th", "td")] == [True, True, True, False]
    assert [htmlstyle.is_bold(element("td"), f"font-weight:{weight}") for weight in ("bold", "600", "400")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("colour", ["white", "#FFF", "rgb(255, 255, 255)", "transparent", "windowtext", "none"])
def test_the_pages_own_colour_is_no_fill(colour: str) -> None:
    assert not htmlstyle.is_filled(element("td", bgcolor=colour), "")
    assert not htmlstyle.is_filled(element("td"), f"background: {colour} !important")


def test_what_says_nothing_looks_as_what_is_around_it() -> None:
    around = Look(struck=True, bold=True, white=True, filled=True)
    assert htmlstyle.below(around, element("td"), "") is around
    assert htmlstyle.below(around, element("td", bgcolor="transparent"), "color:inherit") == around
    assert htmlstyle.below(PLAIN, element("tbody"), "text-decoration:line-through;color:#fff") == Look(
        struck=True, white=True
    )


def test_an_own_colour_or_weight_holds_whatever_is_around() -> None:
    around = Look(bold=True, white=True, filled=True)
    assert htmlstyle.below(around, element("td"), "color:red;background:white;font-weight:normal") == PLAIN


def test_the_last_background_holds() -> None:
    assert htmlstyle.is_filled(element("td"), "background:white;background-color:#eee")
    assert htmlstyle.is_filled(element("td"), "background:#eee;background-image:none")
    assert not htmlstyle.is_filled(element("td"), "background:#eee;background-color:white")


def test_a_background_is_no_text_colour() -> None:
    assert not htmlstyle.is_white(element("td"), "background-color:white")
    assert htmlstyle.is_white(element("td"), "border:0; color: #ffffff")


def test_quotes_are_known_by_the_marks_of_the_mail_programs() -> None:
    assert htmlstyle.is_quote(element("blockquote", type="CITE"))
    assert htmlstyle.is_quote(element("div", class_="x Gmail_Quote"))
    assert htmlstyle.is_quote(element("div", id="OLK_SRC_BODY_SECTION"))
    assert not htmlstyle.is_quote(element("blockquote"))
    assert htmlstyle.opens_history(element("div", id="divRplyFwdMsg"))
    assert not htmlstyle.opens_history(element("div", id="main"))
