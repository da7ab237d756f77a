"""How far rows are trusted: by what they show, the sum of it, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from parsers.codes import Code, Flag, QuoteType
from parsers.document import Document
from parsers.documents.text import text_lines
from parsers.parse import parse_mail
from parsers.quotes.assemble import Assembled, assemble, assembled
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.finding import find_quotes, rows_of, trusted_of
from parsers.quotes.trust.factors import is_factor
from parsers.quotes.trust.trust import reasons, trust_of
from parsers.quotes.trust.weights import FILE, Weights, weights, weights_of
from tests.parsers.quotes.desks.cases import mail, page_of

Part = Callable[..., PartContext]
BY = Weights(
    factors=MappingProxyType({"class.subject": 30, "flag.wide": -25, "side.bid": -40}),
    accepted=20,
    review=-20,
    shares=((-20, Decimal("0.400")), (0, Decimal("0.700")), (20, Decimal("0.990"))),
)
RUN = "XYZ 5 03/34 98.25/98.75 5x5\nABC 4 01/30 97/98 2x2\nDEF 6 02/31 101/102 1x1\n"


def lines(text: str) -> Document:
    return Document(tuple(text_lines(text)), parser="text")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (("class.subject", "kind.market"), (30, "0.990", "accepted")),
        (("class.subject", "flag.wide"), (5, "0.700", "review")),
        ((), (0, "0.700", "review")),
        (("class.subject", "flag.wide", "side.bid"), (-35, "0.000", None)),
    ],
)
def test_a_row_is_trusted_by_the_sum_of_what_it_shows(
    shown: tuple[str, ...], expected: tuple[int, str, str | None]
) -> None:
    found = trust_of(shown, BY)
    assert (found.total, str(found.confidence), found.status) == expected


@pytest.mark.parametrize("doubt", ["flag.crossed", "flag.id_conflict", "flag.ambiguous_tick", "heading.unheaded"])
def test_nothing_outweighs_a_doubt_that_too_few_known_mails_show(doubt: str) -> None:
    assert is_factor(doubt)
    found = trust_of(("class.subject", doubt), BY)
    assert (found.total, found.status) == (19, "review")
    assert f"never accepted with {doubt}" in list(reasons(("class.subject", doubt), BY))


def test_the_factors_that_are_told_add_up_to_the_sum() -> None:
    told, limits = reasons(("class.subject", "kind.market", "flag.wide"), BY)
    assert told == "trusted by 5: class.subject +30, flag.wide -25"
    assert limits == "rows are accepted from 20 on, kept for review from -20 on"


def test_all_that_rows_show_is_on_the_closed_list(part: Part) -> None:
    cells = page_of([["ISIN", "Bid", "Ask", ""], ["XS2641318121", "98.25", "98.75", "7.5"]])
    quotes = parse_mail(mail("HY run", cells, "html")).quotes
    rows = [*rows_of(lines(RUN), part("HY run")), *rows_of(lines("XYZ 5 03/34 98.25/98.75"), part())]
    assert quotes
    assert rows
    assert [name for row in rows for name in row.factors if not is_factor(name)] == []


def test_a_row_among_others_like_it_shows_that_and_how_much_they_weigh_for_their_class(part: Part) -> None:
    (alone,) = rows_of(lines(RUN.splitlines()[0]), part("HY run"))
    among = list(rows_of(lines(RUN), part("HY run")))
    assert "alike.below_2" in alone.factors
    assert [("alike.below_5" in row.factors, "margin.none" in row.factors) for row in among] == [(True, False)] * 3


def test_a_table_shows_that_a_column_of_figures_without_a_heading_was_left() -> None:
    whole = parse_mail(mail("HY run", page_of([["Issue", "Bid", "Ask"], ["XYZ 5 34", "98.25", "98.75"]]), "html"))
    left = parse_mail(mail("HY run", page_of([["Issue", "Bid", ""], ["XYZ 5 34", "98.25", "98.75"]]), "html"))
    assert [quote.side for quote in (*whole.quotes, *left.quotes)] == ["two_way", "bid"]
    assert left.quotes[0].confidence < whole.quotes[0].confidence


@pytest.mark.parametrize(
    ("text", "grounds"),
    [
        ("XYZ 5 03/34 98.25/98.75 5x5", {"side.two_way", "size.printed", "digits.broken", "bond.whole"}),
        ("XYZ 5 03/34 98.25/98.75", {"side.two_way", "digits.broken", "bond.whole"}),
        ("XYZ 5 03/34 98/99", {"side.two_way", "bond.whole"}),
    ],
)
def test_a_row_shows_how_many_grounds_tell_that_it_is_a_quote(part: Part, text: str, grounds: set[str]) -> None:
    (row,) = rows_of(lines(text), part())
    assert grounds <= set(row.factors)
    assert f"grounds.{len(grounds)}" in row.factors


@pytest.mark.parametrize(
    ("text", "is_day"),
    [
        ("Wumpus: 12/31", True),
        ("Wumpus: 31/12", True),
        ("Wumpus: 24/17", False),
        ("Wumpus: 4.1/4.2", False),
        ("Wumpus 5 03/34 11/12 5x5", False),  # of a bond whole, with sizes
    ],
)
def test_values_that_might_be_a_day_with_little_else_beside_them_are_never_accepted(
    part: Part, text: str, is_day: bool
) -> None:
    (row,) = rows_of(lines(text), part("repo rates"))
    assert ("digits.day" in row.factors) == is_day
    if is_day:
        (quote,) = find_quotes(lines(text), part("repo rates")).quotes
        assert quote.status == "review"


def test_words_that_nobody_knows_beside_a_quote_are_counted(part: Part) -> None:
    (plain,) = rows_of(lines("XYZ 5 03/34 98.25/98.75"), part("HY run"))
    assert {"words.line_below_1", "unknown.line_below_1"} <= set(plain.factors)
    (talk,) = rows_of(lines("XYZ 5 03/34 98.25/98.75 zzyzx quuxly frobnic"), part("HY run"))
    assert "unknown.line_below_4" in talk.factors


def test_a_quote_is_told_why_it_is_trusted_by_its_record_id(part: Part) -> None:
    document = lines(RUN)
    for quote in find_quotes(document, part("HY run")).quotes:
        told, limits = trusted_of(quote.record_id, document, part("HY run"))
        total = int(told.removeprefix("trusted by ").partition(":")[0])
        assert quote.status == ("accepted" if total >= weights().accepted else "review")
        assert f"from {weights().accepted} on" in limits
    assert trusted_of("nobody's", document, part("HY run")) == ()


def test_what_is_trusted_too_little_is_refused_with_its_code_and_place(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = Level(quote_type=QuoteType.price_pct, bid=Fraction(98), ask=Fraction(99), char_start=0, char_end=5)
    draft = Draft(instrument=Instrument(description="XYZ 5 03/34"), levels=(level,), line=3, raw_text="x")
    row = next(row for row in assembled(draft, part()) if isinstance(row, Assembled))
    least = replace(weights(), review=trust_of(row.factors, weights()).total + 1)
    monkeypatch.setattr("parsers.quotes.assemble.weights", lambda: least)
    quotes, (reject,) = assemble(draft, part())
    assert (quotes, reject.code, reject.locator) == ((), Code.ROW_LOW_CONFIDENCE, "line 3")


def test_no_flag_of_the_weights_that_come_with_otclog_adds_to_trust() -> None:
    found = weights_of(FILE)
    flags = {name: weight for name, weight in found.factors.items() if name.startswith("flag.")}
    assert flags
    assert max(flags.values()) < 0
    assert {f"flag.{flag}" for flag in Flag} >= flags.keys()
