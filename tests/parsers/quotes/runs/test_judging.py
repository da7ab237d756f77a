from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


@pytest.mark.parametrize(
    "line",
    [
        "SPX 5,980 / VIX 14.2, WTI 71",
        "Range 97-98 for most BB names",
        "52w range: 92.5-101.25",
        "Ratings: Ba2/BB/BB+",
        "Calendar: 08:30 CPI (exp 0.2/0.3), 10:00 ISM 48.5 vs 48.2 prior",
        "GDP 2.1/2.3, unemployment 4.1-4.2",
        "We saw better sellers of energy; CHTR 4.5 05/32 traded up 1/2 pt to 86.5.",
        "New issue: ACME 8NC3 talk 8.25-8.5%, IPT T+350a",
        "10am list 22 lines / 145mm",
        "Order # 40021187, acct 5512-88",
        "Tel: 212-555-0100 / 212-555-0111",
        "Average price 98.4 / 98.6",
        "Good morning, levels at 08:30 are 98/99",
    ],
)
def test_what_only_looks_like_a_quote_is_none(runs: Runs, line: str) -> None:
    assert runs(f"HY RUN, USD\n{line}\nXYZ 5 03/34 98.25/98.75\n").drafts[0].line == 3


def test_a_story_of_sentences_is_no_run_though_it_names_a_loan(runs: Runs) -> None:
    story = "Borrower asks for S+275 from S+325. Consents due 12pm 11/24. LX210034. Agent: ABC."
    assert runs(story, "Repricing").drafts == ()


@pytest.mark.parametrize("line", ["CRT BWIC results 11/19", "CRT covers 9/12"])
def test_the_day_of_a_list_is_no_market(runs: Runs, line: str) -> None:
    assert runs(line, "CRT BWIC").drafts == ()


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("TBA rolls", "FN 5.5 Dec/Jan roll 8/9"),
        ("CDX roll", "IG46/47 roll 2/3"),
        ("CDX roll", "CDX IG roll 3/4"),
        ("iTraxx", "Xover roll 20/22"),
        ("Trade claims", "FTX customer update 98/99"),
    ],
)
def test_an_instrument_beside_a_list_s_word_has_its_market(runs: Runs, subject: str, line: str) -> None:
    assert len(runs(line, subject).drafts) == 1


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("CDS", "Telecom Italia 5y 118/124"),
        ("TRADE CLAIMS", "FTX customer claims 3mm+ 118/121"),
        ("US TREASURIES", "10y 98-16/98-17"),
        ("EM HARD CURRENCY", "AL30 68.20/68.60"),
        ("HY RUN", "Carvana 28s 98/99"),
        ("HY RUN", "Better buyers of F 6.125 03/34 at 98"),
        ("", "BACR 5.2 05/31 T+85/80"),
    ],
)
def test_a_short_line_of_its_class_is_a_quote(runs: Runs, heading: str, line: str) -> None:
    assert len(runs(f"{heading}\n{line}\n").drafts) == 1


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        pytest.param("NDF RUN", "Indicativo 18/11", id="crossed and wide"),
        pytest.param("REPO", "Mittwoch Mai 30, 2018    zen_of_python.txt    1/1", id="a page of pages"),
        pytest.param("WARRANTS", "Amendments 1-10 of the Constitution", id="numbers from and to"),
    ],
)
def test_what_no_dealer_makes_of_a_nameless_thing_is_no_market(runs: Runs, heading: str, line: str) -> None:
    assert runs(f"{heading}\n{line}\n").drafts == ()


@pytest.mark.parametrize("subject", ["Win big!! 50% off 3.5 days", "CDX tranches"])
def test_sentences_with_a_range_in_percent_are_no_tranche(runs: Runs, subject: str) -> None:
    advertised = "Offer ends 11/30/26. Ref 100/200. Save 20-30% on 4.5 star hotels\n"
    assert runs(advertised, subject).drafts == ()
