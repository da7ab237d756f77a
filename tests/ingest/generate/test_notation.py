from __future__ import annotations

from decimal import Decimal

import pytest

from ingest.generate.books import measures
from ingest.generate.notation import eighths, pair, plain, printed, ticks

TICKS, EIGHTHS, SPREAD = measures()["ust_px"], measures()["px_8"], measures()["t_spread"]
BUND, GILT, MS, MBS = measures()["govt_px"], measures()["can_px"], measures()["ms"], measures()["mbs_px"]


@pytest.mark.parametrize(("value", "text"), [("98.250", "98.25"), ("98.00", "98"), ("100", "100"), ("0.0", "0")])
def test_plain_has_no_trailing_zeros(value: str, text: str) -> None:
    assert plain(Decimal(value)) == text


@pytest.mark.parametrize(
    ("value", "text"), [("98.25", "98 1/4"), ("98", "98"), ("99.875", "99 7/8"), ("0.125", "0 1/8")]
)
def test_eighths_are_shortened(value: str, text: str) -> None:
    assert eighths(Decimal(value)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [("99.5", "99-16"), ("99.515625", "99-16+"), ("100", "100-00"), ("99.5078125", "99-162"), ("99.5234375", "99-166")],
)
def test_ticks_are_32nds_with_their_eighths(value: str, text: str) -> None:
    assert ticks(Decimal(value)) == text


@pytest.mark.parametrize(
    ("measure", "cls", "bid", "ask", "text"),
    [
        pytest.param(TICKS, "govt_us", "99.515625", "99.53125", "99-16+/17", id="same handle"),
        pytest.param(TICKS, "govt_us", "99.96875", "100.03125", "99-31/100-01", id="next handle"),
        pytest.param(TICKS, "govt_us", "99.46875", "99.5", "99-15/99-16", id="15/16 would be a fraction"),
        pytest.param(MBS, "tba_mbs", "99.5078125", "99.5234375", "99-162/99-166", id="a third digit stays whole"),
        pytest.param(EIGHTHS, "corp_hy", "98.25", "98.75", "98 1/4 - 3/4", id="same handle, in eighths"),
        pytest.param(EIGHTHS, "corp_hy", "98", "98.5", "98 - 98 1/2", id="a bare handle is not shortened after"),
        pytest.param(SPREAD, "corp_ig", "85", "80", "85/80", id="a spread"),
        pytest.param(BUND, "govt_intl", "99.845", "99.865", "99.845/65", id="the tail, rule T"),
        pytest.param(BUND, "corp_ig", "99.845", "99.865", "99.845/99.865", id="no tail where rule T does not hold"),
        pytest.param(GILT, "govt_intl", "95.42", "95.47", "95.42/47", id="decimals alone, rule D"),
        pytest.param(GILT, "govt_canada", "72.25", "72.75", "72.25/72.75", id="75 would be a market of its own"),
        pytest.param(MS, "covered_bond", "-2", "-5", "-2/-5", id="a sign each where both are negative"),
        pytest.param(MS, "covered_bond", "31", "28", "+31/28", id="one sign where both are positive"),
    ],
)  # fmt: skip
def test_a_pair_with_shorthand(measure: object, cls: str, bid: str, ask: str, text: str) -> None:
    assert pair(Decimal(bid), Decimal(ask), measure, ".", short_for=cls) == text  # type: ignore[arg-type]


def test_without_shorthand_both_levels_stand_in_full() -> None:
    assert pair(Decimal("98.25"), Decimal("98.75"), EIGHTHS, ".") == "98 1/4 - 98 3/4"


def test_a_side_that_is_not_made_is_told_by_what_stands_for_it() -> None:
    assert pair(None, Decimal("99.25"), GILT, ".") == "--/99.25"
    assert pair(Decimal("99.25"), None, GILT, ",", null="") == "99,25/"


def test_decimals_have_the_places_of_the_tick() -> None:
    assert printed(Decimal("98.5"), BUND, ",") == "98,500"
    assert printed(Decimal(85), SPREAD, ",") == "85"
