"""The rows of a block together show their class, and are read again under it where it is another than was read."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from parsers.codes import Code, QuoteType
from parsers.document import Cell, Document, Grid, Row
from parsers.documents.text import text_lines
from parsers.quote import Quote
from parsers.quotes.answers.classing import class_of
from parsers.quotes.answers.told import Anew, Told, with_weighed
from parsers.quotes.context import Dealer, PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.finding import drafts_of, find_quotes
from parsers.quotes.weighing.weighing import MOST_ROWS, anew_of, drawn, is_whole, reasons, weigh
from parsers.quotes.work import MOST, Work
from parsers.securities.master import of_rows

Part = Callable[..., PartContext]
LOANS = "Acme TLB L+325 06/28 99.5/100\nZeta TL S+400 03/29 98.25/98.75\nOmega TLB S+350 99/99.5\n"
BILLS = (
    ("CUSIP", "Security", "Maturity", "Bid Disc Rate %", "Ask Disc Rate %", "Bid Yld", "Ask Yld"),
    ("912797AA7", "B 03/19/27", "03/19/2027", "3.645", "3.635", "3.712", "3.702"),
    ("912797AB5", "B 04/16/27", "04/16/2027", "3.615", "3.6075", "3.689", "3.681"),
)


def lines(text: str) -> Document:
    return Document(tuple(text_lines(text)), parser="text")


def table(*rows: tuple[str, ...]) -> Document:
    cells = [tuple(Cell(text=text, column=at) for at, text in enumerate(row, 1)) for row in rows]
    grid = Grid(tuple(Row(number, row) for number, row in enumerate(cells, 1)), table_idx=1)
    return Document((grid,), parser="html")


def told_by_rows(quotes: tuple[Quote, ...]) -> set[tuple[str, str]]:
    return {(str(quote.asset_class), quote.class_source) for quote in quotes}


def test_lines_below_words_of_another_class_are_read_as_what_all_of_them_show(part: Part) -> None:
    quotes = find_quotes(lines(LOANS), part("Municipals")).quotes
    assert told_by_rows(quotes) == {("leveraged_loan", "weighed")}
    assert [(quote.bid_raw, quote.quote_type) for quote in quotes] == [
        ("99.5", QuoteType.price_pct),
        ("98.25", QuoteType.price_pct),
        ("99", QuoteType.price_pct),
    ]


def test_rows_of_a_table_are_weighed_as_lines_are(part: Part) -> None:
    quotes = find_quotes(table(*BILLS), part("Swaps")).quotes
    assert told_by_rows(quotes) == {("govt_us", "weighed")}
    assert [(quote.bid_raw, quote.quote_type) for quote in quotes[:2]] == [
        ("3.645", QuoteType.discount_rate_pct),
        ("3.712", QuoteType.yield_pct),
    ]


def test_what_the_words_say_stands_where_the_rows_agree(part: Part) -> None:
    assert told_by_rows(find_quotes(lines(LOANS), part("Leveraged loans")).quotes) == {("leveraged_loan", "subject")}


@pytest.mark.parametrize(
    ("subject", "text", "asset_class"),
    [
        ("Municipals", "ILS 5.1 06/33 98.5/99 500M\n", "us_muni"),
        ("Municipals", "California GO 5 10/34 108.25/108.75\nNYC 4 08/41 99/99.5\n", "us_muni"),
        ("US Treasuries", "4.625 02/46 99.5/99.53\n", "govt_us"),
        ("CDs", "GS 4.5 02/27 99.9/100\nJPM 4.4 01/27 99.95/100.05\nC 4.1 04/27 99.8/99.9\n", "cd"),
        ("Tier 2 bank capital", "BACR 5.088 06/30 T+150/145\nHSBC 6.5 09/37 T+160/155\n", "financial_sub"),
        ("ABS", "AMXCA 5 05/29 I+35/32\n", "abs"),
        ("HY crossover run", "CHTR 4.5 05/32 T+285/275\nF 6.1 08/32 T+195/185\n", "corp_hy"),
    ],
)
def test_plain_words_stand_over_rows_that_bonds_of_many_classes_could_be(
    part: Part, subject: str, text: str, asset_class: str
) -> None:
    assert told_by_rows(find_quotes(lines(text), part(subject)).quotes) == {(asset_class, "subject")}


def test_rows_of_which_nobody_said_the_class_are_not_given_one(part: Part) -> None:
    quotes = find_quotes(lines("XYZ 5 03/34 98.25/98.75\nABC 4 01/30 97/98\n"), part("Levels")).quotes
    assert told_by_rows(quotes) == {("unknown", "none")}


@pytest.mark.parametrize("source", ["sender", "dictionary"])
def test_what_the_user_says_of_a_dealer_or_an_instrument_is_not_weighed_against(part: Part, source: str) -> None:
    bonds = lines("XYZ 5 03/34 98.25/98.75\nABC 4 01/30 97/98\n")
    context = part("Levels", Dealer(name="Desk", asset_class="clo" if source == "sender" else None))
    if source == "dictionary":
        cells = ("security_id", "ticker", "coupon", "maturity", "asset_class")
        bought = (("X", "XYZ", "5", "2034-03-15", "clo"), ("A", "ABC", "4", "2030-01-15", "clo"))
        known = of_rows([("row", dict(zip(cells, row, strict=True))) for row in bought])
        context = replace(context, mail=replace(context.mail, securities=known))
    assert told_by_rows(find_quotes(bonds, context).quotes) == {("clo", source)}
    by_others = [replace(draft, class_source="subject") for draft in drafts_of(bonds, context)]
    assert [anew.weighed for anew in anew_of(weigh(by_others))] == ["corp_hy"]


@pytest.mark.parametrize("source", ["header", "identifier"])
def test_a_class_that_a_column_or_the_kind_of_identifier_prints_is_not_weighed_against(source: str) -> None:
    told = Told(((None if source == "identifier" else "repo", source),))
    again = with_weighed(told, (Anew(told, "repo", "irs"), Anew(told, "leveraged_loan", "irs")))
    identifiers = [("loanx_id", "LX131555")] if source == "identifier" else []
    assert class_of("Acme", identifiers, again) == class_of("Acme", identifiers, told)


def test_a_block_is_told_by_its_words_so_others_below_the_same_class_stay() -> None:
    told, other = Told((("govt_us", "heading"),)), Told((("govt_us", "subject"),))
    anew = (Anew(told, "govt_us", "us_muni"),)
    assert class_of("X 4 34", (), with_weighed(told, anew)) == ("us_muni", "weighed")
    assert class_of("X 4 34", (), with_weighed(other, anew)) == ("govt_us", "subject")


def test_a_reading_that_loses_a_row_is_not_whole(part: Part) -> None:
    all_of_them = find_quotes(lines(LOANS), part("Loans")).quotes
    assert is_whole(all_of_them, all_of_them)
    assert is_whole(all_of_them[:2], all_of_them)
    assert not is_whole(all_of_them, all_of_them[1:])


def test_of_a_long_block_rows_from_all_of_it_are_weighed(part: Part) -> None:
    drafts = drafts_of(lines("".join(f"XYZ 5 03/{year} 98.25/98.75\n" for year in range(30, 99))), part("HY"))
    some = drawn(drafts)
    assert len(some) == MOST_ROWS
    assert some[0].line == 1
    assert (some[-1].line or 0) > len(drafts) - len(drafts) // MOST_ROWS - 1
    (block,) = weigh(drafts)
    assert block.rows == MOST_ROWS


def test_weighing_counts_as_work_and_a_part_without_as_much_left_stays_as_it_was_read(part: Part) -> None:
    document, context = lines(LOANS), part("Municipals")
    whole = Work()
    assert told_by_rows(find_quotes(document, context, whole).quotes) == {("leveraged_loan", "weighed")}
    twice = MOST - whole.left
    found = find_quotes(document, context, Work(twice * 3 // 4))
    assert told_by_rows(found.quotes) == {("us_muni", "subject")}
    assert [reject for reject in found.rejects if reject.code is Code.PART_TOO_LARGE] == []


def remarked(part: Part, remark: str) -> Sequence[Draft]:
    """Rows of a table with a remark, no two alike."""
    rows = (
        ("Security", "Bid", "Ask", "Comment"),
        *((f"XYZ 5 03/{at}", "98.25", "98.75", remark) for at in range(30, 54)),
    )
    return drafts_of(table(*rows), part("IG corporates"))


def test_of_a_long_row_the_beginning_is_weighed_and_counted_as_work(part: Part) -> None:
    spent = []
    shown = []
    for size in (10, 1_000, 100_000):
        work = Work()
        (block,) = weigh(remarked(part, f"{'x' * size} z+12 callable"), work)
        spent.append(MOST - work.left)
        shown.append("over.z" in block.shown)
    assert shown == [True, False, False]
    assert spent[0] < spent[1] == spent[2]


def test_long_rows_are_not_remembered(part: Part) -> None:
    weigh(remarked(part, "x"))
    tracemalloc.start()
    try:
        weigh(remarked(part, "x" * 100_000))
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 500_000
    finally:
        tracemalloc.stop()


def test_a_block_is_weighed_only_where_as_much_work_is_left(part: Part) -> None:
    drafts, work = remarked(part, "x"), Work()
    (block,) = weigh(drafts, work)
    assert weigh(drafts, Work(MOST - work.left)) == []
    assert weigh(drafts, Work(MOST - work.left + 1)) == [block]


def test_the_reasons_name_the_runner_up_and_the_factors_with_their_sums(part: Part) -> None:
    (block,) = weigh(drafts_of(lines(LOANS), part("Municipals")))
    (anew,) = anew_of([block])
    assert (anew.read, anew.weighed) == ("us_muni", "leveraged_loan")
    first, second, factors = reasons(block)
    (best, name), (next_best, runner_up) = block.ranked[:2]
    assert first == f"{block.rows} rows together weigh {best} for {name}, {next_best} for {runner_up}"
    assert second.startswith("they were read as us_muni first, for which they weigh ")
    assert factors.startswith("for leveraged_loan weigh ")
    assert "form.leveraged_loan +" in factors
