"""Figures that are told by their form alone."""

from __future__ import annotations

import pytest

from parsers.quotes.runs.behind import BEHIND
from parsers.quotes.runs.cutline import CutLine
from parsers.quotes.runs.figurecutters import formed
from parsers.quotes.runs.token import (
    DATE,
    LABEL,
    LEVEL,
    MONTH,
    NUMBER,
    SERIES,
    SIZE,
    TENOR,
    TIME,
    TRANCHE,
    WORD,
    Kind,
    Token,
)


def cut(text: str, *before: Token) -> Token | None:
    line = CutLine(text, ticks=False, curves=False, found=list(before))
    behind = BEHIND.match(text)
    assert behind is not None
    return formed(line, 0, behind)


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ("05/15/34 98", DATE, "05/15/34"),
        ("15.03.2034 bid", DATE, "15.03.2034"),
        ("15 Mar 2034", DATE, "15 Mar 2034"),
        ("03/34 98", MONTH, "03/34"),
        ("10:30 run", TIME, "10:30"),
        ("5⅞s of 34", SERIES, "5⅞s of 34"),
        ("5s 34", SERIES, "5s 34"),
        ("25RR 0.4", LABEL, "25RR"),
        ("0-3% 36", TRANCHE, "0-3%"),
        ("3m x 10y", TENOR, "3m x 10y"),
        ("5mm x 5mm", SIZE, "5mm x 5mm"),
        ("2021-4 A1", WORD, "2021-4"),
        ("5 ago/50 98", NUMBER, "5"),
        ("98.25 bid", None, None),
    ],
)
def test_figures_are_what_their_form_says(text: str, kind: Kind | None, read: str | None) -> None:
    token = cut(text)
    assert (token.kind, token.text) == (kind, read) if token is not None else kind is None


def test_two_prices_by_an_x_are_no_sizes() -> None:
    token = cut("20.41 x 20.49")
    assert token is not None
    assert token.kind is LEVEL


def test_behind_a_name_what_stands_in_front_of_a_month_is_a_coupon() -> None:
    token = cut("3 févr. 34", Token(WORD, 0, 0, "OAT"))
    assert token is not None
    assert (token.kind, token.text) == (NUMBER, "3")
