from __future__ import annotations

import pytest

from parsers.quotes.answers.named import Named
from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.runs.cutting.notation import by_notation
from parsers.quotes.runs.marked.reading import Mark, Reading


def reading(body: str, prefix: str | None = None, unit: str | None = None, tenor: str | None = None) -> Reading:
    """Of a bond where no tenor stands there."""
    bond = (None, None) if tenor else ("5", "03/34")
    named = Named(name="XYZ", coupon=bond[0], maturity=bond[1], tenor=tenor)
    return Reading(named, [Mark(Token(LEVEL, 0, 5, body, prefix=prefix, unit=unit))])


@pytest.mark.parametrize(
    ("line", "currency", "name", "expected"),
    [
        (reading("85/80", prefix="T"), None, "unknown", "corp_ig"),
        (reading("85/80", prefix=""), "USD", "unknown", "corp_ig"),
        (reading("85/80", prefix=""), "EUR", "unknown", None),
        (reading("12.5/13.5", unit="pts up", tenor="5y"), None, "corp_hy", "cds_single"),
        (reading("85/80", prefix="T"), None, "govt_us", "corp_ig"),
        (reading("98/99"), None, "corp_hy", None),
    ],
)
def test_what_a_level_is_over_tells_a_class(
    line: Reading, currency: str | None, name: str, expected: str | None
) -> None:
    found = by_notation(line, currency, name, "")
    assert (found and found[0]) == expected


def test_what_headings_say_that_spreads_are_over_tells_a_class() -> None:
    line = reading("85/80", prefix="")
    assert by_notation(line, None, "unknown", "UST") == ("corp_ig", "notation")
    assert by_notation(line, None, "unknown", "MS") is None
