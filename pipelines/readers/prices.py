"""Prices: the published quotes, each once, the latest quoted first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, merged, rows_of_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store

FILTERS = {
    "isin": "quotes.isin = upper($isin)",
    "cusip": "quotes.cusip = upper($cusip)",
    "ticker": "quotes.ticker = upper($ticker)",
    "dealer": "lower(quotes.dealer) = lower($dealer)",
    "asset_class": "quotes.asset_class = $asset_class",
    "quote_type": "quotes.quote_type = $quote_type",
    "quote_kind": "quotes.quote_kind = $quote_kind",
    "status": "quotes.status = $status",
    "currency": "quotes.currency = upper($currency)",
    "region": "quotes.region = $region",
    "since_day": "quotes.received_day >= $since_day",
}
OPEN_LISTS = ("isin", "cusip", "ticker", "dealer", "currency")  # of filters: any value may be meant

FEW = 1000  # records: as a condition on the files of a table, more of them cost as much as they save

_DAY = pc.field("received_day")
_RECORD = ("topic", "log_partition", "log_offset")
CHOSEN = "SELECT message_key, topic, log_partition, log_offset, received_day FROM quotes"
# A mail cannot have come before it was sent; clocks of dealers may be two days ahead. One without a Date, or with one
# of later yet, may have come at any time before.
EARLIEST = """
SELECT CASE WHEN bool_and(coalesce(sent_at <= received_ts + INTERVAL 2 DAY, false))
    THEN (least(min(sent_at), min(received_ts)) - INTERVAL 2 DAY)::DATE END AS day
FROM mails SEMI JOIN chosen USING (topic, log_partition, log_offset)
"""
# A mail may have several records (the log takes it again after some crashes, or by another way): its first one counts.
REPEATS = """
WITH ranked AS (
    SELECT topic, log_partition, log_offset, row_number() OVER (
        PARTITION BY message_key ORDER BY received_ts, topic, log_partition, log_offset
    ) AS nth
    FROM mails SEMI JOIN chosen USING (message_key)
)
SELECT topic, log_partition, log_offset FROM ranked
"""
# No anti join: DuckDB, which takes a dataset for empty, would hold all of the quotes to look the repeats up in them.
_NO_REPEAT = "(topic, log_partition, log_offset) NOT IN (SELECT (topic, log_partition, log_offset) FROM repeats)"
_ORDER = """
quote_ts DESC, received_ts DESC, topic, log_partition, log_offset DESC,
part_path, table_idx, row, line, col, char_start, quote_type, record_id
"""


def prices(store: Store, filters: Mapping[str, Any], limit: int | None = None) -> Iterator[dict[str, Any]]:
    """Rows of `quotes`, all columns; `filters` are named as FILTERS, None is no filter. Raises NothingPublished.

    Which quotes are meant is asked of a few columns; of the mails only theirs are compared, and where they are few all
    columns are read only from the files that hold them.
    """
    values = {name: value for name, value in filters.items() if value is not None}
    where = ["quotes.duplicate_of IS NULL", *(FILTERS[name] for name in values)]
    with published(store, "quotes", "mails") as tables:
        records = _choose(tables, where, values, limit).group_by(_RECORD).aggregate([])
        if not records.num_rows:
            return
        if records.num_rows <= FEW:
            places = zip(*records.select(_RECORD).to_pydict().values(), strict=True)
            ranges = merged(OffsetRange(topic, partition, at, at + 1) for topic, partition, at in places)
            tables.narrow("quotes", rows_of_records(ranges))
        yield from tables.rows("SELECT * FROM quotes", [*where, _NO_REPEAT], _ORDER, values, limit)


def _choose(tables: Published, where: list[str], values: Mapping[str, Any], limit: int | None) -> pa.Table:
    """Hold the quotes that meet the filters as `chosen`, and of their mails all records but the first as `repeats`.

    With a limit, the first of them in their order, as many as are wanted without repeats, and some more.
    """
    if limit is None:
        chosen = tables.hold("chosen", CHOSEN, where, parameters=values)
        _hold_repeats(tables, chosen)
        return chosen
    first = limit
    while True:
        first *= 2
        chosen = tables.hold("chosen", CHOSEN, where, order=_ORDER, parameters=values, limit=first)
        _hold_repeats(tables, chosen)
        if chosen.num_rows < first or tables.hold("kept", "SELECT topic FROM chosen", [_NO_REPEAT]).num_rows >= limit:
            return chosen


def _hold_repeats(tables: Published, chosen: pa.Table) -> None:
    """See `_choose`: among the mails of the days on which those of `chosen` can have come."""
    days = pc.min_max(chosen["received_day"])
    no_later = days["max"] >= _DAY
    tables.narrow("mails", no_later & (days["min"] <= _DAY))
    earliest = next(tables.rows(EARLIEST, [], "day", {}))["day"] if chosen.num_rows else None
    tables.narrow("mails", no_later if earliest is None else no_later & (pa.scalar(earliest) <= _DAY))
    tables.hold("repeats", REPEATS, ["nth > 1"])
