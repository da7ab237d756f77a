from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.codes import Flag
from parsers.values.separators import Locale
from parsers.values.sizes import UNIT, UNIT_WORD, SizeRules, size, size_pair, unit_word

RUN = SizeRules()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5mm", 5_000_000),
        ("€5m", 5_000_000),
        ("500 mil", 500_000),
        ("1.5bn", 1_500_000_000),
        ("1.5 billion", 1_500_000_000),
        ("10k", 10_000),
        ("3mm+", 3_000_000),
        ("USD 2 mio", 2_000_000),
        ("250,000", 250_000),
    ],
)
def test_units_multiply(text: str, value: int) -> None:
    found = size(text, RUN)
    assert found is not None
    assert found.value == value


def test_a_german_size_has_a_decimal_comma() -> None:
    found = size("2,5 Mio.", SizeRules(Locale.comma))
    assert found is not None
    assert found.value == 2_500_000


def test_a_bare_size_is_in_millions_and_flagged_unless_a_header_says() -> None:
    found = size("5", RUN)
    assert found is not None
    assert (found.value, found.flags) == (Fraction(5_000_000), frozenset({Flag.size_unit_assumed}))
    headed = size("5", SizeRules(multiplier=1000))
    assert headed is not None
    assert (headed.value, headed.flags) == (Fraction(5000), frozenset())


def test_a_range_counts_its_lower_end() -> None:
    for text in ("2-4mm", "2/4mm up"):
        found = size(text, RUN)
        assert found is not None
        assert (found.value, found.flags) == (Fraction(2_000_000), frozenset({Flag.size_range}))


def test_a_factor_and_a_currency_are_kept() -> None:
    found = size("10mm of .18", RUN)
    assert found is not None
    assert (found.value, found.factor) == (Fraction(10_000_000), Fraction("0.18"))
    printed = size("€5m", RUN)
    assert printed is not None
    assert printed.currency == "EUR"


@pytest.mark.parametrize(
    ("text", "bid", "ask"),
    [
        ("5mm x 10mm", 5_000_000, 10_000_000),
        ("5x10", 5_000_000, 10_000_000),
        ("5 x 10k", 5_000, 10_000),
        ("50x100mm", 50_000_000, 100_000_000),
        ("5MM X", 5_000_000, None),
        ("x 30k shs", None, 30_000),
        ("10/20", 10_000_000, 20_000_000),
    ],
)
def test_an_x_parts_bid_from_ask_and_the_last_unit_carries_back(text: str, bid: int | None, ask: int | None) -> None:
    found = size_pair(text, RUN)
    assert found is not None
    assert (found.bid.value if found.bid else None, found.ask.value if found.ask else None) == (bid, ask)


def test_m_is_a_thousand_where_the_block_or_its_class_says_so() -> None:
    assert unit_word("M", RUN) == 1_000_000
    assert unit_word("M", SizeRules(m_is_thousand=True)) == 1000
    found = size_pair("X 300M", SizeRules(m_is_thousand=True))
    assert found is not None
    assert found.ask is not None
    assert found.ask.value == 300_000


@pytest.mark.parametrize("text", ["", "x", "abc", "5q", "5mm x abc", "4-2mm"])
def test_what_is_no_size_is_none(text: str) -> None:
    assert size_pair(text, RUN) is None


@given(st.text(max_size=70))
def test_no_text_makes_it_raise(text: str) -> None:
    size_pair(text, RUN)


@pytest.mark.parametrize("code", ["TRY", "HKD", "CNH", "MXN"])
def test_a_size_may_print_any_currency_that_dealers_print(code: str) -> None:
    found = size(f"{code} 5mm", RUN)
    assert found is not None
    assert (int(found.value), found.currency) == (5_000_000, code)


@pytest.mark.parametrize("word", [*UNIT[3:-1].split("|"), *UNIT_WORD[3:-1].split("|")])
def test_each_unit_that_a_pattern_takes_has_its_multiplier_whatever_the_header_says(word: str) -> None:
    for text in (f"7 {word}", f"7 {word.upper()}"):
        found = size(text, SizeRules(multiplier=1))
        assert found is not None
        assert found.value == 7 * (unit_word(word, RUN) or 0) > 7


@pytest.mark.parametrize(
    ("text", "value"),
    [("5 Millionen", 5_000_000), ("5 Mio", 5_000_000), ("1.500 milhoes", 1_500_000_000), ("5 mİo", None)],
)
def test_a_unit_is_the_same_however_it_is_spelled(text: str, value: int | None) -> None:
    found = size(text, SizeRules(Locale.comma, multiplier=1000))
    assert (found.value if found is not None else None) == value


@pytest.mark.parametrize(("text", "value"), [("5,000M", 5_000_000), ("999M", 999_000_000), ("1,500MM", 1_500_000_000)])
def test_a_thousand_and_more_of_m_are_thousands_as_nobody_counts_so_in_millions(text: str, value: int) -> None:
    found = size(text, SizeRules())
    assert found is not None
    assert found.value == value
    assert (Flag.size_unit_assumed in found.flags) is (text == "5,000M")


def test_a_thousand_millions_of_a_small_money_are_what_they_say() -> None:
    found = size_pair("5,000M", SizeRules(thousands_of_m=False))
    assert found is not None
    assert found.single is not None
    assert found.single.value == 5_000_000_000


def test_mi_is_a_million_in_portuguese() -> None:
    found = size_pair("2 mi", SizeRules())
    assert found is not None
    assert found.single is not None
    assert found.single.value == 2_000_000
