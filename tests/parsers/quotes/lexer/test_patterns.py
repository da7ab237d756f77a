from __future__ import annotations

import re

import pytest

from parsers.quotes.lexer import patterns


def matched(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.match(text)
    return match[0] if match is not None else None


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("98.25/75 5x5", "98.25/75"),
        ("98 1/4 - 3/4", "98 1/4 - 3/4"),
        ("98½/99¼", "98½/99¼"),
        ("par-101", "par-101"),
        ("127/", "127/"),
        ("/213", "/213"),
        ("(12)/(14)", "(12)/(14)"),
        ("NB/99", "NB/99"),
        ("98.25,98.75", "98.25,98.75"),
        ("03/15/2034", None),
        ("98.25", None),
        ("4-5y", None),
    ],
)
def test_a_pair_is_two_values_and_no_date(text: str, pair: str | None) -> None:
    assert matched(patterns.PAIR[False], text) == pair


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("103.15/  10mm x 1mm", "103.15/"),
        ("11.200/ 10000x2500", "11.200/"),
        ("98/ 2mm", "98/"),
        ("98 1/4/ 10 x 1", "98 1/4/"),
        ("98.25/ 75 2mm", "98.25/ 75"),
        ("98 / 99 x 1mm", "98 / 99"),
        ("98/99 2/4mm up", "98/99"),
        ("100.50/52 66/64dm", "100.50/52"),
    ],
)
def test_a_size_or_spread_behind_is_no_part_of_the_ask(text: str, bid: str) -> None:
    assert matched(patterns.PAIR[False], text) == bid
    assert matched(patterns.PAIR[True], text) == bid
    assert matched(patterns.SPREAD, "T+85/ 5mm x 5mm") == "T+85/"


def test_among_32nds_a_hyphen_joins_handle_and_ticks() -> None:
    assert matched(patterns.PAIR[True], "99-16+/17") == "99-16+/17"
    assert matched(patterns.PAIR[True], "99-16") is None
    assert matched(patterns.LONE[True], "99-16+") == "99-16+"
    assert matched(patterns.PAIR[False], "99-16") == "99-16"


def test_a_lone_value_is_no_part_of_a_word() -> None:
    assert matched(patterns.LONE[False], "98.5 bid") == "98.5"
    assert matched(patterns.LONE[False], "62dm") == "62"
    assert matched(patterns.LONE[False], "10yr") is None


def test_a_coupons_integer_is_not_joined_to_the_month_of_2032() -> None:
    assert matched(patterns.LONE[False], "7 10/32  98.25") == "7"
    assert matched(patterns.LONE[False], "98 10/32  5x5") == "98 10/32"


def test_a_spread_has_its_curve_in_front() -> None:
    match = patterns.SPREAD.match("T+85/80")
    assert match is not None
    assert (match["prefix"], match["body"]) == ("T", "+85/80")


@pytest.mark.parametrize(
    ("text", "size"),
    [("5mm x 10mm", "5mm x 10mm"), ("5x10", "5x10"), ("x 300M", "x 300M"), ("5MM X", "5MM X"), ("5x10y", None)],
)
def test_sizes_of_both_sides_stand_around_an_x(text: str, size: str | None) -> None:
    assert matched(patterns.SIZE_PAIR, text) == size


def test_a_yields_word_before_the_next_value_belongs_to_that_one() -> None:
    assert matched(patterns.UNIT, " yld") == " yld"
    assert matched(patterns.UNIT, " yld 6.4") is None


def test_a_months_year_is_no_first_half_of_a_pair() -> None:
    assert matched(patterns.MONTH, "05/32 98") == "05/32"
    assert matched(patterns.MONTH, "05/32.5") is None
