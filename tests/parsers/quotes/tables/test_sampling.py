from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.answers.measuring import Sample
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.table import table_of
from parsers.quotes.tables.plans.sampling import sample_of
from parsers.quotes.tables.plans.slots import slots


def sampled(grid: Grid, *headings: str) -> Sample:
    table = table_of([column(at, (text,)) for at, text in enumerate(headings)], grid.rows, headed=True)
    (slot,) = slots(each for each in table.columns if each.is_level)
    return sample_of(table, slot)


def test_a_sample_counts_which_side_is_lower(grid: Callable[..., Grid]) -> None:
    found = sampled(grid("X | 98 | 99\nY | 97 | 98\nZ | 99 | 98"), "Security", "Bid", "Ask")
    assert (found.low_first, found.high_first) == (2, 1)
    assert sorted(found.values) == [97, 98, 98, 98, 99, 99]


def test_curves_in_most_cells_make_a_column_of_spreads(grid: Callable[..., Grid]) -> None:
    assert sampled(grid("X | T+85/80\nY | T+90/85\nZ | --"), "Security", "Level").prefixed
    assert not sampled(grid("X | 98/99\nY | 97/98"), "Security", "Level").prefixed


def test_pairs_above_31_are_no_ticks(grid: Callable[..., Grid]) -> None:
    found = sampled(grid("JPM | 48-44\nGS | 104-99"), "Name", "5Y")
    assert found.high_first == 2
    assert sorted(found.values) == [44, 48, 99, 104]


def test_bare_spreads_beside_bonds_as_benchmarks_are_over_these(read: Callable[..., list[Quote]]) -> None:
    rows = "FHLB 4.5 | 06/12/2029 | 14 | 11 | {}\nFNMA 4.25 | 09/15/2031 | 19 | 15 | {}"
    over = read(f"Issue | Maturity | Bid | Offer | Bench\n{rows.format('T 4.125 05/29', 'T 4 08/31')}", "Agency run")
    assert [(quote.quote_type, quote.benchmark) for quote in over] == [
        ("spread_bench_bp", "T 4.125 05/29"),
        ("spread_bench_bp", "T 4 08/31"),
    ]


def test_a_trade_beside_a_cover_is_of_its_measure(read: Callable[..., list[Quote]]) -> None:
    def types(first: str, second: str) -> list[str]:
        rows = f"MSC 2018-H4 A4 | {first}\nBANK 2020-BNK26 B | {second}"
        return [quote.quote_type for quote in read(f"Security | Cover | Trade\n{rows}", "CMBS BWIC results")]

    assert types("112 | 109", "142 | 140") == ["spread_swap_bp"] * 4
    assert types("98.5 | 98.75", "71.5 | 72") == ["price_pct"] * 4
    assert types("J+392 | J+388", "J+140 | DNT") == ["spread_swap_bp"] * 3
