"""Generated mails as rows of real tables, published: what an extraction of them would have left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from conf import Settings
from pipelines.jobs.plan import new_run_id
from pipelines.tables.commits import Change, commit, create
from pipelines.tables.datafiles import write
from pipelines.tables.publication import newest
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of
from tests.ops.alerts.dealers.traffic import Mail
from tests.pipelines.stores import HELD, publish_now

MOST_QUOTES = 8  # of a mail: what matters is how many there are beside other days
_OF_KIND: dict[Callable[[pa.DataType], bool], Any] = {
    pa.types.is_string: "x",
    pa.types.is_boolean: False,
    pa.types.is_decimal: Decimal(0),
    pa.types.is_integer: 0,
    pa.types.is_list: [],
    pa.types.is_date: date(2026, 1, 1),
}


def publish(settings: Settings, mails: Iterable[Mail], first_offset: int) -> int:
    """Add these; the offset behind them."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("mails", "parts", "quotes", "rejects")}
    for mail in mails:
        at = {"topic": "mails", "log_partition": 0, "log_offset": first_offset}
        at |= {"received_ts": mail.at, "received_day": mail.at.date()}
        first_offset += 1
        quotes = min(mail.quotes, MOST_QUOTES)
        rows["mails"].append(at | {"dealer": mail.dealer, "state": "parsed", "quotes": quotes})
        rows["parts"].append(at | {"state": "parsed", "content_type": mail.format, "quotes": quotes})
        rows["quotes"] += [at | {"region": mail.region, "isin": "X", "bid": Decimal(1)} for _ in range(quotes)]
        rows["rejects"] += [at | {"code": "ROW_NO_PRICE"} for _ in range(min(mail.refused, MOST_QUOTES))]
    store, versions = store_of(settings.tables), dict(newest(store_of(settings.tables)).versions)
    for name, table in TABLES.items():
        create(store, table, HELD)
        batches = pa.Table.from_pylist(
            [_full(row, name) for row in rows.get(name, [])], table.arrow_schema()
        ).to_batches()
        versions[name] = commit(store, table, Change(tuple(write(batches, store, table, "r"))), {}, HELD)
    publish_now(store, new_run_id(), versions)
    return first_offset


def _full(row: dict[str, Any], name: str) -> dict[str, Any]:
    """With something in each column that must not be empty."""
    required = [field for field in TABLES[name].arrow_schema() if not field.nullable and field.name not in row]
    return row | {field.name: _any_of(field.type) for field in required}


def _any_of(kind: pa.DataType) -> Any:
    return next((value for is_kind, value in _OF_KIND.items() if is_kind(kind)), datetime(2026, 1, 1, tzinfo=UTC))
