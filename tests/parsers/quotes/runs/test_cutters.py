from __future__ import annotations

from parsers.quotes.runs.cutline import CutLine
from parsers.quotes.runs.cutters import token_at
from parsers.quotes.runs.token import Kind, Token
from parsers.quotes.runs.tokens import tokens


def cut(text: str, *, curves: bool = False) -> list[Token]:
    return tokens(text, [], ticks=False, curves=curves)


def kinds(text: str, *, curves: bool = False) -> list[tuple[str, str]]:
    return [(token.kind.value, token.text) for token in cut(text, curves=curves)]


def test_where_nothing_else_begins_a_word_does() -> None:
    line = CutLine("hello there", ticks=False, curves=False)
    assert token_at(line, 6) == Token(Kind.word, 6, 11, "there")


def test_a_bond_at_the_start_of_a_line_is_its_instrument_and_behind_a_level_a_benchmark() -> None:
    line = CutLine("CAN 3 1/4 06/34", ticks=False, curves=False)
    assert token_at(line, 0).kind is Kind.word
    line.add(Token(Kind.level, 0, 1, "62/60"))
    assert token_at(line, 0).kind is Kind.bond


def test_a_bond_behind_the_lines_own_maturity_is_a_benchmark_and_its_month_no_pair() -> None:
    assert kinds("ONT 4.15 06/34  62  60  CAN 2 7/8 06/45")[-1] == ("bond", "CAN 2 7/8 06/45")
