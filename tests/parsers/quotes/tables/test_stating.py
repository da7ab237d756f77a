from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell
from parsers.quotes.tables.columns.stating import stated_measure


@pytest.mark.parametrize(
    ("text", "measure"),
    [("bps", "spread"), ("pts upf", "upfront_pts"), ("Px", "price"), ("DM", "dm_bp"), ("TMT", None), ("Bid", None)],
)
def test_a_cell_states_a_measure_as_a_heading_would(text: str, measure: str | None) -> None:
    assert stated_measure(Cell(text)) == measure


def test_each_row_is_read_in_what_it_says(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Tranche | Bid | Offer | Type\n0-3% | 32.5 | 33.5 | pts upf\n7-15% | 72 | 78 | bps"
    assert levels(table, "IG42 tranches") == [
        ("0-3%", "upfront_pts", "32.5", "33.5", None),
        ("7-15%", "cds_spread_bp", "72", "78", None),
    ]


def test_a_column_of_sectors_states_nothing(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Bond | Bid | Ask | Type\nABC 5 34 | 98.5 | 99 | TMT\nDEF 6 33 | 97.25 | 98 | Autos"
    assert {level[1] for level in levels(table, "HY run")} == {"price_pct"}


def test_pieces_and_per_cent_are_told_apart_row_by_row(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "ISIN | Name | Notiz | Geld | Brief\nDE000A1C1316 | Bonus DAX | EUR/Stück | 185,31 | 185,41\n"
    note = "DE000A2D1322 | Aktienanleihe BASF | % | 98,20 | 99,20"
    assert [level[1] for level in levels(table + note, "Zertifikate")] == ["price_unit", "price_pct"]


def test_a_share_of_an_index_is_no_yield(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Ativo | Indexador | Taxa Compra | Taxa Venda\nCMIG4D | CDI + | 1,35 | 1,25\nRDORB9 | % CDI | 104,5 | 103,8"
    assert [level[0] for level in levels(table, "Debêntures")] == ["CMIG4D"]
