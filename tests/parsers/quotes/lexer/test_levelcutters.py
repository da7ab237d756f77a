from __future__ import annotations

import pytest

from parsers.quotes.lexer.conventions import PLAIN, Conventions
from parsers.quotes.lexer.tokens import tokens


def kinds(text: str, conventions: Conventions = PLAIN) -> list[tuple[str, str]]:
    return [(token.kind.value, token.text) for token in tokens(text, [], conventions)]


def test_an_m_before_the_level_is_months_among_tenors() -> None:
    assert kinds("USDBRL 3M 5.47/5.48", Conventions(tenors=True))[1] == ("tenor", "3M")
    assert kinds("ACME 3M 98/99")[1] == ("size", "3M")


def test_a_bid_alone_goes_before_a_range_of_sizes_that_would_begin_with_it() -> None:
    assert kinds("98/ 2mm") == [("level", "98/"), ("size", "2mm")]
    assert kinds("98/99 2/4mm up") == [("level", "98/99"), ("size", "2/4mm up")]


def test_a_year_or_coupon_in_front_of_an_ask_alone_is_no_bid() -> None:
    assert kinds("ACME 27 /88.125")[-1] == ("level", "/88.125")
    assert kinds("ACME 88.5 /88.75")[-1] == ("level", "88.5 /88.75")


def test_sizes_behind_a_bid_alone_are_no_ask() -> None:
    assert kinds("103.15 / 10 x 1")[0] == ("level", "103.15 /")


@pytest.mark.parametrize(
    ("text", "level"),
    [("VZ 4.329 28 +62/-", "+62/-"), ("C 5.827 35 -/+155", "-/+155"), ("GS 5.7 24 ./99.25", "./99.25")],
)
def test_a_dash_or_point_alone_is_a_side_that_is_not_there(text: str, level: str) -> None:
    assert kinds(text)[-1] == ("level", level.removeprefix("+"))


def test_how_many_lines_a_list_has_is_no_level() -> None:
    assert all(kind != "level" for kind, _ in kinds("BWIC - 3 lines"))


def test_a_number_of_millions_written_out_is_a_size() -> None:
    assert kinds("2,500,000 MAGNE")[0] == ("size", "2,500,000")


def test_the_number_of_a_line_in_a_list_belongs_to_nothing() -> None:
    assert [kinds(f"{number} MAGNE")[0] for number in ("1)", "2.", "(3)", "#4")] == [("word", "MAGNE")] * 4
