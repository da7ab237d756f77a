from __future__ import annotations

import pytest

from parsers.quotes.lexer.tokens import tokens


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("X 85/80 (T 4 1/4 11/34)", "bond", "T 4 1/4 11/34"),
        ("X 51.6/51.9 (ref 51.75)", "reference", "51.75"),
        ("X 102.1/102.6 (delta 52)", "delta", "delta 52"),
        ("X 98/99 (5mm)", "size", "5mm"),
        ("X 99.82/100 (345dm)", "level", "345"),
    ],
)
def test_brackets_hold_what_belongs_to_the_level_before(text: str, kind: str, expected: str) -> None:
    assert (kind, expected) in [(token.kind, token.text) for token in tokens(text, [])]


def test_spots_in_a_heading_are_no_market() -> None:
    found = tokens("FX forward points, spots 1.1582 / 1.4011", [])
    assert "level" not in {token.kind for token in found}
