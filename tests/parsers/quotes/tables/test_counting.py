from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import table_of
from parsers.quotes.tables.plans.plan import plan_of


def test_nobody_counts_bonds_in_millions_of_pieces(grid: Callable[..., Grid]) -> None:
    rows = grid("Vonovia 1,5% 41 | 63,25 | 64,10 | 2 x 1")

    def columns(heading: str) -> list[Column]:
        return [column(at, (text,)) for at, text in enumerate(("Name", "Geld", "Brief", heading))]

    def planned(asset_class: str, heading: str) -> tuple[str, str]:
        plan = plan_of(table_of(columns(heading), rows.rows, headed=True), asset_class, Surroundings(), None)
        return str(plan.levels[0].quote_type), plan.sizes[0][1].unit

    assert planned("financial_sub", "Stück (Mio)") == ("price_pct", "face_ccy")
    assert planned("financial_sub", "Stück") == ("price_pct", "shares")
    assert planned("preferred", "Stück (Mio)") == ("price_unit", "shares")


def test_m_over_sizes_is_thousands_where_millions_are_too_many(read: Callable[..., list[Quote]]) -> None:
    many = read("Bond | Size (M) | Offer Px\nFFCB 4 30 | 25,000 | 100.5", "Agencies")
    few = read("Bond | Size (M) | Offer Px\nFFCB 4 30 | 25 | 100.5", "Agencies")
    assert [quote.ask_size for quote in (*many, *few)] == [25_000_000, 25_000_000]
