from __future__ import annotations

import pytest
from msgspec import Struct

from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.quote import Quote
from pipelines.tables.schemas import MAILS, PARTS, POSITION, QUOTES, REJECTS, TABLES, Table

POSITION_NAMES = [column.name for column in POSITION]


@pytest.mark.parametrize(
    ("table", "row"), [(QUOTES, Quote), (MAILS, MailOutcome), (PARTS, PartOutcome), (REJECTS, Reject)]
)
def test_every_field_the_parsers_give_has_its_column(table: Table, row: type[Struct]) -> None:
    assert set(row.__struct_fields__) <= set(table.schema.names)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_column_says_what_it_means(table: Table) -> None:
    assert [column.name for column in table.schema if not column.metadata.get("comment")] == []


@pytest.mark.parametrize("table", [QUOTES, MAILS, PARTS, REJECTS], ids=lambda table: table.name)
def test_rows_begin_with_their_position_in_the_log(table: Table) -> None:
    assert table.schema.names[: len(POSITION_NAMES)] == POSITION_NAMES


def test_what_prices_are_looked_up_by_is_among_the_columns_with_statistics() -> None:
    looked_up = {"isin", "cusip", "ticker", "dealer", "asset_class", "quote_type", "quote_kind", "currency", "region"}
    assert looked_up <= set(QUOTES.schema.names[:32])


def test_the_spec_s_decimals_are_held_exactly() -> None:
    kinds = {field.name: field.dataType.simpleString() for field in QUOTES.schema}
    assert {kinds[name] for name in ("bid", "ask", "mid", "talk_low", "talk_high", "ref_price", "delta_pct")} == {
        "decimal(18,8)"
    }
    assert (kinds["coupon"], kinds["coupon_margin_bp"], kinds["unit_par"]) == (
        "decimal(12,8)",
        "decimal(12,4)",
        "decimal(12,4)",
    )
    assert (kinds["bid_size"], kinds["orig_face"]) == ("decimal(20,2)", "decimal(20,2)")
    assert (kinds["factor"], kinds["wal_years"], kinds["ce_pct"]) == ("decimal(18,10)", "decimal(9,4)", "decimal(9,4)")
    assert (kinds["confidence"], kinds["flags"], kinds["maturity"]) == ("decimal(4,3)", "array<string>", "date")
