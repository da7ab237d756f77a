"""Cells below headings are the sides of a market only where the headings say so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]
ROW = "XS2621001002 | 99.815 | 100.065"


@pytest.mark.parametrize("heads", ["ISIN | Yesterday | Today", "ISIN | Low | High", "Papier | Foo | Bar"])
def test_two_cells_whose_headings_say_no_sides_are_no_bid_and_ask(runs: Runs, heads: str) -> None:
    found = runs(f"{heads}\n{ROW}\n", "HY run")
    assert found.drafts == ()
    assert [(reject.code, reject.raw_text) for reject in found.rejects] == [(Code.ROW_AMBIGUOUS_NUMBER, ROW)]


@pytest.mark.parametrize("heads", ["ISIN | Bid | Ask", "Bonds", "Sold | Bought", "HY run\n"])
def test_without_such_headings_they_are(runs: Runs, heads: str) -> None:
    (draft,) = runs(f"{heads}\n{ROW}\n", "HY run").drafts
    assert (draft.levels[0].bid_raw, draft.levels[0].ask_raw) == ("99.815", "100.065")


def test_a_market_within_a_cell_needs_no_heading(runs: Runs) -> None:
    (draft,) = runs("ISIN | Today | Note\nXS2621001002 | 99.5/100 | new\n", "HY run").drafts
    assert draft.levels[0].ask_raw == "100"


def test_headings_end_where_a_line_has_other_cells(runs: Runs) -> None:
    found = runs(f"ISIN | Yesterday | Today\nXS2621001002 | 99.5 | 100 | x\n\nBonds\n{ROW}\n", "HY run")
    assert [draft.raw_text for draft in found.drafts][-1] == ROW
