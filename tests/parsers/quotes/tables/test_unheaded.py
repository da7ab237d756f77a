"""Columns whose heading says nothing: what they are by what they hold and by what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.codes import Flag
from parsers.document import Grid
from parsers.lexicon import WordsBroken
from parsers.quote import Quote
from parsers.quotes.context import PartContext
from parsers.quotes.listed import weights_in
from parsers.quotes.tables import TableResult
from parsers.quotes.tables.account import account
from parsers.quotes.tables.columns.evidence import is_evidence
from parsers.quotes.tables.columns.weights import ROLES, weights

Read = Callable[..., list[Quote]]
Levels = Callable[..., list[tuple[str | None, ...]]]

BONDS = (
    ("XS2641318121", "ABC 5.25 34", "5.25", "15/03/2034", "98.5", "99", "500"),
    ("US0378331005", "DEF 4 31", "4.00", "01/09/2031", "101.25", "101.75", "2000"),
    ("XS2621001002", "GHI 6.125 29", "6.125", "20/05/2029", "95.125", "95.75", "1000"),
    ("XS0933241456", "JKL 3.5 33", "3.50", "30/11/2033", "88", "88.75", "750"),
)
HEADINGS = ("ISIN", "Bond", "Coupon", "Maturity", "Bid", "Ask", "Size (k)")


def table(*columns: int, **headings: str) -> str:
    """Columns of the bonds, by their numbers, some under another heading: `_4=""`."""
    heads = [headings.get(f"_{at}", HEADINGS[at]) for at in columns]
    return "\n".join(" | ".join(row) for row in (heads, *([bond[at] for at in columns] for bond in BONDS)))


@pytest.mark.parametrize("missing", ["_4", "_5"])
def test_beside_a_lone_side_a_column_that_always_lies_just_beyond_it_is_the_other(levels: Levels, missing: str) -> None:
    found = levels(table(0, 1, 4, 5, **{missing: ""}), "EUR IG")
    assert [(bid, ask) for _, _, bid, ask, _ in found] == [(bond[4], bond[5]) for bond in BONDS]


def test_nothing_says_the_side_and_so_it_is_flagged(read: Read) -> None:
    assert {Flag.side_assumed in quote.flags for quote in read(table(0, 1, 4, 5, _4=""), "EUR IG")} == {True}
    assert {Flag.side_assumed in quote.flags for quote in read(table(0, 1, 4, 5), "EUR IG")} == {False}


def test_spreads_and_yields_fall_from_bid_to_ask(levels: Levels) -> None:
    rows = "ABC 5.25 34 | 185 | 180\nDEF 4 31 | 122 | 118\nGHI 6.125 29 | 240 | 233\nJKL 3.5 33 | 95 | 91"
    found = levels(f"Bond |  | Ask Sprd\n{rows}", "USD IG spreads vs UST")
    assert [(bid, ask) for _, _, bid, ask, _ in found] == [("185", "180"), ("122", "118"), ("240", "233"), ("95", "91")]


def test_what_lies_now_above_and_now_below_a_lone_side_is_none(read: Read) -> None:
    rows = (
        "ABC 5.25 34 | 98.50 | 98.10\nDEF 4 31 | 101.25 | 102.00\nGHI 6.125 29 | 95.125 | 93.00\nJKL 3.5 33 | 88 | 91"
    )
    assert {quote.ask for quote in read(f"Bond | Bid | \n{rows}", "EUR IG")} == {None}


def test_a_heading_over_both_sides_of_which_one_has_no_word_of_its_own_is_of_both(levels: Levels) -> None:
    rows = table(0, 1, 4, 5).partition("\n")[2]
    found = levels(f"ISIN | Bond | Price | Price\n | | | Ask\n{rows}", "EUR IG")
    assert [(bid, ask, mid) for _, _, bid, ask, mid in found] == [(bond[4], bond[5], None) for bond in BONDS]


def test_identifiers_names_and_terms_need_no_heading(read: Read) -> None:
    bare = read(table(0, 1, 2, 3, 4, 5, _0="", _2="", _3=""), "EUR IG")
    said = read(table(0, 1, 2, 3, 4, 5), "EUR IG")
    terms = [(one.instrument_id, one.description, one.coupon, one.maturity) for one in said]
    assert [(one.instrument_id, one.description, one.coupon, one.maturity) for one in bare] == terms
    assert [one.description for one in read(table(0, 1, 4, 5, _1=""), "EUR IG")] == [bond[1] for bond in BONDS]


@pytest.mark.parametrize("word", ["Xyzzy", "Fri", "Yday", "Wumpus"])
def test_under_a_word_that_nobody_knows_stands_anything(levels: Levels, word: str) -> None:
    found = levels(table(0, 1, 4, 5, _4=word), "EUR IG")
    assert [(bid, ask) for _, _, bid, ask, _ in found] == [(None, bond[5]) for bond in BONDS]


@pytest.mark.parametrize(
    "others", [("5.25", "4", "6.125", "3.5"), ("-0.25", "-0.5", "-0.125", "-1"), ("245", "122", "310", "101.5")]
)
def test_coupons_changes_and_spreads_beside_a_lone_side_are_no_side(read: Read, others: tuple[str, ...]) -> None:
    rows = [f"{bond[1]} | {bond[4]} | {other}" for bond, other in zip(BONDS, others, strict=True)]
    assert {quote.ask for quote in read("\n".join(["Bond | Bid | ", *rows]), "EUR IG")} == {None}


def test_a_table_of_which_a_column_is_read_without_a_heading_is_told_apart(
    result: Callable[..., TableResult],
) -> None:
    assert {draft.unheaded for draft in result(table(0, 1, 4, 5, _4=""), "EUR IG").drafts} == {True}
    assert {draft.unheaded for draft in result(table(0, 1, 4, 5), "EUR IG").drafts} == {False}
    unknown = "Bond | Mon | Tue\n" + table(1, 4, 5).partition("\n")[2]
    assert {draft.unheaded for draft in result(unknown, "EUR IG").drafts} == {True}


def test_figures_that_nobody_reads_are_left_and_those_that_are_read_are_not(
    result: Callable[..., TableResult],
) -> None:
    assert {draft.leaves_figures for draft in result(table(0, 1, 4, 5, _4="Xyzzy"), "EUR IG").drafts} == {True}
    assert {draft.leaves_figures for draft in result(table(0, 1, 4, 5, _4=""), "EUR IG").drafts} == {False}


def test_a_table_with_many_columns_that_nobody_knows_is_not_guessed_at(read: Read) -> None:
    more = [
        " | 7.5 | 8.25 | 9.125 | 3.5",
        " | 6.5 | 7.25 | 8.125 | 4.5",
        " | 5.5 | 9.25 | 1.125 | 2.5",
        " | 1 | 2 | 3 | 4",
    ]
    head, *rows = table(0, 1, 4, 5, _4="").split("\n")
    wide = "\n".join([f"{head} | | | | ", *(row + other for row, other in zip(rows, more, strict=True))])
    assert {quote.bid for quote in read(wide, "EUR IG")} == {None}


def test_single_letters_behind_the_levels_are_no_sides(read: Read) -> None:
    rows = "ABC 5.25 34 | 98.50 | A\nDEF 4 31 | 101.25 | B\nGHI 6.125 29 | 95.125 | A"
    assert {str(quote.side) for quote in read(f"Bond | Price | \n{rows}", "EUR IG")} == {"mid"}


def test_explain_tells_what_a_column_weighs_and_by_what(
    grid: Callable[..., Grid], context: Callable[..., PartContext]
) -> None:
    first, second, last, *_ = account(grid(table(0, 1, 4, 5, _4="")), context("EUR IG"), [], (2, 3))
    assert re.fullmatch(r"no heading says what it is: it weighs \d+ for bid, -?\d+ for \w+", first)
    assert "lone_right.ask" in second
    assert last == "so it is read as: role level, side bid"
    told = account(grid(table(0, 1, 4, 5, _0="")), context("EUR IG"), [], (2, 1))
    assert told[0] == "no heading: what the column holds says role isin"


def test_the_weights_that_come_with_otclog_are_of_its_evidence() -> None:
    assert {len(weight) for weight in weights().values()} == {len(ROLES)}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"holds.water" = "bid 3"', "'holds.water' is no evidence"),
        ('"gap.wide" = "bid 3"', "'gap.wide' is no evidence"),
        ('"holds.number" = "price 3"', "'price' is none of what is weighed for"),
    ],
)
def test_weights_of_other_evidence_are_refused_with_the_line(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(f'[weights]\n"holds.number" = "bid 5"\n{line.replace("holds.number", "holds.date")}\n', "utf-8")
    with pytest.raises(WordsBroken, match=rf"^{re.escape(str(file))}:3: {re.escape(told)}"):
        weights_in(file, ROLES, is_evidence)
