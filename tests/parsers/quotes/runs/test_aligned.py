from __future__ import annotations

from parsers.quotes.runs.lines.aligned import cells, header_line


def test_cells_are_cut_at_tabs_bars_or_wide_gaps() -> None:
    assert [cell for _, _, cell in cells("a\tb c\t\td")] == ["a", "b c", "", "d"]
    assert [cell for _, _, cell in cells("| a | b c | d |")] == ["a", "b c", "d"]
    assert [cell for _, _, cell in cells("a b  c   d")] == ["a b", "c", "d"]


def test_a_header_needs_an_identity_and_a_level() -> None:
    header = header_line("CUSIP      Issue             B Spd/A Spd  B Sz x A Sz  Bench")
    assert header is not None
    assert header.hints == ("spread",)
    assert header_line("Good morning   all of you") is None
    assert header_line("XYZ 5 03/34   98.25   98.75") is None


def test_bid_and_ask_of_one_measure_are_one_hint() -> None:
    header = header_line("Name   Bid Px   Ask Px   Bid Yld   Ask Yld")
    assert header is not None
    assert (header.hints, header.is_split) == (("price", "yield_pct"), True)


def test_guidance_of_new_issues_heads_no_quotes() -> None:
    header = header_line("Name   Size   IPT   Guidance   Spread")
    assert header is not None
    assert header.is_primary


def test_levels_headed_by_tenors_or_kinds_of_option_are_a_curve() -> None:
    for text, is_curve in (("Issuer   1W   1M", True), ("Tenor   USDBRL ATM", True), ("Issuer   Bid   Ask", False)):
        header = header_line(text)
        assert header is not None
        assert header.is_curve is is_curve


def test_a_row_between_bars_may_begin_with_an_empty_cell() -> None:
    assert [cell for _, _, cell in cells("       | ACME 5 03/34 | 98 | 99")] == ["", "ACME 5 03/34", "98", "99"]
    assert [cell for _, _, cell in cells("   | ACME 5 03/34 | 98 | 99 |")] == ["ACME 5 03/34", "98", "99"]


def test_names_without_a_heading_stand_in_front_of_a_header_that_begins_with_sides() -> None:
    for text, first in (
        ("                bid    ask    ref    delta", "Name"),
        ("                Bid    Ask    Stk", "Name"),
        ("                Bid    Ask    Security", "Bid"),
        ("bid    ask    ref    delta", "bid"),
    ):
        header = header_line(text)
        assert header is not None
        assert header.texts[0] == first


def test_headings_of_both_sides_with_one_blank_between_are_two() -> None:
    header = header_line("SECURITY          BID PX   ASK PX   BID SZ ASK SZ")
    assert header is not None
    assert header.texts == ("SECURITY", "BID PX", "ASK PX", "BID SZ", "ASK SZ")
    assert header.spans[-2:] == ((36, 42), (43, 49))


def test_a_record_heads_its_lines_without_a_level() -> None:
    assert header_line("ISIN   Security   Fee (bp)   Available") is not None
    assert header_line("ISIN   Security   Available") is None
