from __future__ import annotations

import pytest

from parsers.quotes.runs.quoted.clauses import clauses, names_two


def _said(text: str) -> list[str]:
    return [" ".join(text[start:end] for start, end in spans) for spans in clauses(text)]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("buyers of X 7.25 PERP at 102.5 and Y 8 PERP at 105.75", "buyers of Y 8 PERP at 105.75"),
        ("sellers of X 5 33 at T+85, Y 6 34 at T+72", "sellers of Y 6 34 at T+72"),
        ("X 5 33 traded at 98.5 and Y 6 34 at 101", "Y 6 34 traded at 101"),
        ("Compramos X 5 33 a 91.5 y Y 6 34 a 102", "Compramos Y 6 34 a 102"),
    ],
)
def test_what_the_first_clause_says_for_both_is_said_again(text: str, second: str) -> None:
    assert _said(text)[1] == second


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("X 5 33 bid 98, Y 6 34 offered 101.5", "Y 6 34 offered 101.5"),
        ("Better buyer X 5 33 98 and better seller Y 6 34 101.5", "better seller Y 6 34 101.5"),
        ("sellers of F 5y at 185 and GM 5y at 121", "sellers of GM 5y at 121"),
        (
            "buyers of X 5 33 at 98, Y 6 34 at 99 and sellers of Z 7 35 at 97",
            "buyers of Y 6 34 at 99 and sellers of Z 7 35 at 97",
        ),
    ],
)
def test_two_instruments_with_a_value_each_are_two_clauses(text: str, second: str) -> None:
    assert _said(text)[1] == second


@pytest.mark.parametrize(
    "text",
    [
        "sell X 5 33 at 98, buy Y 6 34 at 99",
        "X 5 33 98/99, T 4.25 34",
        "X 5.2 34 +85/82, T 4.25 08/34",
        "X 5 33 and Y 6 34 are both 98/99",
        "X 5 33 offered at 99, YTW at 5.6",
        "XYZ 5 03/34 98/99, 2x2",
    ],
)
def test_a_switch_and_a_line_of_one_quote_stay_whole(text: str) -> None:
    assert clauses(text) == []


def test_a_name_of_two_bonds_is_nobodys() -> None:
    assert names_two("BAC 5.2 34 and JPM 4.9 33")
    assert names_two("DI jan27 13,25 DI jan31")
    assert not names_two("BAC 5.2 34")


def test_a_story_stays_whole() -> None:
    assert clauses("X 5 33 98/99, Y 6 34 99/100, " * 30) == []
