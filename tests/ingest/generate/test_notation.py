from __future__ import annotations

from decimal import Decimal

import pytest

from ingest.generate.kinds import GERMAN, KINDS
from ingest.generate.notation import eighths, pair, plain, printed, ticks

TICKS = KINDS["govt_us", "USD"].in_runs[0]
EIGHTHS = KINDS["corp_hy", "USD"].in_runs[0]
SPREAD = KINDS["corp_ig", "USD"].in_runs[0]
GELD_BRIEF = GERMAN["corp_ig"].in_runs[0]


@pytest.mark.parametrize(("value", "text"), [("98.250", "98.25"), ("98.00", "98"), ("100", "100"), ("0.0", "0")])
def test_plain_has_no_trailing_zeros(value: str, text: str) -> None:
    assert plain(Decimal(value)) == text


@pytest.mark.parametrize(("value", "text"), [("98.25", "98 1/4"), ("98", "98"), ("99.875", "99 7/8")])
def test_eighths_are_shortened(value: str, text: str) -> None:
    assert eighths(Decimal(value)) == text


@pytest.mark.parametrize(("value", "text"), [("99.5", "99-16"), ("99.515625", "99-16+"), ("100", "100-00")])
def test_ticks_are_32nds_with_a_plus_for_half_of_one(value: str, text: str) -> None:
    assert ticks(Decimal(value)) == text


@pytest.mark.parametrize(
    ("kind", "bid", "ask", "text"),
    [
        pytest.param(TICKS, "99.515625", "99.53125", "99-16+/17", id="same handle"),
        pytest.param(TICKS, "99.96875", "100.03125", "99-31/100-01", id="next handle"),
        pytest.param(EIGHTHS, "98.25", "98.75", "98 1/4 - 3/4", id="same handle, in eighths"),
        pytest.param(EIGHTHS, "98", "98.5", "98 - 98 1/2", id="a bare handle is not shortened after"),
        pytest.param(SPREAD, "85", "80", "T+85/80", id="a spread with its curve"),
    ],
)
def test_a_pair_with_shorthand(kind: object, bid: str, ask: str, text: str) -> None:
    assert pair(Decimal(bid), Decimal(ask), kind, "en", shorthand=True) == text  # type: ignore[arg-type]


def test_without_shorthand_both_levels_stand_in_full() -> None:
    assert pair(Decimal("98.25"), Decimal("98.75"), EIGHTHS, "en", shorthand=False) == "98 1/4 - 98 3/4"


def test_german_decimals_have_a_comma_and_the_places_of_the_tick() -> None:
    assert printed(Decimal("98.5"), GELD_BRIEF, "de") == "98,500"
