"""The currency of an instrument: printed, of its index, or stated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quotes.runs import RunResult


@pytest.mark.parametrize(
    ("subject", "text", "currency"),
    [
        ("Chile", "BTP 5.0 03/35   5,62/5,58  CLP", "CLP"),
        ("Mbonos", "MBONO 7.75 Nov-42 9.32/9.28 50x50mm MXN", "MXN"),
        ("TRS", "IBXXELTR Mar27 TRS  ESTR-15/+15", "EUR"),
        ("CLO list", "CVC Cordatus XX B1   5mm   talk E+175a", "EUR"),
        ("inflation EUR & UK", "UK RPI zero coupon\n2y 3.21/3.27", "GBP"),
        ("EUR IG", "BMW 3.25 07/30   MS+40/36", "EUR"),
        ("IG", "COP 5.5 1/15/55 T+98/95", None),
    ],
)
def test_what_the_line_prints_goes_before_its_index_and_that_before_the_headings(
    runs: Callable[..., RunResult], subject: str, text: str, currency: str | None
) -> None:
    assert [draft.instrument.currency for draft in runs(text, subject).drafts] == [currency]


def test_a_pair_of_currencies_is_in_neither(runs: Callable[..., RunResult]) -> None:
    assert [draft.instrument.currency for draft in runs("EUR/USD 1M 15.2/15.5", "fwd points EUR").drafts] == [None]


@pytest.mark.parametrize(
    ("subject", "text", "due"),
    [
        ("IG", "AAPL 4.65 02/03/46  T+72/68", "2046-02-03"),
        ("TIPS", "TII 1 3/8 07/05/33  1.92/1.90", "2033-07-05"),
        ("Gilt strips", "UKT 0 07/12/2046 P  5.01/4.98", "2046-12-07"),
        ("HY", "XYZ 4.5 05/01/32  86.25/86.75", "2032-01-05"),
    ],
)
def test_where_no_currency_is_printed_the_market_of_a_bond_says_what_is_its_month(
    runs: Callable[..., RunResult], subject: str, text: str, due: str
) -> None:
    (draft,) = runs(text, subject=subject, hours=0).drafts
    assert str(draft.instrument.maturity) == due
