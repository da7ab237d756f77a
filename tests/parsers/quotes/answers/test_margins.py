"""Margins of coupons, and the floors under them."""

from __future__ import annotations

import pytest

from parsers.quotes.answers.margins import take_floors, take_margin
from parsers.quotes.answers.named import Habits, Named
from parsers.quotes.lexer.token import Kind
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.line import read
from parsers.values.separators import Locale


def named(text: str, habits: Habits) -> Named:
    return read(text, tokens(text, []), Locale.point, habits).named


def test_a_margin_is_taken_out_of_the_levels() -> None:
    found = tokens("BAC FRN 27 SOFR+104 100.12/18", [])
    assert take_margin(found, Habits()) == "104"
    assert all(token.prefix != "SOFR" or token.kind is Kind.word for token in found)


def test_a_spread_behind_a_size_is_no_margin_but_a_level() -> None:
    assert take_margin(tokens("ELMW3 2019-3A BRR  5mm  S+172  100.05", []), Habits()) is None
    assert take_margin(tokens("5mm ELMW3 2019-3A BRR  S+172  100.05", []), Habits()) == "172"


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("Acme TLB 99.25/99.75 S+350", "350"),
        ("Acme TLB 99.25 bid +350 5/28", "350"),
        ("Acme TLB S+325 99.25/99.75 350dm", "325"),
        ("Acme TLB 99.25/99.75 S+350/340", None),
        ("Acme TLB S+350", None),
    ],
)
def test_a_loans_lone_spread_beside_a_price_is_its_margin_wherever_it_stands(text: str, margin: str | None) -> None:
    assert named(text, Habits(margined=True)).margin == margin


@pytest.mark.parametrize("text", ["Acme TLB 99.25/99.75 0% floor", "Acme TLB 99.25/99.75 50bps fl"])
def test_a_floor_behind_the_price_is_no_level(text: str) -> None:
    found = tokens(text, [])
    take_floors(found)
    assert [token.text for token in found if token.kind is Kind.level] == ["99.25/99.75"]
    assert not any(token.kind is Kind.number for token in found)
