from __future__ import annotations

import pytest

from parsers.quotes.answers.named import Habits, Named
from parsers.quotes.lexer.token import Kind, Token
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.promoting import promote
from parsers.values.separators import Locale

BOND = Named(name="XYZ 5 03/34", coupon="5", maturity="03/34")


def levels(text: str, named: Named = BOND, habits: Habits | None = None) -> list[str]:
    found: list[Token] = tokens(text, [])
    promote(found, named, Locale.point, habits or Habits())
    return [token.text for token in found if token.kind is Kind.level]


def test_two_lone_numbers_close_to_each_other_are_a_market() -> None:
    assert levels("XYZ 5 03/34 98.25   98.75") == ["98.25 / 98.75"]
    assert levels("XYZ 5 03/34 98.25   45") == []


def test_to_between_two_numbers_right_behind_a_bond_joins_them() -> None:
    assert levels("XYZ 5 03/34 97 to 98") == ["97 / 98"]
    assert levels("XYZ 5 03/34 moved 97 to 98") == []
    assert levels("XYZ 5 03/34 97 to 45") == []


@pytest.mark.parametrize("text", ["XYZ 5 03/34 98 bid", "XYZ 5 03/34 bid 98", "XYZ 5 03/34 98 dm"])
def test_a_word_beside_a_number_makes_it_a_level(text: str) -> None:
    assert levels(text) in (["98"], ["98 dm"])


def test_coupon_and_maturity_are_no_levels() -> None:
    assert levels("XYZ 5 03/34") == []


def test_a_month_that_is_not_the_maturity_is_a_pair_of_small_numbers() -> None:
    assert levels("XYZ 5 03/34 10/12") == ["10/12"]


def test_a_bare_number_behind_words_that_name_nothing_is_no_level() -> None:
    assert levels("see you 98.5", Named()) == []
    assert levels("Some Loan 98.5", Named(), Habits(known=True)) == ["98.5"]
