from __future__ import annotations

import pytest

from parsers.quotes.classes import rules_of
from parsers.quotes.classes.families import BONDS, OTHERWISE, PAIR


@pytest.mark.parametrize("name", sorted(OTHERWISE))
def test_what_no_bond_is_of_is_a_class(name: str) -> None:
    assert rules_of(name).name == name != BONDS


def test_a_pair_is_two_codes() -> None:
    assert PAIR.fullmatch("EUR/USD")
    assert not PAIR.search("EURO USD")
