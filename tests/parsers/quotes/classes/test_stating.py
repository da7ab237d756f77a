from __future__ import annotations

import pytest

from parsers.codes import QuoteType
from parsers.quotes.classes.stating import quoted_by_name


@pytest.mark.parametrize(
    ("asset_class", "name", "kind"),
    [
        ("govt_us", "B 0 12/24/26", QuoteType.discount_rate_pct),
        ("govt_us", "T 4 1/4 08/15/35", None),
        ("cds_tranche", "IG47 7-15%", QuoteType.cds_spread_bp),
        ("cds_tranche", "IG47 0-3%", None),
        ("cds_index", "CDX HY S47", QuoteType.price_pct),
        ("cds_index", "CDX IG S47", None),
    ],
)
def test_a_name_says_what_its_instrument_is_quoted_in(asset_class: str, name: str, kind: QuoteType | None) -> None:
    assert quoted_by_name(asset_class, name) is kind
