from __future__ import annotations

import pytest

from parsers.codes import QuoteType
from parsers.values.spreads import curve, spread_prefix


@pytest.mark.parametrize(
    ("text", "quote_type", "benchmark"),
    [
        ("T+85/80", QuoteType.spread_bench_bp, "UST"),
        ("CAN+62/60", QuoteType.spread_bench_bp, "CAN"),
        ("GoC +62", QuoteType.spread_bench_bp, "CAN"),
        ("DBR+40", QuoteType.spread_bench_bp, "DBR"),
        ("UKT+90", QuoteType.spread_bench_bp, "UKT"),
        ("MMD+12", QuoteType.spread_mmd_bp, "MMD"),
        ("MS-2/-5", QuoteType.spread_asw_bp, "MS"),
        ("G+145", QuoteType.spread_g_bp, None),
        ("I+88", QuoteType.spread_i_bp, None),
        ("Z+412", QuoteType.spread_z_bp, None),
        ("J+105", QuoteType.spread_swap_bp, None),
        ("B+217/", QuoteType.spread_bench_bp, None),
        ("SOFR+104", QuoteType.dm_bp, None),
        ("+120/115", None, None),
    ],
)
def test_a_prefix_tells_the_spread_and_its_curve(
    text: str, quote_type: QuoteType | None, benchmark: str | None
) -> None:
    found = spread_prefix(text)
    assert found is not None
    assert (found.quote_type, found.benchmark) == (quote_type, benchmark)
    assert text[found.end] in "+-"


@pytest.mark.parametrize("text", ["98.25", "T 4.25", "MSFT+1", "hello"])
def test_a_text_without_a_signed_number_has_no_prefix(text: str) -> None:
    assert spread_prefix(text) is None


def test_an_index_is_a_benchmark_in_money_markets_and_a_leg_in_return_swaps() -> None:
    assert curve("SOFR", "cd") == (QuoteType.spread_bench_bp, "SOFR")
    assert curve("ESTR", "trs") == (QuoteType.funding_spread_bp, None)
    assert curve("SOFR", "frn") == (QuoteType.dm_bp, None)
