from __future__ import annotations

import time

import pytest
from lxml import etree
from lxml.etree import _Element

from parsers.documents.html import style as htmlstyle
from parsers.documents.html.reader import read_html
from parsers.documents.html.style import NOTHING, PLAIN, Look, Styles, Told


def element(tag: str, **attributes: str) -> _Element:
    return etree.Element(tag, {name.rstrip("_"): value for name, value in attributes.items()})


def told(tag: str, style: str = "", **attributes: str) -> Told:
    return Styles([]).told(element(tag, style=style, **attributes))


def test_the_elements_own_style_comes_after_the_rules_of_its_classes() -> None:
    styles = Styles([".red { color: white } td.num{color:blue}", ".red { font-weight: 700 }"])
    assert styles.told(element("td", class_="red")) == Told(white=True, bold=True)
    assert styles.told(element("td", class_="red", style="color:red")) == Told(white=False, bold=True)
    assert styles.told(element("td", class_="other")) is NOTHING


def test_rules_for_some_screens_only_are_no_rules() -> None:
    sheet = """@import "x.css"; @media only screen and (max-width:600px){.wide{display:none !important} td{color:red}}
      @media print { } @font-face{font-family:x} .num{color:blue}"""
    styles = Styles([sheet])
    assert styles.told(element("div", class_="wide")) is NOTHING
    assert styles.told(element("div", class_="num")) == Told(white=False)


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("display : NONE", True),
        ("visibility:hidden", True),
        ("visibility:collapse", True),
        ("mso-hide:all", True),
        ("max-height:0; overflow:hidden", True),
        ("width:0px;height:0px;overflow:hidden", True),
        ("transform: rotate(5deg) scale(0)", True),
        ("transform:scale(1, 0)", True),
        ("transform:scaleX(0.0)", True),
        ("transform:scale(0.9)", False),
        ("transform:scale(1.0)", False),
        ("scale:0", True),
        ("scale:0.9", False),
        ("opacity:0.00", True),
        ("opacity:0.5", False),
        ("max-height:0", False),
        ("max-height:0.5em;overflow:hidden", False),
        ("line-height:0;overflow:hidden", False),
        ("position:absolute;left:-9999px", True),
        ("text-indent:-999em", True),
        ("left:-100px", False),
        ("position:absolute;clip:rect(0, 0, 0, 0)", True),
        ("clip-path:inset(100%)", True),
        ("display:block", False),
        ("display:none; display:block", False),
        ("x-display:none", False),
        ("", False),
    ],
)
def test_hidden_is_what_takes_no_place(style: str, hidden: bool) -> None:
    assert told("p", style).hidden is hidden
    assert told("p", style, hidden="").hidden


def test_struck_and_bold_are_said_by_tag_or_by_style() -> None:
    assert [told(tag).struck for tag in ("s", "strike", "del", "ins")] == [True, True, True, False]
    assert told("td", "text-decoration: underline line-through").struck
    assert [told(tag).bold for tag in ("b", "strong", "th", "td")] == [True, True, True, None]
    weights = ("bold", "600", "400", "inherit")
    assert [told("td", f"font-weight:{weight}").bold for weight in weights] == [True, True, False, None]


@pytest.mark.parametrize("colour", ["white", "#FFF", "rgb(255, 255, 255)", "transparent", "windowtext", "none"])
def test_the_pages_own_colour_is_no_fill(colour: str) -> None:
    assert not told("td", bgcolor=colour).filled
    assert not told("td", f"background: {colour} !important").filled


def test_the_last_background_holds() -> None:
    assert told("td", "background:white;background-color:#eee").filled
    assert told("td", "background:#eee;background-image:none").filled
    assert told("td", "background:#eee;background-color:white").filled is False


def test_a_background_is_no_text_colour() -> None:
    assert told("td", "background-color:white").white is None
    assert told("td", "border:0; color: #ffffff").white


def test_cells_grow_with_what_stands_in_them() -> None:
    assert not told("td", "height:0;overflow:hidden").hidden


@pytest.mark.parametrize("colour", ["transparent", "rgba(0, 0, 0, 0)", "#00000000", "#fff0"])
def test_text_of_no_colour_is_not_seen_on_any_ground(colour: str) -> None:
    assert told("p", f"color:{colour}").inside(Look(filled=True)).unseen
    assert not told("p", "color:black").inside(told("div", f"color:{colour}").inside(PLAIN)).unseen


def test_text_of_no_size_may_hold_text_of_some() -> None:
    gap = told("td", "font-size:0").inside(PLAIN)
    assert gap.sizeless
    assert NOTHING.inside(gap).sizeless
    assert not told("span", "font-size:12px").inside(gap).sizeless
    assert told("span", "font-size:100%").inside(gap).sizeless


@pytest.mark.parametrize(
    ("size", "is_none"),
    [("1px", True), (".1em", True), ("1%", True), ("0.001pt", True), ("7pt", False), ("0.6em", False), (".", False)],
)
def test_text_too_small_for_any_eye_has_no_size(size: str, is_none: bool) -> None:
    assert told("span", f"font-size:{size}").hidden is is_none
    assert told("td", f"font-size:{size}").sizeless is is_none


def test_rules_for_an_id_hold_for_its_element() -> None:
    assert Styles(["#x{display:none}"]).told(element("tr", id="x")).hidden


def test_what_says_nothing_looks_as_what_is_around_it() -> None:
    around = Look(struck=True, bold=True, white=True, filled=True)
    assert NOTHING.inside(around) == around
    assert told("td", "color:inherit", bgcolor="transparent").inside(around) == around
    assert told("tbody", "text-decoration:line-through;color:#fff").inside(PLAIN) == Look(struck=True, white=True)


def test_an_own_colour_or_weight_holds_whatever_is_around() -> None:
    around = Look(bold=True, white=True, filled=True)
    assert told("td", "color:red;background:white;font-weight:normal").inside(around) == PLAIN


def test_quotes_are_known_by_the_marks_of_the_mail_programs() -> None:
    assert htmlstyle.is_quote(element("blockquote", type="CITE"))
    assert htmlstyle.is_quote(element("div", class_="x Gmail_Quote"))
    assert htmlstyle.is_quote(element("div", id="OLK_SRC_BODY_SECTION"))
    assert not htmlstyle.is_quote(element("blockquote"))
    assert htmlstyle.opens_history(element("div", id="divRplyFwdMsg"))
    assert not htmlstyle.opens_history(element("div", id="main"))


@pytest.mark.parametrize(
    "page",
    [
        b"<style>" + b"@" * 300_000 + b"</style>x",
        b"<span style='font-size:" + b"0" * 300_000 + b"q'>x</span>",
        b"<span style='opacity:" + b"0." * 150_000 + b"q'>x</span>",
        b"<style>" + b".a," * 100_000 + b"{opacity:0}</style>x",
    ],
    ids=["at", "zeros", "points", "selectors"],
)
def test_styles_without_end_take_no_time(page: bytes) -> None:
    began = time.process_time()
    read_html(page)
    assert time.process_time() - began < 2
