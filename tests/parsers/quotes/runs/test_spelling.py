"""What one class spells in its own way."""

from __future__ import annotations

import pytest

from parsers.quotes.runs.cutting.spelling import spelled


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("convertible", "BABA 0.5 31  112/113 vs 118.40 / 62d", "BABA 0.5 31  112/113 vs 118.40   62d"),
        ("trade_claim", "FTX 98c/99c", "FTX 98 /99 "),
        ("private_equity_secondary", "KKR XII 82-85%", "KKR XII 82-85 "),
        ("private_equity_secondary", "Global Growth 14 - 84% of NAV", "Global Growth 14   84% of NAV"),
        ("private_equity_secondary", "Bain 12   82 - 85", "Bain 12   82 - 85"),
        ("cds_tranche", "0-3%  31.25/32.25 pts   14.0x", "0-3%  31.25/32.25 pts        "),
        ("warrant_equity", "Hertz wts 13.80   1.95/2.15", "Hertz wts         1.95/2.15"),
        ("warrant_equity", "Hertz wts 1.95/2.15", "Hertz wts 1.95/2.15"),
        ("fx_option", "1M RR25 0.1/0.3", "1M 25RR 0.1/0.3"),
        ("agency_ssa", "FHLB 4 06/14/29 1x 99.1/99.3", "FHLB 4 06/14/29    99.1/99.3"),
        ("agency_ssa", "FHLB 4 06/14/29 1x 10mm 99.1", "FHLB 4 06/14/29 1x 10mm 99.1"),
        ("corp_ig", "XYZ 5 03/34 98c/99c", "XYZ 5 03/34 98c/99c"),
    ],
)
def test_the_spelling_of_a_class_becomes_that_of_most_in_the_same_place(name: str, text: str, expected: str) -> None:
    assert spelled(text, name) == expected
