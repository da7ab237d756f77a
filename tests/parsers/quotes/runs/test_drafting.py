from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from fractions import Fraction

import pytest

from parsers.codes import Firmness, Flag, QuoteKind
from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult
from parsers.values.moments import Printed

Runs = Callable[..., RunResult]


def one(runs: Runs, text: str, **context: object) -> Draft:
    (draft,) = runs(text, **context).drafts
    return draft


@pytest.mark.parametrize(
    ("line", "bid", "ask"),
    [
        ("XYZ 5 03/34 98/99 2x5", 2, 5),
        ("XYZ 5 03/34 98/99 2mm", 2, 2),
        ("XYZ 5 03/34 98 bid, 5mm", 5, None),
        ("XYZ 5 03/34 @ 99 5mm", None, 5),
        ("XYZ 5 03/34 98/99 2mm 5mm", 2, 5),
    ],
)
def test_one_size_counts_for_the_sides_there_are(runs: Runs, line: str, bid: int | None, ask: int | None) -> None:
    sizes = one(runs, f"HY RUN\n{line}\n").sizes
    assert (sizes.bid, sizes.ask) == tuple(side * 1_000_000 if side else None for side in (bid, ask))


def test_a_list_of_bids_wanted_has_bid_sizes_and_one_of_offers_ask_sizes(runs: Runs) -> None:
    wanted = one(runs, "CLO BWIC\n67592CAA4 OCT67 2023-1A A1 5mm talk mid 90s\n")
    offered = one(runs, "CLO OWIC\n67592CAA4 OCT67 2023-1A A1 5mm talk mid 90s\n")
    assert (wanted.sizes.bid, wanted.sizes.ask) == (Fraction(5_000_000), None)
    assert (offered.sizes.bid, offered.sizes.ask) == (None, Fraction(5_000_000))


def test_a_munis_quantity_is_in_thousands(runs: Runs) -> None:
    assert one(runs, "MUNIS\n500 CALIF ST GO 5s 34 3.45/3.40\n").sizes.bid == 500_000
    assert one(runs, "MUNI BIDS, sizes in M\n500 CALIF ST GO 5s 34 3.45 bid\n").sizes.bid == 500_000


def test_a_headings_unit_is_not_assumed(runs: Runs) -> None:
    told = one(runs, "HY RUN - sizes in mm\nXYZ 5 03/34 98/99 2x5\n")
    assumed = one(runs, "HY RUN\nXYZ 5 03/34 98/99 2x5\n")
    assert Flag.size_unit_assumed not in told.sizes.flags
    assert Flag.size_unit_assumed in assumed.sizes.flags


def test_one_sided_interest_on_an_axe_list_is_an_axe_and_a_market_stays_one(runs: Runs) -> None:
    drafts = runs("HY AXES\nBetter buyer of XYZ 5 03/34 98\nABC 4 01/30 97/98\n").drafts
    assert [level.quote_kind for draft in drafts for level in draft.levels] == [QuoteKind.axe, QuoteKind.market]
    assert (drafts[0].is_axe_bid, drafts[0].is_axe_ask) == (True, False)


def test_closing_runs_are_marks_and_indications_are_markets(runs: Runs) -> None:
    assert one(runs, "HY closing marks\nXYZ 5 03/34 98/99\n").levels[0].quote_kind is QuoteKind.mark
    indicated = one(runs, "HY indicative levels\nXYZ 5 03/34 98/99\n")
    assert (indicated.levels[0].quote_kind, indicated.firmness) == (QuoteKind.market, Firmness.indicative)


def test_dates_currencies_and_tenors_come_from_line_and_heading(runs: Runs) -> None:
    gilt = one(runs, "GILTS\nUKT 4.25 31/07/34 99.61/66\n")
    assert (gilt.instrument.maturity, gilt.instrument.maturity_text) == (date(2034, 7, 31), "31/07/34")
    swap = one(runs, "SWAPS\nEUR 6s 2y 2.1125/75\n")
    assert (swap.instrument.currency, swap.instrument.tenor) == ("EUR", "2Y")
    assert one(runs, "HY RUN, EUR\nXYZ 5 03/34 98/99\n").instrument.currency == "EUR"


def test_a_curve_without_a_name_is_named_by_its_title(runs: Runs) -> None:
    assert one(runs, "SONIA OIS\n1Y 3.84/3.86\n").instrument.description == "SONIA OIS 1Y"
    assert one(runs, "FX forwards EURUSD\n1W 12.5/12.8 pts\n").instrument.description == "EURUSD 1W"


def test_a_distressed_bond_trades_flat(runs: Runs) -> None:
    assert one(runs, "DISTRESSED\nVENZ 9.25 27 17.5/18.25\n").is_flat


def test_a_deals_shelf_leaves_the_headings_currency(runs: Runs) -> None:
    assert runs("ABS RUN - USD\nCNH 2024-22 A2 1.9y I+95/90 10x\n").drafts[0].instrument.currency == "USD"


def test_a_time_in_front_of_a_line_is_its_quotes_and_one_in_a_list_the_auctions(runs: Runs) -> None:
    assert one(runs, "HY RUN\n09:45 XYZ 5 03/34 98/99\n").printed == Printed(time=time(9, 45))
    assert one(runs, "HY RUN\nXYZ 5 03/34 98/99 call 09:45\n").printed is None
    assert one(runs, "CLO BWIC\n10:00 67592CAA4 OCT67 2023-1A A1 5mm talk mid 90s\n").printed is None


def test_a_heading_dates_the_lines_under_it(runs: Runs) -> None:
    first, second = runs("HY RUN as of 09:45\nXYZ 5 03/34 98/99\nupdated 10:15\nABC 4 01/30 97/98\n").drafts
    assert (first.said_at, second.said_at) == (
        Printed(time=time(9, 45), is_as_of=True),
        Printed(time=time(10, 15), is_as_of=True),
    )


@pytest.mark.parametrize(
    ("lines", "is_unsure"),
    [
        ("XYZ 5 05/06/34 98/99", True),
        ("XYZ 5 05/15/34 98/99", False),
        ("XYZ 5 05/06/34 98/99\nABC 4 15/01/30 97/98", False),  # the block proves its order
        ("XYZ 5 2034-05-06 98/99", False),
        ("XYZ 5 05/34 98/99", False),
    ],
)
def test_a_date_that_reads_both_ways_where_nothing_proves_the_order_is_unsure(
    runs: Runs, lines: str, *, is_unsure: bool
) -> None:
    assert runs(f"HY RUN\n{lines}\n").drafts[0].instrument.is_due_unsure == is_unsure
