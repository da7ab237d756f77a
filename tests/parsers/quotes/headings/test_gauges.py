from __future__ import annotations

import pytest

from parsers.quotes.headings.remarks import before_ticker, is_ticker
from parsers.quotes.headings.told import told
from parsers.quotes.runs.quoted.namable import can_name
from parsers.quotes.tables.around.sections import is_market_talk

NAMES = ["SPX", "S&P 500", "VIX", "DAX", "SX5E", "Nikkei 225", "IBEX", "Merval", "WTI", "DXY", "Gold"]


@pytest.mark.parametrize("name", NAMES)
def test_each_gauge_is_known_wherever_one_is_asked_for(name: str) -> None:
    assert is_ticker(f"{name} 15.10")
    assert before_ticker(f"US HY - {name} 15.10") == "US HY"
    assert is_market_talk(name)
    assert not can_name(f"{name} outlook", "corp_hy")
    assert can_name(f"{name} kick-out 2029", "structured_note")
    assert not told(f"US HY and {name}").is_title


def test_without_a_gauge_the_line_is_a_title() -> None:
    assert told("US HY and IG").is_title


def test_a_year_or_a_strike_behind_an_index_is_no_level_of_it() -> None:
    assert not is_ticker("SPX 2028 autocallables")
    assert not is_ticker("Nikkei 40000 puts")
