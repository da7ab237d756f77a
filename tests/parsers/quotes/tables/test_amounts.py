from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.quotes.tables.plans.plan import plan_of


def table(grid: Grid, *headings: str) -> Table:
    return table_of([column(at, (text,)) for at, text in enumerate(headings)], grid.rows, headed=True)


def test_money_is_no_spread_whatever_its_heading_says(grid: Callable[..., Grid]) -> None:
    def levels(rows: str) -> int:
        return len(plan_of(table(grid(rows), "Description", "DM"), "unknown", Surroundings(), None).levels)

    assert (levels("Parking lot | $3,388\nShelter | $0\nSea cove | $71"), levels("CLO A | 135\nCLO B | 210")) == (0, 1)


def test_money_above_any_price_is_what_a_piece_costs(grid: Callable[..., Grid]) -> None:
    def types(rows: str) -> list[str]:
        notes = table(grid(rows), "Strumento", "Denaro", "Lettera")
        return [str(one.quote_type) for one in plan_of(notes, "structured_note", Surroundings(), None).levels]

    assert types("Phoenix UCG | 912,50 € | 922,50 €") == ["price_unit"]
    assert types("Phoenix UCG | 98,50 € | 99,50 €") == ["price_pct"]
    assert types("BRC 8% | 97,40 | 98,40\nTracker SMI | 312,40 | 312,90") == ["price_pct"]
    assert types("Discount DAX | 201,35 | 201,55\nBonus Allianz | 312,40 | 312,90") == ["price_unit"]


def test_what_grows_with_the_time_is_no_rate_but_its_points(
    levels: Callable[..., list[tuple[str | None, ...]]],
) -> None:
    points = levels("Tenor | Bid | Ask\n1M | 842 | 856\n1Y | 10190 | 10330", "USD/MXN forwards")
    rates = levels("Tenor | Bid | Ask\n1M | 5.442 | 5.446\n1Y | 5.773 | 5.789", "USD/BRL NDF")
    assert [level[1] for level in (*points, *rates)] == ["fwd_points", "fwd_points", "fx_rate", "fx_rate"]


def test_a_breakeven_in_basis_points_is_none_in_percent(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    bp, pct = (levels(f"Issue | Real Yld | BEI\nTII 1 3/8 07/33 | 1.9 | {bei}") for bei in ("231.2", "2.312"))
    assert [[level[1] for level in found] for found in (bp, pct)] == [
        ["real_yield_pct"],
        ["real_yield_pct", "breakeven_pct"],
    ]


def test_a_pu_of_a_thousand_reais_is_no_price_in_percent(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels(
        "Título | Taxa Compra | Taxa Venda | PU\nLTN 2029 | 12,85 | 12,79 | 772,12\nNTN-F 2035 | 12,9 | 12,8 | 881,3"
    )
    assert [level[1] for level in found] == ["yield_pct"] * 2


def test_small_percents_under_a_spread_stay_yields(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels("ISIN | Security | Sprd\nXS2621001002 | ACME 4.375 03/31 | 4.25%\nXS2622002009 | B 3 29 | 5.10%")
    assert [(kind, mid) for _, kind, _, _, mid in found] == [("yield_pct", "4.25"), ("yield_pct", "5.1")]
