from __future__ import annotations

from decimal import Decimal

import pytest

from parsers.codes import Flag
from parsers.quotes.confidence import confidence, factors

Case = tuple[tuple[Flag, ...], bool, bool, bool]  # flags; headed, identified, classed


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (((), True, True, True), "1.000"),
        (((), False, False, True), "0.765"),
        (((Flag.crossed,), True, True, True), "0.700"),
        (((Flag.shorthand_expanded, Flag.size_unit_assumed), True, True, True), "0.951"),
        (((Flag.id_check_failed,), True, False, True), "0.510"),
        (((Flag.locked, Flag.ccy_assumed, Flag.footnoted), True, True, True), "1.000"),
        (((), True, True, False), "0.900"),
    ],
)
def test_confidence_is_the_product_of_its_doubts(case: Case, expected: str) -> None:
    flags, headed, identified, classed = case
    assert confidence(frozenset(flags), headed=headed, identified=identified, classed=classed) == Decimal(expected)


def test_it_is_rounded_half_even_to_three_decimals() -> None:
    flags = frozenset({Flag.side_assumed, Flag.shorthand_expanded, Flag.size_unit_assumed})
    assert confidence(flags, headed=False, identified=False, classed=True) == Decimal("0.582")


def test_each_doubt_is_told_with_its_weight() -> None:
    told = dict(factors([Flag.crossed, Flag.locked], headed=False, identified=True, classed=True))
    assert told == {"no header row": Decimal("0.90"), "crossed": Decimal("0.70")}
