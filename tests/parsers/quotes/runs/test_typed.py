from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from parsers.document import Line
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.headings.setting import beginning
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.lines.aligned import header_line
from parsers.quotes.runs.typed import TypedTables
from parsers.quotes.work import Work

TABLE = "Name          Bid Px   Ask Px\nXYZ 5 03/34   98.25    98.75\nABC 4 01/30   97.00    98.00\n\nRegards\n"


class Counted(list[Line]):
    """Lines that count how many of them were asked for."""

    taken = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.taken += len(found) if isinstance(at, slice) else 1
        return found


def test_the_drafts_of_a_typed_table_stand_at_their_lines(part: Callable[..., PartContext]) -> None:
    lines = text_lines(TABLE)
    context = part("HY run")
    header = header_line(lines[0].text)
    assert header is not None
    table = TypedTables(lines, context, Work()).headed(header, 0, beginning(context))
    assert table is not None
    assert [(draft.line, draft.row, draft.raw_text) for draft in table.drafts] == [
        (2, None, lines[1].text),
        (3, None, lines[2].text),
    ]
    level = table.drafts[0].levels[0]
    assert TABLE[level.char_start : level.char_end] == "98.25    98.75"


def test_a_table_far_down_looks_at_the_lines_near_it_alone(part: Callable[..., PartContext]) -> None:
    lines = Counted(text_lines(1000 * "Colour of the day\n" + TABLE))
    context = part("HY run")
    header = header_line(lines[1000].text)
    assert header is not None
    assert TypedTables(lines, context, Work()).headed(header, 1000, beginning(context)) is not None
    assert lines.taken < 300


def test_rows_end_at_a_greeting(part: Callable[..., PartContext]) -> None:
    assert TypedTables(text_lines(TABLE), part(), Work()).end_of_rows(0) == 4


def test_rows_that_print_pairs_are_left_to_the_reader_of_lines(part: Callable[..., PartContext]) -> None:
    lines = text_lines("Name          Bid Px   Ask Px\nXYZ 5 03/34   98.25 / 98.75\nABC 4 01/30   97 / 98\n")
    context = part("HY run")
    header = header_line(lines[0].text)
    assert header is not None
    assert TypedTables(lines, context, Work()).headed(header, 0, beginning(context)) is None


def test_pairs_under_tenors_keep_them(runs: Callable[..., RunResult]) -> None:
    result = runs("Issuer   1W          1M\nTOYCC    4.38/4.33   4.41/4.36\n", "US COMMERCIAL PAPER")
    assert [level.tenor for draft in result.drafts for level in draft.levels] == ["1W", "1M"]


def test_a_section_behind_an_empty_line_goes_on_with_the_table(runs: Callable[..., RunResult]) -> None:
    rows = "BACR 9.625 PERP     110.25   110.75   6.45\n\nEUR AT1s\nUCGIM 6.5 PERP      105.75   106.15   5.20\n"
    result = runs(f"USD AT1s            bid      offer    ytc\n{rows}", "AT1 run")
    assert [draft.instrument.currency for draft in result.drafts] == ["USD", "EUR"]


@pytest.mark.parametrize("told", ["\nTreasuries rallied into the close\n\n", "EUR swaps steepened 2bp\n"])
def test_a_line_on_the_market_between_two_rows_ends_no_table(runs: Callable[..., RunResult], told: str) -> None:
    first, _, rest = TABLE.partition("ABC")
    found = runs(f"{first}{told}ABC{rest}", "HY")
    assert [(draft.instrument.description, draft.asset_class) for draft in found.drafts] == [
        ("XYZ 5 03/34", "corp_hy"),
        ("ABC 4 01/30", "corp_hy"),
    ]


def test_vols_under_a_pair_keep_its_name_and_their_kind(runs: Callable[..., RunResult]) -> None:
    (draft,) = runs("Tenor   USDBRL ATM\n1M      6.95/7.15\n", "FX OPTIONS").drafts
    (level,) = draft.levels
    assert (draft.instrument.description, level.tenor, level.option_struct) == ("USDBRL", "1M", "atm")


@pytest.mark.parametrize(
    "row",
    ["CELLNEX 0.75 31        88.25  88.75  31.20  38%", "CELLNEX 0.75 31        88.25  88.75  @ 31.20   38"],
)
def test_a_convertible_without_a_heading_over_its_name_keeps_name_and_sides(
    runs: Callable[..., RunResult], row: str
) -> None:
    header = "                       bid    ask    ref    delta"
    (first, _) = runs(f"{header}\n{row}\nSAFRAN 0 28            101.25 101.75 95.40  44%\n", "Convertibles").drafts
    (level,) = first.levels
    assert first.instrument.description == "CELLNEX 0.75 31"
    assert [level.bid, level.ask] == [Fraction("88.25"), Fraction("88.75")]
    assert [level.ref_price, level.delta_pct] == [Fraction("31.2"), 38]
