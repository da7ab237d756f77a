from __future__ import annotations

import pytest

from parsers.quotes.answers.classing import by_form


@pytest.mark.parametrize(
    ("asset_class", "text", "level", "expected"),
    [
        ("warrant_equity", "AMC 7.5 29", "78/80", "distressed_debt"),
        ("preferred", "SO 6.375 55", "104.25", "financial_sub"),
        ("preferred", "ALL 5.1 53", "24.40/24.50", None),
        ("corp_hy", "AMC 7.5 29", "78/80", None),
    ],
)
def test_a_bond_on_a_list_of_shares_is_none_of_them(
    asset_class: str, text: str, level: str, expected: str | None
) -> None:
    assert by_form(asset_class, text, is_bond=True, level=level) == expected
    assert by_form(asset_class, text, is_bond=False, level=level) is None
