from __future__ import annotations

from parsers.documents.limits import MAX_SHEET_COLUMNS
from parsers.documents.workbooks.looks import Font, SheetLooks, rich

STRUCK, RAISED, PLAIN = Font(struck=True), Font(raised=True), Font()


def test_text_without_struck_or_raised_parts_is_not_rich() -> None:
    assert rich([("98", None), (".25", PLAIN), (" up", Font(bold=True))]) is None


def test_what_is_struck_goes_and_what_is_raised_is_no_digit() -> None:
    text = rich([("97.75", STRUCK), (" 98.25", PLAIN), ("1", RAISED)])
    assert text is not None
    assert text.standing(struck=False) == ("  98.25¹", False)


def test_parts_without_a_font_of_their_own_are_as_their_cell() -> None:
    text = rich([("97.75", None), (" 98.25", PLAIN), (" x", STRUCK)])
    assert text is not None
    assert [text.standing(struck=struck) for struck in (True, False)] == [("  98.25 ", False), ("97.75 98.25 ", False)]


def test_columns_that_are_hidden_over_and_over_take_no_time() -> None:
    sheet = SheetLooks()
    sheet.hide_columns(3, 2)
    assert sheet.hidden_columns == set()
    for _ in range(100_000):  # as many elements fit into a small file: each by itself takes a millisecond
        sheet.hide_columns(2, 2**31)
    assert sheet.hidden_columns == set(range(2, MAX_SHEET_COLUMNS + 1))
