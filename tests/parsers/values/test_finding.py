from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.values.finding import find


def kinds(text: str, **context: object) -> list[tuple[str, str]]:
    return [(found.kind, found.value) for found in find(text, **context)]  # type: ignore[arg-type]


def test_identifiers_are_found_left_to_right_and_a_span_is_used_once() -> None:
    assert kinds("XS2641318121 LX131555 46625HJT8 98.25", priced=True) == [
        ("isin", "XS2641318121"),
        ("loanx_id", "LX131555"),
        ("cusip", "46625HJT8"),
    ]


@pytest.mark.parametrize(
    "word", ["JAN152028", "FEB152027", "TREASURY4", "CONTRACT0", "PORTFOLI9", "212555106", "212555114", "GUARANTEED20"]
)
def test_words_that_pass_a_check_by_luck_are_not_found(word: str) -> None:
    assert kinds(f"{word} 98.25/98.75", priced=True) == []


def test_a_cusip_in_free_text_needs_a_price_a_column_or_somebody_who_looks_for_such() -> None:
    assert kinds("46625HJT8 JPM") == []
    assert kinds("46625HJT8 JPM", priced=True) == [("cusip", "46625HJT8")]
    assert kinds("46625HJT8 JPM", columns=frozenset({0})) == [("cusip", "46625HJT8")]
    assert kinds("037833100 AAPL", priced=True) == []
    assert kinds("037833100 AAPL", cusips=True) == [("cusip", "037833100")]


def test_a_label_makes_a_number_an_identifier() -> None:
    assert kinds("CUSIP: 037833100 WKN 110258") == [("cusip", "037833100"), ("wkn", "110258")]


def test_an_isin_with_a_wrong_check_digit_is_kept_and_said_to_be_wrong() -> None:
    assert [(found.kind, found.valid) for found in find("XS2641318122 98.25")] == [("isin", False)]


def test_red_codes_need_their_label() -> None:
    assert kinds("RED 2I65BY Ford") == [("red_code", "2I65BY")]
    assert kinds("2I65BY Ford") == []


def test_spans_are_those_of_the_text() -> None:
    text = "  XS2641318121 ENEL"
    found = find(text)[0]
    assert text[found.start : found.end] == "XS2641318121"


@given(st.text(max_size=200))
def test_no_text_makes_it_raise(text: str) -> None:
    find(text, priced=True, cusips=True)


def test_a_label_with_letters_that_only_a_pattern_folds_is_none_and_loses_nothing() -> None:
    found = find("CUSIP 037833100 İSIN US0378331005")
    assert [(item.kind, item.value) for item in found] == [("cusip", "037833100"), ("isin", "US0378331005")]
