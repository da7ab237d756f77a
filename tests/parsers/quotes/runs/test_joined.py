from __future__ import annotations

from collections.abc import Callable

from parsers.document import Line
from parsers.documents.text import text_lines
from parsers.quotes.runs.lines.joined import joined, names_instrument, with_plain_signs
from parsers.quotes.runs.lines.skip import MAX_LINE

Growth = Callable[[Callable[[int], object], int], float]


def test_an_indented_line_without_an_instrument_goes_on_with_the_one_before() -> None:
    lines = text_lines("AMGN 5.25 03/33 senior\n        T+74/70 5x5\nBA 6.528 05/34 T+101/97\n")
    whole, behind = joined(lines, 0)
    assert (whole.text, whole.line.number, behind) == ("AMGN 5.25 03/33 senior T+74/70 5x5", 1, 2)
    at = whole.text.index("T+74")
    assert whole.offset(at) == lines[1].char_start + 8


def test_an_indented_line_with_an_instrument_of_its_own_stands_alone() -> None:
    lines = text_lines("XYZ 5 03/34 98/99\n    ABC 4 01/30 97/98\n")
    assert joined(lines, 0)[1] == 1


def test_a_line_with_its_continuations_is_no_longer_than_a_line_may_be() -> None:
    lines = text_lines("XYZ 5 03/34 bonds\n" + 1000 * "    98.25/98.75\n")
    whole, behind = joined(lines, 0)
    assert MAX_LINE - len(" 98.25/98.75") - 4 < len(whole.text) <= MAX_LINE
    assert 1 < behind < 1000


def test_a_row_whose_first_cell_is_empty_stands_alone() -> None:
    lines = text_lines("84052GTR6 | KODEK 4 09/31 | 98.5 | 99\n          | 7 02/40 | 97 | 98\n")
    assert joined(lines, 0)[1] == 1


def test_a_line_parts_with_its_places_kept() -> None:
    whole, _ = joined(text_lines("F 5y 182/188 GM 5y 121/126\n"), 0)
    second = whole.behind(13)
    assert (whole.before(13).text, second.text, second.offset(0)) == ("F 5y 182/188 ", "GM 5y 121/126", 13)


def test_a_spread_names_no_instrument() -> None:
    assert names_instrument("XYZ 5 03/34 98/99")
    assert names_instrument("XS2641318121 98/99")
    assert not names_instrument("T+74/70 5x5")
    assert not names_instrument("98.25/98.75")


def test_a_long_word_is_looked_at_once(growth: Growth) -> None:
    assert growth(lambda count: names_instrument("1" * count + "x"), 1200) < 24


def test_blanks_that_do_not_break_are_blanks_in_their_places() -> None:
    line = Line(1, "97\u00a0½ -\u202f98", 7)
    assert with_plain_signs(line) == Line(1, "97 ½ - 98", 7)


def test_a_hyphen_that_a_mail_program_made_longer_is_one() -> None:
    assert with_plain_signs(Line(1, "OCT 2020\u20131A 99\u201129", 7)) == Line(1, "OCT 2020-1A 99-29", 7)
