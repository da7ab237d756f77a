from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid, Line
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.rtf import read_rtf
from parsers.documents.word.rtftokens import tokens

Grids = Callable[[Document], list[Grid]]
Lines = Callable[[Document], list[str]]
Texts = Callable[[Grid], list[list[str]]]


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1\ansi 98\'bd bid\par}", "98½ bid"),
        (rb"{\rtf1\ansi\ansicpg1250 za\'bf\'f3\'b3\'e6\par}", "zażółć"),
        (rb"{\rtf1\uc1 99\u189?\par}", "99½"),
        (rb"{\rtf1\uc2 99\u8211 ab1\par}", "99–1"),
        (rb"{\rtf1{\fonttbl{\f0 Arial;}}{\*\secret x}T+85/80\par}", "T+85/80"),
        (rb"{\rtf1 a{\v hidden}b\par}", "ab"),
        (rb"{\rtf1 a\tab b\emdash c\par}", "a\tb—c"),
    ],
)
def test_text_is_decoded_and_what_is_no_text_left_out(rtf: bytes, text: str, lines: Lines) -> None:
    assert lines(read_rtf(rtf)) == [text]


def test_tables_are_grids_and_wide_cells_span(grids: Grids, lines: Lines, texts: Texts) -> None:
    rtf = (
        rb"{\rtf1 Talk\par\trowd\cellx2000\cellx3000\intbl CUSIP\cell Talk\cell\row"
        rb"\trowd\cellx3000\intbl{\b ABS}\cell\row"
        rb"\trowd\cellx2000\cellx3000\intbl 30166QAG4\cell{\strike high 90s}\cell\row\pard after\par}"
    )
    document = read_rtf(rtf)
    (grid,) = grids(document)
    assert texts(grid) == [["CUSIP", "Talk"], ["ABS", ""], ["30166QAG4", "high 90s"]]
    assert grid.rows[1].cells[0].col_span == 2
    assert grid.rows[1].cells[0].bold
    assert grid.rows[2].cells[1].struck
    assert lines(document) == ["Talk", "after"]


def test_html_wrapped_in_rtf_is_read_as_html(grids: Grids, texts: Texts) -> None:
    rtf = (
        rb"{\rtf1\ansi\fromhtml1 {\*\htmltag <table><tr><td>}A{\*\htmltag </td><td>}\htmlrtf {\htmlrtf0 98.5"
        rb"\htmlrtf }\htmlrtf0{\*\htmltag </td></tr></table>}}"
    )
    document = read_rtf(rtf)
    assert [texts(grid) for grid in grids(document)] == [[["A", "98.5"]]]
    assert document.parser == "rtf"


@pytest.mark.parametrize(
    "rtf", [b"{\\rtf1" + b"{" * 100_000, b"{\\rtf1\\bin99999999 x", b"{\\rtf1 a}}}}} b\\par", b"{\\rtf1\\'", b"\\", b""]
)
def test_damaged_files_give_what_can_be_read(rtf: bytes) -> None:
    for block in read_rtf(rtf).blocks:
        assert isinstance(block, Line)
    assert all(token.kind in {"open", "close", "word", "text"} for token in tokens(rtf))


def test_a_price_that_is_struck_and_replaced_is_gone(grids: Grids, lines: Lines, texts: Texts) -> None:
    rtf = rb"{\rtf1 XS1 {\strike 98.25/98.75} 97/97.5\par\trowd\cellx100\cellx200\intbl A\cell\strike 98\strike0 97\cell\row\pard}"
    document = read_rtf(rtf)
    assert [" ".join(line.split()) for line in lines(document)] == ["XS1 97/97.5"]
    assert texts(grids(document)[0]) == [["A", "97"]]


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1 98.25{\super 1}/98.75{\super 2}\par}", "98.25¹/98.75²"),
        (rb"{\rtf1 98.25\up6 1\up0  bid\par}", "98.25¹ bid"),
        (rb"{\rtf1 98\super 1\nosupersub /\sub 2\par}", "98 1/2"),
    ],
)
def test_a_raised_footnote_is_no_digit_of_the_price_before_it(rtf: bytes, text: str, lines: Lines) -> None:
    assert lines(read_rtf(rtf)) == [text]


def test_what_follows_hidden_text_in_its_group_is_read(lines: Lines) -> None:
    rtf = rb"{\rtf1 Runs \v internal\v0\par\v 97/98\plain\par{\deleted 96/97\deleted0 98.25/98.75}\par}"
    assert lines(read_rtf(rtf)) == ["Runs", "", "98.25/98.75"]


@pytest.mark.slow
def test_a_table_whose_rows_have_all_other_edges_takes_no_time(grids: Grids) -> None:
    row = rb"\trowd\cellx%d\cellx%d\intbl a\cell b\cell\row "
    began = time.process_time()
    with pytest.raises(Unreadable) as refused:
        read_rtf(
            rb"{\rtf1 " + b"".join(row % (at * 40 + 40, at * 40 + 90_000) for at in range(3000)) + rb"\pard x\par}"
        )
    assert refused.value.code is Code.PART_TOO_LARGE
    (grid,) = grids(
        read_rtf(rb"{\rtf1\trowd" + b"".join(rb"\cellx%d" % at for at in range(20_000)) + rb"\row" * 20_000)
    )
    assert len(grid.rows) == 20_000
    assert time.process_time() - began < 10


def test_rows_beyond_the_200_000_of_a_sheet_are_refused_and_those_before_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    rtf = rb"{\rtf1 " + rb"\trowd\cellx1\cellx900\intbl 98\cell 99\cell\row " * 4 + rb"\pard 97\par}"
    monkeypatch.setattr("parsers.documents.word.rtf.MAX_ROWS", 3)
    document = read_rtf(rtf)
    assert document.truncated
    (grid,) = document.blocks
    assert isinstance(grid, Grid)
    assert len(grid.rows) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        b"{}",
        b"{",
        b"{a}",
        rb"\par",
        rb"\row",
        rb"\cellx1",
        rb"\cell",
        rb"\b",
        rb"\'41",
        rb"\u65?",
        rb"\bin0 ",
        rb"\*",
        b"a\n",
    ],
)
def test_a_file_of_one_thing_a_hundred_thousand_times_takes_no_time(piece: bytes) -> None:
    began = time.process_time()
    read_rtf(rb"{\rtf1 " + piece * 100_000)
    assert time.process_time() - began < 3
