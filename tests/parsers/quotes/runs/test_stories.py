from __future__ import annotations

import pytest

from parsers.document import Line
from parsers.quotes.answers.named import Named
from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.quotes.runs.quoted.stories import (
    is_in_paragraph,
    is_of_a_day,
    is_of_market,
    is_of_the_day,
    is_report,
    is_sentence,
    tells,
)


@pytest.mark.parametrize(
    ("name", "level", "is_day"),
    [
        ("Commitments due", "12/4", True),
        ("CRT BWIC results", "11/19", True),
        ("FNCL 5.5 roll", "8/9", False),
        ("Commitments due", "98/99", False),
        ("Lender call", "11/18", True),
        ("First close", "11/30", True),
        ("Munis", "11/18", True),
        ("EUR IG run:", "18/11", True),
        ("CDX IG", "11/18", False),
        ("Acme 2 TL", "11/18", False),
    ],
)
def test_a_deadline_a_list_or_a_title_has_its_day(name: str, level: str, is_day: bool) -> None:
    reading = Reading(named=Named(name=name), marks=[Mark(Token(LEVEL, len(name) + 1, len(name) + 6, level))])
    assert is_of_a_day(reading, f"{name} {level}", "leveraged_loan") is is_day


def test_where_a_market_is_heads_nothing_and_a_list_with_its_day_does() -> None:
    def line(name: str, level: str) -> Reading:
        return Reading(named=Named(name=name), marks=[Mark(Token(LEVEL, 0, 1, level))])

    assert is_of_market(line("Auto spreads", "45-50"))
    assert not is_of_market(line("CLO deals", "11/19"))
    assert not is_of_market(line("AMCAR 2024-1 C", "45-50"))


def test_what_is_reported_is_no_price() -> None:
    assert is_report("pemex 6.7 32s have rallied from 84")
    assert is_report("idea: buy bacr 9.625 perp at 5.9% ytc")
    assert is_report("pemex 6.7 32 yields 9.1%")
    assert not is_report("axes and ideas, pemex 6.7 32 91/92")
    assert is_report("eurusd 1m forecast 1.05/1.07")
    assert not is_report("pemex 6.7 32 91/92")


def test_where_an_index_stands_is_told_of_bonds_and_quoted_of_curves() -> None:
    assert tells("UST 10y at 4.12%.", "govt_us")
    assert not tells("UST 10y at 4.12%", "govt_us")
    assert not tells("SPX 5,980.5", "trs")


def test_markets_beside_an_index_of_shares_are_a_comment_on_the_day_but_of_notes_on_it() -> None:
    assert is_of_the_day("SPX 6010, Main 54.5/55", "cds_index")
    assert is_of_the_day("Main 54.5/55, VIX 15.1 (-0.2), Xover 285/287", None)
    assert not is_of_the_day("ABC 8%, DAX 18500, 97.4/98.4", "structured_note")
    assert not is_of_the_day("CHTR 4.5 32 98/99, ES 5 33 97/98", "corp_hy")


@pytest.mark.parametrize(
    ("text", "is_part"),
    [
        ("with VW 4.25 29 wider by 6bp to MS+118. In HY, LOXAM gained 0.75pt", True),
        ("would be better buyers of the VW 4.25 29 at 101 for the right size", False),
        ("vw 4.25 29 101/101.25 5x5", False),
        ("VW 4.25 29 101/101.25, can work the order", False),
    ],
)
def test_what_goes_on_from_the_line_above_is_part_of_its_sentence(text: str, is_part: bool) -> None:
    above = "In cash, spreads were unchanged over Bunds; autos underperformed"
    assert is_in_paragraph([Line(1, above, 0), Line(2, text, 0)], 1) is is_part


@pytest.mark.parametrize(
    ("text", "is_story"),
    [
        ("Sur le crédit, EDF 4,75 2034 s'échange à 104,20 et Orange à 101,45.", True),
        ("On cherche BNP 7,375 PERP, on paye 104,10 pour 3M.", False),
        ("EDF 4.75 34 104.2/104.6, can work an order on the wire.", False),
        ("UCGIM 5,375 04/34 siamo lettera a 104,10 per 2 mln.", False),
        ("EDF 4.75 34 traded at 104.2 in the street today.", False),
        ("Price for XS2651001005 is 98.25 and for XS2641318121 101.10.", False),
    ],
)
def test_a_sentence_that_offers_nothing_is_a_story(text: str, is_story: bool) -> None:
    assert is_sentence(text) is is_story
