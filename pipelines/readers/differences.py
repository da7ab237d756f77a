"""What is another row, table by table, between the rows of some mails before and after they were read again.

Rows belong together that have one key: a quote its record_id, which says where in the mail it stands. What is left of
either side then belongs together where it is of one instrument in one place of the mail: so a quote whose type is read
otherwise is one that changed, and not one lost and one more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from pipelines.tables.replacing import WHERE
from pipelines.tables.schemas import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipelines.tables.schemas import Table

LEVELS = ("bid", "ask", "mid", "talk_low", "talk_high")
_NOT_COMPARED = {"topic", "log_partition", "log_offset", "received_ts", "received_day", "parser_version", "record_id"}
_FIELD = pa.struct([("name", pa.string()), ("before", pa.string()), ("after", pa.string())])
SCHEMA = pa.schema(
    [
        pa.field("table", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),  # added, lost, changed
        ("topic", pa.string()),
        ("log_partition", pa.int32()),
        ("log_offset", pa.int64()),
        ("dealer", pa.string()),
        ("asset_class", pa.string()),
        ("format", pa.string()),  # of the part: its content type
        ("reason", pa.string()),
        ("record_id", pa.string()),  # of a quote, before if it was there
        ("record_id_after", pa.string()),
        ("instrument", pa.string()),
        ("raw_text", pa.string()),
        ("fields", pa.list_(_FIELD)),  # that changed, as text
    ]
)


@dataclass(frozen=True, slots=True)
class _Compared:
    """How the rows of a table are compared; all by position."""

    key: tuple[str, ...]  # further columns that belong together rows have in common
    order: tuple[str, ...]  # of rows with one key
    place: tuple[str, ...] = ()  # a second key, for what the first one leaves
    dealer: str = "NULL"
    asset_class: str = "NULL"
    format: str = "NULL"
    reason: str = "NULL"  # of a row that only one side has, or that changed
    instrument: str = "NULL"
    raw_text: str = "NULL"


def _either(column: str) -> str:
    return f"coalesce(b.{column}, a.{column})"


_SWAPPED = "b.bid IS NOT DISTINCT FROM a.ask AND b.ask IS NOT DISTINCT FROM a.bid AND b.bid IS DISTINCT FROM a.bid"
_GONE = " OR ".join(f"(b.{level} IS NOT NULL AND a.{level} IS NULL)" for level in LEVELS)
_OTHER = " OR ".join(f"b.{level} IS DISTINCT FROM a.{level}" for level in (*LEVELS, "quote_type"))


def _why(side: str, row: str) -> str:
    """Why one side has no row for a quote of the other: what its mail, its part or its line was refused for there."""
    here = " AND ".join(f"x.{name} = {row}.{name}" for name in WHERE)
    part = f"{here} AND x.part_path = {row}.part_path"
    return (
        f"coalesce((SELECT any_value(x.code) FROM mails_{side} x WHERE {here}), "
        f"(SELECT any_value(x.code) FROM parts_{side} x WHERE {part}), "
        f"(SELECT min(x.code) FROM rejects_{side} x WHERE {part} AND x.raw_text = left({row}.raw_text, 500)), "
        "'not read')"
    )


_TABLES = {
    "quotes": _Compared(
        key=("record_id",),
        order=("bid_raw", "ask_raw", "mid_raw", "raw_text"),
        place=("part_path", "page", "table_idx", "row", "line", "instrument_key"),
        dealer=_either("dealer"),
        asset_class=_either("asset_class"),
        format=_either("content_type"),
        reason=f"CASE WHEN a.i IS NULL THEN {_why('after', 'b')} WHEN b.i IS NULL THEN {_why('before', 'a')} "
        f"WHEN {_SWAPPED} THEN 'sides swapped' WHEN {_GONE} THEN 'level gone' WHEN {_OTHER} THEN 'level changed' "
        "ELSE 'other columns' END",
        instrument=f"coalesce({_either('instrument_id')}, {_either('description')})",
        raw_text=_either("raw_text"),
    ),
    "mails": _Compared(key=(), order=(), dealer=_either("dealer"), reason="coalesce(a.code, a.state, b.state)"),
    "parts": _Compared(
        key=("part_path",), order=(), format=_either("content_type"), reason="coalesce(a.code, a.state, b.state)"
    ),
    "rejects": _Compared(
        key=("level", "part_path", "locator", "code"),
        order=("raw_text", "detail"),
        reason=_either("code"),
        raw_text=_either("raw_text"),
    ),
}


def differences(before: Mapping[str, pa.Table], after: Mapping[str, pa.Table]) -> pa.Table:
    """Rows of SCHEMA, in the order of the log; the tables of outcomes of the same mails on both sides, by name."""
    with duckdb.connect() as connection:
        for side, tables in (("before", before), ("after", after)):
            for name, rows in tables.items():
                numbers = pa.array(range(rows.num_rows), pa.int64())
                connection.register(f"{name}_{side}", rows.append_column("i", numbers))
        found = [connection.sql(_sql(table)).to_arrow_table().rename_columns(SCHEMA.names) for table in OUTCOMES]
    return pa.concat_tables(each.cast(SCHEMA) for each in found).sort_by(
        [(name, "ascending") for name in (*WHERE, "table", "record_id")]
    )


def levels(before: pa.Table, after: pa.Table) -> Counter[tuple[str | None, str, str]]:
    """How many quotes there are by dealer, asset class and side (`before`, `after`)."""
    counted: Counter[tuple[str | None, str, str]] = Counter()
    for side, rows in (("before", before), ("after", after)):
        for each in rows.group_by(["dealer", "asset_class"]).aggregate([([], "count_all")]).to_pylist():
            counted[each["dealer"], each["asset_class"], side] += each["count_all"]
    return counted


def _sql(table: Table) -> str:
    """Rows of SCHEMA, of the views NAME_before and NAME_after, whose rows are numbered by `i`."""
    how, name = _TABLES[table.name], table.name
    columns = [field.name for field in table.schema if field.name not in _NOT_COMPARED]
    fields = ", ".join(
        f"CASE WHEN b.{each} IS DISTINCT FROM a.{each} THEN "
        f"{{'name': '{each}', 'before': b.{each}::VARCHAR, 'after': a.{each}::VARCHAR}} END"
        for each in columns
    )
    is_other = " OR ".join(f"b.{each} IS DISTINCT FROM a.{each}" for each in columns)
    quote = "b.record_id, a.record_id" if name == "quotes" else "NULL, NULL"
    both = f"LEFT JOIN {name}_before b ON bi = b.i LEFT JOIN {name}_after a ON ai = a.i"
    return f"""
        WITH {_pairs(how, name)},
        differing AS MATERIALIZED (
            SELECT bi, ai FROM pairs {both} WHERE bi IS NULL OR ai IS NULL OR {is_other}
        )
        SELECT '{name}', CASE WHEN bi IS NULL THEN 'added' WHEN ai IS NULL THEN 'lost' ELSE 'changed' END,
            {", ".join(map(_either, WHERE))}, {how.dealer}, {how.asset_class}, {how.format}, {how.reason}, {quote},
            {how.instrument}, {how.raw_text},
            CASE WHEN bi IS NULL OR ai IS NULL THEN []
                ELSE list_filter([{fields}], lambda each : each IS NOT NULL) END
        FROM differing {both}
    """


def _pairs(how: _Compared, name: str) -> str:
    """Common table expressions, the last of which is `pairs`: numbers of rows that belong together, or of one alone."""
    first = f"first AS MATERIALIZED ({_joined(how, how.key, f'{name}_before', f'{name}_after')})"
    if not how.place:
        return f"{first}, pairs AS (SELECT * FROM first)"
    alone = {
        side: f"(SELECT * FROM {name}_{side} WHERE i IN (SELECT {mine} FROM first WHERE {other} IS NULL))"
        for side, mine, other in (("before", "bi", "ai"), ("after", "ai", "bi"))
    }
    second = _joined(how, how.place, alone["before"], alone["after"])
    return f"{first}, pairs AS (SELECT * FROM first WHERE bi IS NOT NULL AND ai IS NOT NULL UNION ALL {second})"


def _joined(how: _Compared, key: Sequence[str], before: str, after: str) -> str:
    """Numbers of the rows of both sides that have these columns in common, one with one."""
    together = ", ".join((*WHERE, *key))
    numbered = f"SELECT *, row_number() OVER (PARTITION BY {together} ORDER BY {', '.join((*how.order, 'i'))}) AS n"
    same = " AND ".join(f"b.{each} IS NOT DISTINCT FROM a.{each}" for each in (*WHERE, *key, "n"))
    return (
        f"SELECT b.i AS bi, a.i AS ai FROM ({numbered} FROM {before}) b FULL JOIN ({numbered} FROM {after}) a ON {same}"
    )
