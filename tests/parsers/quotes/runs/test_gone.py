from __future__ import annotations

import pytest

from parsers.quotes.answers.named import Habits
from parsers.quotes.lexer.token import LEVEL
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.gone import is_change_alone, is_gone, is_move
from parsers.quotes.runs.marked.line import read
from parsers.values.separators import Locale


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("X 4.5 05/35 was T+52, now T+49/46", [True, False]),
        ("X 4.5 05/35 from T+52 to T+49/46", [True, False]),
        ("X 4.5 05/35 98/99 (was 97/98)", [False, True]),
        ("X 4.5 05/35 98/99 yest 97/98", [False, True]),
        ("X 4.5 05/35 offers from 98/", [False]),
        ("X 4.5 05/35 priced at T+52", [True]),
        ("98/99", [False]),
    ],
)
def test_a_word_in_front_of_a_level_says_that_it_is_gone(text: str, gone: list[bool]) -> None:
    found = tokens(text, [])
    assert [is_gone(found, token, german=False) for token in found if token.kind is LEVEL] == gone


def test_hier_is_yesterday_in_french_and_here_in_german() -> None:
    found = tokens("X 4.5 05/35 hier 98/99", [])
    level = next(token for token in found if token.kind is LEVEL)
    assert is_gone(found, level, german=False)
    assert not is_gone(found, level, german=True)


def test_a_lone_level_that_something_went_to_is_a_move() -> None:
    assert is_move("chtr 4.5 32 +3/4 to 87.25")
    assert is_move("dish 11.75 27 unch at 105")
    assert not is_move("dish 11.75 27 unch at 105/106")
    assert not is_move("dish 11.75 27 +1/2 to 105.5/106")
    assert not is_move("dish 11.75 27 105 (+3/4)")


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Acme L+300 7/23/2028 100.61  -0.36", True),
        ("Acme L+300 7/23/2028  -36/-40", False),
        ("Acme L+300  -0.36", False),
    ],
)
def test_a_bare_signed_number_behind_a_price_is_the_change_of_the_day(text: str, alone: bool) -> None:
    reading = read(text, tokens(text, []), Locale.point, Habits(margined=True))
    assert is_change_alone(reading) == alone
