from __future__ import annotations

from parsers.quotes.answers.named import Named, level_follows
from parsers.quotes.lexer.token import Kind, Token
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.values.finding import find

ISIN = "XS2641318121"


def test_coupon_and_maturity_make_a_bond_and_a_name_makes_it_certain() -> None:
    assert Named(coupon="5", maturity="03/34").is_bond
    assert not Named(coupon="5").is_bond
    assert Named(name="XYZ 5 03/34", coupon="5", maturity="03/34").is_certain
    assert not Named(coupon="5", maturity="03/34").is_certain
    assert Named(identifiers=tuple(find(ISIN))).is_certain


def test_levels_of_an_answer_take_the_instrument_above_and_keep_their_own_tenor_and_quantity() -> None:
    mark = Mark(Token(Kind.level, 0, 5, "98/99"))
    answer = Reading(named=Named(tenor="5Y", quantity="500"), marks=[mark])
    joined = answer.of(Named(name="XYZ 5 03/34", tenor="10Y", quantity="9"))
    assert joined.named == Named(name="XYZ 5 03/34", tenor="5Y", quantity="500")
    assert joined.marks == [mark]
    assert Reading().of(Named(tenor="10Y")).named.tenor == "10Y"


def follows(text: str, at: int, *, dated: bool = True) -> bool:
    return level_follows(tokens(text, []), at, dated=dated)


def test_a_level_follows_where_a_value_or_a_word_in_its_place_comes() -> None:
    assert follows("XYZ 5 98/99", 1)
    assert follows("XYZ 5 talk 98", 1)
    assert not follows("XYZ 5 Notes", 1)


def test_a_level_that_came_before_counts_and_a_margin_does_not() -> None:
    assert follows("98/99 XYZ 5", 2)
    assert not follows("BAC SOFR+104 FRN", 2)


def test_another_month_is_a_level_only_while_no_maturity_is_known() -> None:
    assert follows("XYZ 5 03/34", 1, dated=False)
    assert not follows("XYZ 5 03/34", 1, dated=True)
