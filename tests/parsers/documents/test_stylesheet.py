from __future__ import annotations

import pytest

from parsers.documents.stylesheet import Rules


def test_a_rule_holds_for_every_class_and_id_that_its_selectors_end_in() -> None:
    rules = Rules(["p.a, li.b, div #c { color: red } .a .d{display:none} td{color:blue} a.e:hover{display:none}"])
    assert [rules.declared(name, "") for name in "abde"] == ["color:red", "color:red", "display:none", ""]
    assert rules.declared("", "c") == "color:red"


def test_the_last_of_a_property_holds_and_comes_last() -> None:
    rules = Rules([".a{background:red;color:red}", ".a{background:none} .b{color:blue} #c{color:white}"])
    assert rules.declared("a", "") == "color:red;background:none"
    assert rules.declared("a b a", "c") == "background:none;color:white"


def test_what_no_reader_of_it_asks_for_is_left_out() -> None:
    assert Rules([".a{mso-style-name:x;color:red;margin:0}"]).declared("a", "") == "color:red"


@pytest.mark.parametrize(
    "sheet",
    [".a{color:red}" * 20_000, "@" * 40_000, "@media x{" * 5_000, ".a," * 20_000 + ".a{color:red}", "." * 40_000],
)
def test_what_an_element_is_told_does_not_grow_with_the_sheet(sheet: str) -> None:
    assert Rules([sheet, ".a{color:red}"]).declared("a " * 5_000, "") == "color:red"
