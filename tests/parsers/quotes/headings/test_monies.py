from __future__ import annotations

import pytest

from parsers.quotes.headings.monies import bracketed, currency, in_name


@pytest.mark.parametrize(
    ("text", "near", "expected"),
    [
        ("US HY (USD)", True, "USD"),
        ("EUR AT1", True, "EUR"),
        ("Canada benchmarks, all in CAD, sizes in $mm", False, "CAD"),
        ("CRT run, USD. Spreads unch", False, "USD"),
        ("EURUSD implied vols (%), premium ccy USD", True, "USD"),
        ("All marks are mids in GBP as of close", False, "GBP"),
        ("Everything below is in USD and indicative", False, "USD"),
        ("US CP levels", True, "USD"),
        ("US Par Loans", True, "USD"),
        ("Treasury repo", True, "USD"),
        ("USD/BRL and EUR", True, None),
        ("USD weaker again overnight", False, None),
    ],
)
def test_a_currency_counts_where_it_is_stated(text: str, *, near: bool, expected: str | None) -> None:
    assert currency(text, near=near) == expected


def test_what_a_note_is_linked_to_is_not_its_currency() -> None:
    assert currency("BRL-linked 2027", near=True) is None
    assert currency("BRL notes 2027", near=True) == "BRL"


def test_a_name_may_have_its_own_currency_in_brackets() -> None:
    assert bracketed("SANTAN 9.625 PERP ($)") == "USD"
    assert bracketed("BNP 7 PERP (EUR)") == "EUR"
    assert bracketed("BNP 7 PERP (AT1)") is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [("EIB 4 33 EUR", "EUR"), ("European Investment Bank 4 33", None), ("EUR USD 5Y", None), ("Lehman Europe", None)],
)
def test_a_name_states_a_currency_by_its_code_alone(name: str, expected: str | None) -> None:
    assert in_name(name) == expected
