from __future__ import annotations

from parsers.documents.raised import level, spelled


def test_a_raised_number_is_a_footnotes_mark_or_a_numerator() -> None:
    assert spelled("12", "99", "") == "¹²"
    assert spelled(" 1", "98", " /2") == " 1"
    assert spelled("st", "1", "") == "st"
    assert spelled("1, 2", "98.25", "") == "¹²"


def test_a_number_lowered_behind_a_slash_is_a_denominator() -> None:
    runs = [("98", False, False), ("1", False, True), ("/", False, False), ("2", False, True)]
    assert "".join(text for text, _ in level(runs)) == "98 1/2"
    assert [spelled("2", before, "") for before in ("98 1/", "98.5", "182/")] == ["2", "²", "²"]


def test_a_number_raised_behind_a_decimal_is_no_numerator() -> None:
    assert spelled("1", "98.25", "/98.75") == "¹"


def test_a_number_raised_before_what_is_no_denominator_is_a_mark() -> None:
    assert [spelled("1", "182", after) for after in ("/188", "/8.5", "/", "/ 8 up")] == ["¹", "¹", " 1", " 1"]


def test_a_number_raised_digit_by_digit_is_one_number() -> None:
    runs = [("99", False, False), ("1", False, True), ("6", False, True), ("/", False, False), ("32", False, False)]
    assert "".join(text for text, _ in level(runs)) == "99 16/32"


def test_what_is_struck_stays_so_beside_what_is_raised() -> None:
    runs = [("97", True, False), ("1", True, True), (" 98.25", False, False), ("1", False, True)]
    assert level(runs) == [("97", True), ("¹", True), (" 98.25", False), ("¹", False)]
