from __future__ import annotations

import pytest

from parsers.quotes.runs.leads import lead_of


@pytest.mark.parametrize(
    ("text", "current", "expected"),
    [
        ("Linkers: UKTI 0.75 33  1.12/1.11", None, ("Linkers:", 9)),
        ("CDS 5y: Turkey 245/250, South Africa 168/173", "em_hard_ccy", ("CDS 5y:", 8)),
        ("Buyers: UKTI 0.75 33  1.12", None, ("Buyers:", 8)),
        ("CLP swaps: 2y 4.61/4.66, 5y 4.88/4.93", "corp_ig", ("CLP swaps:", 0)),
        ("CLP swaps: 2y 4.61/4.66, 5y 4.88/4.93", "irs", None),
        ("F: 1y 40/50, 3y 85/90", None, None),
        ("IBOXHY: Dec SOFR-40/-5, Mar SOFR-30/+5", None, None),
        ("Traded: XYZ 5 33 98", None, None),
        ("UKTI 0.75 33  1.12/1.11", None, None),
    ],
)
def test_a_heading_may_stand_in_front_of_its_first_instrument(
    text: str, current: str | None, expected: tuple[str, int] | None
) -> None:
    lead = lead_of(text, current)
    assert (lead and (lead.words, lead.end)) == expected
