from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.values.talk import talk


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("113 handle", "113", "114"),
        ("mid 80s", "84", "86"),
        ("low 80s", "80", "83"),
        ("high 80s", "87", "89"),
        ("low-mid 90s", "93", "95"),
        ("MH 60s", "65", "67"),
        ("VH99s", "99.9", "99.99"),
        ("hi 40s", "47", "49"),
        ("high 99s", "99.7", "99.9"),
        ("very low 99s", "99", "99.1"),
        ("+LM600s dm", "630", "650"),
        ("low 200s dm", "200", "230"),
        ("+150s dm", "150", "160"),
        ("94-96", "94", "96"),
        ("sub 98", None, "98"),
        ("88 area", "88", None),
        ("98+", "98", None),
        ("125dm area", "125", None),
        ("95 bps a", "95", None),
        ("context 98", "98", None),
        ("price talk mid 70s", "74", "76"),
    ],
)
def test_talk_is_a_range_with_a_share_of_its_decade_handle_or_hundred(
    text: str, low: str | None, high: str | None
) -> None:
    found = talk(text)
    assert found is not None
    assert (found.low, found.high) == (Fraction(low) if low else None, Fraction(high) if high else None)


@pytest.mark.parametrize("text", ["", "hello", "sub", "area", "z" * 70])
def test_what_is_no_talk_is_none(text: str) -> None:
    assert talk(text) is None


@given(st.text(max_size=70))
def test_no_text_makes_it_raise(text: str) -> None:
    talk(text)
