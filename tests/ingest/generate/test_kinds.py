from __future__ import annotations

import pytest

from ingest.generate.kinds import GERMAN, KINDS, Kind
from parsers.codes import AssetClass, QuoteType

ALL = [*KINDS.values(), *GERMAN.values()]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: f"{kind.code} {kind.currency} {kind.language}")
def test_a_kind_speaks_the_words_of_the_domain(kind: Kind) -> None:
    assert kind.code in AssetClass.__members__
    assert {level.quote_type for level in (*kind.in_runs, *kind.in_tables)} <= QuoteType.__members__.keys()


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: f"{kind.code} {kind.currency} {kind.language}")
def test_a_heading_names_currency_or_market_and_a_range_has_room_for_its_width(kind: Kind) -> None:
    assert kind.currency in kind.heading or kind.code in {"corp_ig", "us_muni"}
    for level in (*kind.in_runs, *kind.in_tables):
        assert level.low + 3 * level.widest * level.tick < level.high
