from __future__ import annotations

import pytest

from parsers.codes import Firmness
from parsers.quotes.answers.named import Habits
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.line import read
from parsers.quotes.runs.marked.reading import Reading
from parsers.values.finding import find
from parsers.values.separators import Locale

PLAIN = Habits()


def reading(text: str, habits: Habits = PLAIN, *, ticks: bool = False, curves: bool = False) -> Reading:
    return read(
        text,
        tokens(text, find(text, priced=True), Conventions(thirty_seconds=ticks, tenors=curves)),
        Locale.point,
        habits,
    )


def marks(text: str, habits: Habits = PLAIN, *, ticks: bool = False) -> list[tuple[str, str | None]]:
    return [(mark.token.text, mark.side) for mark in reading(text, habits, ticks=ticks).marks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("XYZ 5 03/34 98.5 bid", [("98.5", "bid")]),
        ("XYZ 5 03/34 bid 98.5 offer 99", [("98.5", "bid"), ("99", "ask")]),
        ("XYZ 5 03/34 98.5 bid 99 offered", [("98.5", "bid"), ("99", "ask")]),
        ("XYZ 5 03/34 @ 99", [("99", "ask")]),
        ("XYZ 5 03/34 98.25   98.75", [("98.25 / 98.75", None)]),
        ("XYZ 5 03/34 98.25   45", []),
        ("XYZ 5 03/34 98.25", [("98.25", None)]),
    ],
)
def test_a_side_word_belongs_to_the_value_beside_it(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert marks(text) == expected


def test_labels_wait_for_their_level() -> None:
    found = reading("EURUSD 1M ATM 7.25/7.55 25RR 0.10/0.30").marks
    assert [(mark.struct, mark.token.text) for mark in found] == [("atm", "7.25/7.55"), ("rr25", "0.10/0.30")]
    covered = reading("67592CAA4 OCT67 2023-1A A1 cvr 100.02").marks
    assert [(mark.kind, mark.token.text) for mark in covered] == [("cover", "100.02")]


def test_a_running_coupon_belongs_to_the_points_before_it() -> None:
    (mark,) = reading("AAL 5y 12.5/13.5 pts up +500 2x2").marks
    assert (mark.token.text, mark.running) == ("12.5/13.5", "500")


def test_in_front_of_points_a_bare_running_coupon_is_no_level() -> None:
    (mark,) = reading("ZETA 5y 500    12.5/13.5 pts upf", Habits(curves=True), curves=True).marks
    assert (mark.token.text, mark.running) == ("12.5/13.5", "500")


def test_a_spread_in_front_of_points_is_a_level() -> None:
    assert [mark.token.text for mark in reading("ZETA 5y 510/520    12.5/13.5 pts upf").marks] == [
        "510/520",
        "12.5/13.5",
    ]


def test_percent_behind_the_price_of_a_stock_is_the_delta() -> None:
    (mark,) = reading("LYV 3.125 29 101/102 v 13.20 48%").marks
    assert (mark.token.text, mark.reference, mark.delta) == ("101/102", "13.20", "48")


def test_a_curve_letter_may_stand_apart() -> None:
    (mark,) = reading("XYZ 5 03/34 Z 412/402").marks
    assert (mark.token.prefix, mark.token.text) == ("Z", "412/402")


def test_each_tenor_of_a_curve_has_its_level() -> None:
    found = reading("TOYCC A-1 1M 4.38 3M 4.41", Habits(curves=True), curves=True).marks
    assert [(mark.tenor, mark.token.text) for mark in found] == [("1M", "4.38"), ("3M", "4.41")]


def test_remarks_are_kept() -> None:
    assert reading("VENZ 9.25 27 17.5/18.25 flat").is_flat
    assert reading("BNP 5.335 06/29 subj").is_withdrawn
    assert reading("NCLH 7 3/4 02/29 off").is_withdrawn
    assert reading("XYZ 5 03/34 98.5 sub").firmness is Firmness.subject
    assert reading("67592CAA4 OCT67 2023-1A A1 DNT").is_untraded
    assert reading("XYZ 5 03/34 98/99 at 10:30").is_timed
