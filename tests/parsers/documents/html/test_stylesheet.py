from __future__ import annotations

import pytest

from parsers.documents.html.stylesheet import Rules, settled


def test_a_rule_holds_for_every_class_and_id_that_its_selectors_end_in() -> None:
    rules = Rules(["p.a, li.b, div #c { color: red } .a .d{display:none} td{color:blue} a.e:hover{display:none}"])
    assert [rules.declared(name, "") for name in "abde"] == ["color:red", "color:red", "display:none", ""]
    assert rules.declared("", "c") == "color:red"


def test_the_last_of_a_property_holds_and_comes_last() -> None:
    rules = Rules([".a{background:red;color:red}", ".a{background:none} .b{color:blue} #c{color:white}"])
    assert rules.declared("a", "") == "color:red;background:none"
    assert rules.declared("a b a", "c") == "background:none;color:white"


@pytest.mark.parametrize(
    ("style", "holds"),
    [
        ("display:none;display:block", "display:block"),
        ("display:none !important;display:block", "display:none"),
        ("DISPLAY: none ! IMPORTANT ; color:red; display:block!important", "color:red;display:block"),
        ("mso-style-name:x;;nothing", ""),
    ],
)
def test_an_important_value_holds_against_later_ones_that_are_not(style: str, holds: str) -> None:
    assert settled(style) == holds


def test_an_important_rule_holds_against_those_of_other_sheets_and_ids() -> None:
    rules = Rules(
        [f".a{{background:{'x' * 90} !important;display:none!important}}", ".a{display:block} #c{display:inline}"]
    )
    assert settled(rules.declared("a", "c") + ";display:block") == f"background:{'x' * 60};display:none"


def test_what_no_reader_of_it_asks_for_is_left_out() -> None:
    assert Rules([".a{mso-style-name:x;color:red;margin:0}"]).declared("a", "") == "color:red"


@pytest.mark.parametrize(
    "sheet",
    [".a{color:red}" * 20_000, "@" * 40_000, "@media x{" * 5_000, ".a," * 20_000 + ".a{color:red}", "." * 40_000],
)
def test_what_an_element_is_told_does_not_grow_with_the_sheet(sheet: str) -> None:
    assert Rules([sheet, ".a{color:red}"]).declared("a " * 5_000, "") == "color:red"
