from __future__ import annotations

import pytest

from parsers.quotes.answers.terms import with_terms
from parsers.quotes.lexer.token import SIZE, TENOR, Kind
from parsers.quotes.lexer.tokens import tokens


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SPX 12m autocall 98.5/99", TENOR),
        ("NKY 6m RC 97/98", TENOR),
        ("Roche BRC 5m 98.5/99", SIZE),
        ("5m Roche BRC 98.5/99", SIZE),
        ("buy 3m Roche BRC 98.5", SIZE),
        ("Roche 5m BRC 98.5", SIZE),
    ],
)
def test_months_inside_the_name_of_a_note_are_its_term(text: str, kind: Kind) -> None:
    assert [token.kind for token in with_terms(tokens(text, ())) if token.kind in (SIZE, TENOR)] == [kind]
