from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from parsers.codes import Flag
from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.quotes.tables.plans.plan import plan_of
from parsers.values.numbers import Ticks


def table(grid: Grid, *headings: str) -> Table:
    return table_of([column(at, (text,)) for at, text in enumerate(headings)], grid.rows, headed=True)


def test_prices_are_in_32nds_by_class_by_heading_and_by_their_pluses(grid: Callable[..., Grid]) -> None:
    rows = grid("X | 99-16 | 99-17")

    def ticks(asset_class: str, *headings: str, given: Grid = rows) -> Ticks:
        plan = plan_of(table(given, *headings), asset_class, Surroundings(), "USD")
        return plan.levels[0].rules.thirty_seconds

    assert ticks("govt_us", "Security", "Bid", "Ask") is Ticks.cash
    assert ticks("corp_hy", "Security", "Bid", "Ask", given=grid("X | 99.5 | 99.75")) is Ticks.off
    assert ticks("corp_hy", "Security", "Bid Px 32nds", "Ask Px 32nds") is Ticks.dotted
    pluses = grid("X | 99-16+ | 99-17\nY | 99-20+ | 99-22\nZ | 98-10+ | 98-12")
    assert ticks("corp_hy", "Security", "Bid", "Ask", given=pluses) is Ticks.unsure


def test_a_curve_of_no_known_kind_is_left_alone(grid: Callable[..., Grid]) -> None:
    curves = table(grid("1Y | 3.91/3.93 | 2.01/2.03"), "Tenor", "USD OIS Level", "EUR OIS Level")
    assert plan_of(curves, "irs", Surroundings(), None).levels
    assert not plan_of(curves, "unknown", Surroundings(), None).levels


def test_cents_of_options_are_no_levels_of_what_they_are_on(grid: Callable[..., Grid]) -> None:
    options = table(grid("50 | 14.1 | 15.3 | 38.5"), "Strike", "Payer Bid (c)", "Payer Ask (c)", "Vol")
    assert [str(one.quote_type) for one in plan_of(options, "cds_index", Surroundings(), None).levels] == ["vol_pct"]


def test_a_spread_has_the_curve_of_its_heading_else_of_what_stands_around_it(grid: Callable[..., Grid]) -> None:
    rows = grid("KFW 2 34 | 12 | 10")
    over = [
        plan_of(table(rows, "Bond", *headings), "agency_ssa", Surroundings(benchmark="MS"), "EUR").levels[0].benchmark
        for headings in (("DBR+ Bid", "DBR+ Ask"), ("Bid Sprd", "Ask Sprd"))
    ]
    assert over == ["DBR", "MS"]


def test_equal_headings_of_two_levels_leave_their_sides_in_doubt(read: Callable[..., list[Quote]]) -> None:
    (twins,) = read("Bond | Px | Px\nF 6.1 08/32 | 101.5 | 102", "HY")
    (sided,) = read("Bond | Bid | Ask\nF 6.1 08/32 | 101.5 | 102", "HY")
    assert [(quote.bid, quote.ask) for quote in (twins, sided)] == [(Decimal("101.5"), Decimal(102))] * 2
    assert (twins.flags, sided.flags) == ((Flag.side_assumed,), ())


def test_a_title_of_swap_spreads_makes_none_of_rates(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels(
        "Tenor | Swap Bid | Swap Ask | SS Bid | SS Ask\n2Y | 3.412 | 3.417 | -20.1 | -19.5\n5Y | 3.442 | 3.447 | -28.4 | -27",
        "USD swap spreads & rates",
    )
    assert [level[1] for level in found] == ["rate_pct", "swap_spread_bp"] * 2


def test_of_no_known_class_bids_above_all_asks_are_no_prices(
    levels: Callable[..., list[tuple[str | None, ...]]],
) -> None:
    rows = "Issuer | Bid | Ask\nJPM 5 34 | 92 | 89\nBAC 5 33 | 95 | 92\nC 5 32 | 104 | 100"
    assert [level[1] for level in levels(rows)] == ["spread_unspecified_bp"] * 3
    assert [level[1] for level in levels(rows, "HY")] == ["price_pct"] * 3


def test_a_title_of_payups_says_what_bare_ticks_are(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    rows = "Cpn | LLB Bid | LLB Ask\nFN 5.0 | 28 | 31\nFN 5.5 | 22 | 25"
    assert [level[1] for level in levels(rows, "Specified pools run (payups in ticks)")] == ["payup_32"] * 2
