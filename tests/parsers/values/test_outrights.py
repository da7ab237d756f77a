from __future__ import annotations

import pytest

from parsers.codes import QuoteType
from parsers.values.levels import pair
from parsers.values.markets import LevelRules
from parsers.values.outrights import forward_type, pair_in


@pytest.mark.parametrize(
    ("name", "level", "expected"),
    [
        ("USDBRL 3M", "5.4720/5.4790", "fx_rate"),
        ("USDBRL 3M", "5/5.15", "fx_rate"),  # as wide as one may be, exactly
        ("USDBRL 3M", "655/668", "fwd_points"),
        ("EUR/USD 1M", "18.2/18.6", "fwd_points"),
        ("USDJPY 3M", "-142.5/-141.2", "fwd_points"),
        ("USDINR 3M", "45/46.5", "fwd_points"),
        ("EURJPY 1Y", "161.20/161.35", "fx_rate"),
        ("3M", "5.47/5.48", None),
    ],
)
def test_a_rate_is_near_what_the_pair_is_worth_and_points_are_not(name: str, level: str, expected: str | None) -> None:
    found = pair(level, LevelRules(QuoteType.fx_rate, "fx_forward"))
    assert found is not None
    assert forward_type(name, found) == expected


@pytest.mark.parametrize(("name", "expected"), [("USDMXN 1M", "USDMXN"), ("EUR/USD", "EUR/USD"), ("3M", "")])
def test_the_pair_of_a_forward_is_found_in_its_name(name: str, expected: str) -> None:
    assert pair_in(name) == expected
