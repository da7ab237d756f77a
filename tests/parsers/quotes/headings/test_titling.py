"""The name in a heading."""

from __future__ import annotations

import pytest

from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.titling import title_in


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        (("USDBRL ATM",), "USDBRL"),
        (("UKRPI (GBP)", "Bid"), "UKRPI"),
        (("FN30 Dec",), "FN30"),
        (("Bid Px",), None),
        (("Upf (500)",), None),
    ],
)
def test_a_heading_names_what_its_words_do_not_explain(parts: tuple[str, ...], title: str | None) -> None:
    assert title_in(parts, heading(" ".join(parts))) == title
