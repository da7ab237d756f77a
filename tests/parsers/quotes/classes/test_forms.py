from __future__ import annotations

import pytest

from parsers.quotes.classes import class_by_deal, class_by_instrument, is_of_class


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T 4 1/4 05/15/34", "govt_us"),
        ("NTN-B 15/05/2035", "inflation_linked"),
        ("Mbono nov-38", "govt_latam_local"),
        ("FNCL 5.5 Dec", "tba_mbs"),
        ("IG45 5y 0-3%", "cds_tranche"),
        ("Europe Main S46 3-6%", "cds_tranche"),
        ("0-3%", "cds_tranche"),
        ("Store hours 9-5, 20-30% off", None),  # a range in percent alone is no tranche
        ("IG45 5y", "cds_index"),
        ("BBCMS 2023-C19 A5", "cmbs"),
        ("EURUSD 1M 25RR", "fx_option"),
        ("USDBRL 3M NDF", "fx_forward"),
        ("Hello world", None),
    ],
)
def test_an_instruments_text_has_the_form_of_its_class(text: str, expected: str | None) -> None:
    assert class_by_instrument(text) == expected


def test_a_strong_form_is_said_by_few() -> None:
    assert class_by_instrument("NTN-B 15/05/2035", strong=True) == "inflation_linked"
    assert class_by_instrument("T 4 1/4 05/15/34", strong=True) is None


def test_a_deal_is_known_by_its_shelf() -> None:
    assert class_by_deal("AMCAR 2024-1 C") == "abs"
    assert class_by_deal("QQQQ 2024-1 C") is None
    assert is_of_class("AMCAR 2024-1 C", "abs")


def test_a_tranche_of_a_deal_in_words_is_of_the_class_that_is_asked_for() -> None:
    assert is_of_class("CVC Cordatus XX D", "clo")
    assert not is_of_class("CVC Cordatus XX D", "corp_hy")
    assert not is_of_class("Call Jim II for details", "clo")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Autocall UBS 7%", "structured_note"), ("10Y callable fixed note", "structured_note")],
)
def test_a_note_is_known_by_what_it_pays(text: str, expected: str) -> None:
    assert class_by_instrument(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("OAT€i 0,10 07/36", "inflation_linked"), ("Avaya Post-reorg equity", "warrant_equity"), ("OAT 3 05/34", None)],
)
def test_some_forms_leave_no_doubt_whatever_stands_above(text: str, expected: str | None) -> None:
    assert class_by_instrument(text, strong=True) == expected
