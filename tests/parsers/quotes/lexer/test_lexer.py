from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import Kind
from parsers.quotes.lexer.tokens import tokens


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind.value, token.text) for token in tokens(text, [])]


def test_where_nothing_else_begins_a_word_does() -> None:
    assert kinds("hello there") == [("word", "hello"), ("word", "there")]


def test_a_bond_at_the_start_of_a_line_is_its_instrument_and_behind_a_level_a_benchmark() -> None:
    assert kinds("CAN 3 1/4 06/34")[0] == ("word", "CAN")
    assert kinds("62/60 CAN 3 1/4 06/34")[-1] == ("bond", "CAN 3 1/4 06/34")


def test_a_bond_behind_the_lines_own_maturity_is_a_benchmark_and_its_month_no_pair() -> None:
    assert kinds("ONT 4.15 06/34  62  60  CAN 2 7/8 06/45")[-1] == ("bond", "CAN 2 7/8 06/45")


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ("05/15/34 98", Kind.date, "05/15/34"),
        ("15.03.2034 bid", Kind.date, "15.03.2034"),
        ("15 Mar 2034", Kind.date, "15 Mar 2034"),
        ("03/34 98", Kind.month, "03/34"),
        ("10:30 run", Kind.time, "10:30"),
        ("5⅞s of 34", Kind.series, "5⅞s of 34"),
        ("5s 34", Kind.series, "5s 34"),
        ("25RR 0.4", Kind.label, "25RR"),
        ("0-3% 36", Kind.tranche, "0-3%"),
        ("3m x 10y", Kind.tenor, "3m x 10y"),
        ("5mm x 5mm", Kind.size, "5mm x 5mm"),
        ("2021-4 A1", Kind.word, "2021-4"),
        ("5 ago/50 98", Kind.number, "5"),
        ("98.25 bid", Kind.number, "98.25"),
    ],
)
def test_figures_are_what_their_form_says(text: str, kind: Kind, read: str) -> None:
    assert kinds(text)[0] == (kind, read)


def test_two_prices_by_an_x_are_no_sizes() -> None:
    assert kinds("20.41 x 20.49") == [("level", "20.41 / 20.49")]


def test_behind_a_name_what_stands_in_front_of_a_month_is_a_coupon() -> None:
    assert kinds("OAT 3 févr. 34")[1] == ("number", "3")
