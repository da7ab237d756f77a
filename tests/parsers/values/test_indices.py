from __future__ import annotations

import re

import pytest

from parsers.quotes.classes.stating import quoted_by_name
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.monies import in_name
from parsers.values.currencies import CODE
from parsers.values.indices import CURRENCIES, INDEX


@pytest.mark.parametrize("index", CURRENCIES)
def test_an_index_is_of_a_currency_that_is_known(index: str) -> None:
    assert re.fullmatch(CODE, CURRENCIES[index])


@pytest.mark.parametrize("text", ["SOFRX", "TONALA", "JIBARO"])
def test_a_longer_word_is_no_index(text: str) -> None:
    assert re.match(INDEX, text) is None


@pytest.mark.parametrize("index", CURRENCIES)
def test_each_index_is_known_wherever_one_is_asked_for(index: str) -> None:
    assert in_name(f"ACME {index}+48 27") == CURRENCIES[index]
    assert quoted_by_name("irs", f"EUR 3m vs {index} 5y") == "basis_bp"
    assert column(0, (f"ASW ({index})",)).measure == column(0, ("ASW",)).measure == "spread_asw_bp"
