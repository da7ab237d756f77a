from __future__ import annotations

from fractions import Fraction

from parsers.codes import QuoteType
from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.runs.levels.case import values
from parsers.quotes.runs.marked.reading import Mark
from parsers.values.markets import LevelRules


def marked(text: str, unit: str | None = None) -> Mark:
    return Mark(Token(LEVEL, 0, len(text), text, unit=unit))


def test_a_plus_behind_a_pay_up_is_a_half() -> None:
    found = values(marked("21+/23"), LevelRules(QuoteType.payup_32, "agency_mbs_cmo"))
    assert found is not None
    assert found.bid is not None
    assert found.bid.value == Fraction("21.5")
