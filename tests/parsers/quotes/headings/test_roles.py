from __future__ import annotations

import pytest

from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IDENTIFIERS, IDENTITY, NAMES, NAMING, OF_BONDS, role_of


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Bid Sprd", "level"),
        ("A Sz", "size"),
        ("$mm", "size"),
        ("Claims ($mm)", "size"),
        ("Orig Size", "orig_face"),
        ("Bench Yield", "ignored"),
        ("Price / Yield", "ignored"),
        ("No.", "ignored"),
        ("Rate", "rate"),
        ("Stock", "ref_price"),
        ("5Y", "level"),
        ("Frobnication", "unknown"),
        ("Cód. SELIC", "local_code"),
        ("Bond ccy", "currency"),
    ],
)
def test_a_heading_has_one_role(text: str, role: str) -> None:
    assert role_of(heading(text)) == role


def test_names_and_identifiers_tell_rows_apart_and_terms_do_so_only_together() -> None:
    assert IDENTIFIERS | NAMES <= IDENTITY
    assert NAMING == IDENTITY - OF_BONDS
