from __future__ import annotations

from parsers.documents.text import text_lines
from parsers.quotes.regions import Place
from parsers.quotes.runs.lines.block import block_of, is_priced, of_section
from parsers.values.separators import Locale
from parsers.values.times.dates import DateOrder


def test_the_lines_of_runs_settle_the_decimal_mark_not_the_talk_between_them() -> None:
    block = block_of(text_lines("DAX 19.850 Punkte\nDBR 2,6 08/33 99,845/65\nDBR 1,0 05/38 82,11/82,15\n"))
    assert block.locale is Locale.comma


def test_dates_are_read_by_language_evidence_currency_then_desk() -> None:
    german = block_of(text_lines("Guten Morgen zusammen, die Kurse von heute mit freundlichen Grüßen\n"))
    assert german.dates.order(Place("corp_ig", desk="north_america"), "USD") is DateOrder.dmy
    proven = block_of(text_lines("UKT 4.25 31/07/34 99.61/66\n"))
    assert proven.dates.order(Place("corp_ig"), "USD") is DateOrder.dmy
    open_block = block_of(text_lines("XYZ 5 05/06/34 98/99\n"))
    assert open_block.dates.order(Place("corp_ig"), "USD") is DateOrder.mdy
    assert open_block.dates.order(Place("corp_ig"), "EUR") is DateOrder.dmy
    assert open_block.dates.order(Place("corp_ig", desk="canada"), None) is DateOrder.mdy


def test_columns_are_where_two_lines_hold_a_cusip() -> None:
    block = block_of(text_lines("46625HJT8 JPM 98.5\n91282CJZ5 T 99.5\n   037833100 AAPL 99\n"))
    assert block.columns == {0}


def test_plusses_and_mm_are_counted() -> None:
    block = block_of(text_lines("A 99-16+ 5MM\nB 99-17+\nC 99-18+\n"))
    assert (block.plus_ticks, block.uses_mm) == (True, True)


def test_a_signature_has_no_price() -> None:
    assert not is_priced("Jane Doe 212-555-0128")
    assert is_priced("XYZ 98.25/98.75")


def test_a_section_falls_by_its_own_pairs() -> None:
    lines = text_lines("TIPS\nTII 1.375 07/33 1.92/1.90\nTII 1.75 01/34 1.955/1.935\nUS HY\nXYZ 5 03/34 98.25/98.75\n")
    whole = block_of(lines)
    assert whole.falls
    assert of_section(whole, lines, 1, "inflation_linked").falls
    assert not of_section(whole, lines, 4, "corp_hy").falls
    assert of_section(whole, lines, 4, None) is whole
