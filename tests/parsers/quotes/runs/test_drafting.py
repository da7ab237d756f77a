from __future__ import annotations

from collections.abc import Callable
from datetime import time

from parsers.codes import Firmness, QuoteKind
from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult
from parsers.values.times.moments import Printed

Runs = Callable[..., RunResult]


def one(runs: Runs, text: str, **context: object) -> Draft:
    (draft,) = runs(text, **context).drafts
    return draft


def test_one_sided_interest_on_an_axe_list_is_an_axe_and_a_market_stays_one(runs: Runs) -> None:
    drafts = runs("HY AXES\nBetter buyer of XYZ 5 03/34 98\nABC 4 01/30 97/98\n").drafts
    assert [level.quote_kind for draft in drafts for level in draft.levels] == [QuoteKind.axe, QuoteKind.market]
    assert (drafts[0].is_axe_bid, drafts[0].is_axe_ask) == (True, False)


def test_closing_runs_are_marks_and_indications_are_markets(runs: Runs) -> None:
    assert one(runs, "HY closing marks\nXYZ 5 03/34 98/99\n").levels[0].quote_kind is QuoteKind.mark
    indicated = one(runs, "HY indicative levels\nXYZ 5 03/34 98/99\n")
    assert (indicated.levels[0].quote_kind, indicated.firmness) == (QuoteKind.market, Firmness.indicative)


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
