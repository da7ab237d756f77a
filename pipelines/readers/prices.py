"""Prices: the published quotes, each once, the latest quoted first."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

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

# A mail may have several records (the log takes it again after some crashes, or by another way): its first one counts.
_SELECT = """
WITH repeats AS (
    SELECT topic, log_partition, log_offset FROM mails
    QUALIFY row_number() OVER (PARTITION BY message_key ORDER BY received_ts, topic, log_partition, log_offset) > 1
)
SELECT quotes.* FROM quotes ANTI JOIN repeats USING (topic, log_partition, log_offset)
"""
_ORDER = """
quote_ts DESC, received_ts DESC, topic, log_partition, log_offset DESC,
part_path, table_idx, row, line, col, char_start, quote_type
"""


def prices(root: Path, filters: Mapping[str, Any], limit: int | None = None) -> Iterator[dict[str, Any]]:
    """Rows of `quotes`, all columns; `filters` are named as FILTERS, None is no filter. Raises NothingPublished."""
    chosen = {name: value for name, value in filters.items() if value is not None}
    where = ["quotes.duplicate_of IS NULL", *(FILTERS[name] for name in chosen)]
    with published(root, "quotes", "mails") as tables:
        yield from tables.rows(_SELECT, where, _ORDER, chosen, limit)


def unknown(root: Path, filters: Mapping[str, Any]) -> Iterator[str]:
    """In words: the values of filters that no published quote has, each with those that are near it."""
    with published(root, "quotes") as tables:
        for name in OPEN_LISTS:
            value = filters[name]
            if value is None:
                continue
            rows = tables.rows(f"SELECT DISTINCT {name} AS value FROM quotes", [f"{name} IS NOT NULL"], name, {})  # noqa: S608  a constant
            known = {row["value"].lower(): row["value"] for row in rows}
            if value.lower() not in known:
                near = " or ".join(known[each] for each in get_close_matches(value.lower(), known))
                yield f"--{name} {value}: no price has it" + (f"; did you mean {near}?" if near else "")
