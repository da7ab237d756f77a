from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quotes.answers.named import Habits, Named
from parsers.quotes.answers.naming import first_level, is_coupon, take_quantity
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.token import Kind, Token
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.marked.line import read
from parsers.values.finding import find
from parsers.values.separators import Locale

PLAIN = Habits()


def named(text: str, habits: Habits = PLAIN, *, ticks: bool = False) -> Named:
    return read(
        text, tokens(text, find(text, priced=True), Conventions(thirty_seconds=ticks)), Locale.point, habits
    ).named


@pytest.mark.parametrize(
    ("text", "name", "coupon", "maturity"),
    [
        ("CHTR 4 1/2 05/32 86 1/4 - 3/4", "CHTR 4 1/2 05/32", "4 1/2", "05/32"),
        ("VENZ 9.25 27 17.5/18.25", "VENZ 9.25 27", "9.25", "27"),
        ("BAC FRN 27 100.12/18", "BAC FRN 27", None, "27"),
        ("ACAFP 7 1/4 PERP c28 102.40/102.80", "ACAFP 7 1/4 PERP c28", "7 1/4", "PERP"),
        ("NYC GO 5s of '34 3.45/3.40", "NYC GO 5s of '34", "5", "'34"),
        ("MBONO 7.75 Nov-42 9.32/9.28", "MBONO 7.75 Nov-42", "7.75", "Nov-42"),
        ("UKT 4.25 31/07/34 99.61/66", "UKT 4.25 31/07/34", "4.25", "31/07/34"),
        ("XYZ 5 Notes 03/34 98/99", "XYZ 5 Notes 03/34", "5", "03/34"),
        ("XS2641318121 ENEL 3.375 07/28 98/99", "ENEL 3.375 07/28", "3.375", "07/28"),
        ("98.25/98.75 FORD 5 03/34 5x5", "FORD 5 03/34", "5", "03/34"),
        ("Carrefour 5y 71/75", "Carrefour 5y", None, None),
        ("F 5y 12/27", "F 5y", None, None),
    ],
)
def test_the_name_ends_where_the_levels_begin(text: str, name: str, coupon: str | None, maturity: str | None) -> None:
    found = named(text)
    assert (found.name, found.coupon, found.maturity) == (name, coupon, maturity)


def test_a_floor_is_no_coupon_and_a_margin_no_level() -> None:
    found = named("LX131555 Acme TLB S+325 0.5% fl 12/30 99 1/4-5/8")
    assert (found.coupon, found.margin, found.maturity) == (None, "325", "12/30")


def test_some_classes_have_a_coupon_alone() -> None:
    assert named("FNCL 5.5 Dec 98-16/98-17", Habits(coupon_alone=True), ticks=True).coupon == "5.5"
    assert named("FNCL 5.5 Dec 98-16/98-17", ticks=True).coupon is None


def test_under_an_issuer_coupon_and_year_are_enough() -> None:
    assert named("4.5% 2032 86.25 / 86.75", Habits(under_issuer=True)).is_bond


def test_a_bare_number_in_front_is_a_quantity_where_the_class_counts() -> None:
    assert named("500 CALIF ST GO 5s 34 3.45/3.40", Habits(counted=True)).quantity == "500"
    assert named("500 CALIF ST GO 5s 34 3.45/3.40").quantity is None


def test_a_quantity_is_taken_out_of_the_tokens() -> None:
    found = tokens("250 NY GO 5s 34 3.4", [])
    assert take_quantity(found, Locale.point) == "250"
    assert found[0].text == "NY"
    behind = tokens(
        "250 13063DT16 CALIFORNIA ST 5 10/01/41 3.81",
        find("250 13063DT16 CALIFORNIA ST 5 10/01/41 3.81", priced=True),
    )
    assert take_quantity(behind, Locale.point) == "250"


def test_a_coupon_is_a_plain_number_up_to_twenty() -> None:
    assert is_coupon(Token(Kind.number, 0, 1, "5"), Locale.point)
    assert not is_coupon(Token(Kind.number, 0, 2, "98"), Locale.point)
    assert not is_coupon(Token(Kind.number, 0, 2, "+5"), Locale.point)


def test_the_first_level_of_tokens_without_any_stands_behind_them() -> None:
    assert first_level(tokens("CHTR 4 1/2 05/32 86/87", [])) == 3
    assert first_level(tokens("CHTR bonds", [])) == 2


@pytest.mark.parametrize(
    ("text", "coupon", "due"),
    [("XYZ 5 ago/50 98/99", 5, "ago/50"), ("XYZ 4 Mar-34 98/99", 4, "Mar-34"), ("XYZ 5 4 Mar 34 98/99", 5, "4 Mar 34")],
)
def test_a_coupon_in_front_of_a_month_and_year_is_no_day(
    runs: Callable[..., RunResult], text: str, coupon: int, due: str
) -> None:
    (draft,) = runs(f"HY RUN EUR\n{text}\n").drafts
    assert draft.instrument.coupon == coupon
    assert draft.instrument.maturity_text == due


def test_a_speed_is_no_coupon(runs: Callable[..., RunResult]) -> None:
    (draft,) = runs("AGENCY CMO\nFHR 5300 PA 15 CPR 98-12/98-16\n").drafts
    assert draft.instrument.coupon is None


def test_a_label_in_front_of_an_identifier_is_no_name(runs: Callable[..., RunResult]) -> None:
    drafts = runs("HY RUN USD\nXYZ 5 03/34 98/99\nCUSIP 037833100 99/100\n#US0378331005 99/100\n").drafts
    assert [draft.instrument.description for draft in drafts[1:]] == [None, None]
    assert [draft.instrument.identifiers for draft in drafts[1:]] == [
        (("cusip", "037833100"),),
        (("isin", "US0378331005"),),
    ]
