from __future__ import annotations

from parsers.codes import Flag
from parsers.values.locales import MAX_TEXT, block_locale, numerals
from parsers.values.separators import Locale


def test_one_token_with_both_separators_settles_the_block() -> None:
    assert block_locale(["1.234,56", "1.234"]) == (Locale.comma, frozenset())


def test_decimals_that_are_not_three_settle_the_block() -> None:
    assert block_locale(["99,845", "103,55"]) == (Locale.comma, frozenset())


def test_among_prices_three_digits_are_decimals() -> None:
    assert block_locale(["98,125", "99,250"], prices=True) == (Locale.comma, frozenset())


def test_the_language_decides_only_what_nothing_else_does_and_is_flagged() -> None:
    assert block_locale(["1.234"], language="de") == (Locale.comma, frozenset({Flag.locale_assumed}))
    assert block_locale(["98"], language="de") == (Locale.comma, frozenset())


def test_the_default_is_the_point() -> None:
    assert block_locale([]) == (Locale.point, frozenset())


def test_mixed_evidence_is_flagged_where_a_token_depends_on_it() -> None:
    assert block_locale(["98.25", "98,25", "1,234"]) == (Locale.point, frozenset({Flag.ambiguous_number}))


def test_a_comma_between_two_prices_is_no_evidence() -> None:
    assert numerals("98.25,98.75 and 99,5") == ["99,5"]


def test_a_size_of_three_digits_behind_its_mark_is_no_evidence() -> None:
    assert numerals("34531QAD1 12,500M 1,500MM 25.000 k 98,125 b 2,5m") == ["34531", "98,125", "2,5"]


def test_what_stands_far_back_in_a_text_says_nothing() -> None:
    assert numerals("x" * MAX_TEXT + " 1.234,5") == []
