from __future__ import annotations

from parsers.codes import QuoteType
from parsers.quotes.headings.surroundings import measures_of


def test_a_heading_speaks_of_measures_in_its_order() -> None:
    assert measures_of("Z-spread") == (QuoteType.spread_z_bp,)
    assert measures_of("px bid/ask, Z-spread bid/ask") == (None, QuoteType.spread_z_bp)


def test_what_one_of_several_tranches_is_quoted_in_is_not_said_of_all() -> None:
    assert measures_of("CDX IG42 tranches 0-3 upfront, rest running") == ()
    assert measures_of("CDX IG42 tranches, upfront") == (QuoteType.upfront_pts,)
