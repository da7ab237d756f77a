"""Rejects: what was refused, with the place and the reason, the latest received first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipelines.tables.store.interface import Store

FILTERS = {
    "code": "rejects.code = upper($code)",
    "level": "rejects.level = lower($level)",
    "codes_left_out": "NOT list_contains($codes_left_out, rejects.code)",
    "since_day": "rejects.received_day >= $since_day",
}
_ROWS = """
    SELECT rejects.*, mails.sender, mails.subject
    FROM rejects JOIN mails USING (topic, log_partition, log_offset)
"""
_ORDER = "rejects.received_ts DESC, topic, log_partition, log_offset DESC, level, part_path, locator"


def rejects(store: Store, filters: Mapping[str, Any], limit: int | None = None) -> Iterator[dict[str, Any]]:
    """Rows of `rejects`, all columns, with the mail's `sender` and `subject`. Raises NothingPublished.

    `filters` are named as FILTERS, None is no filter.
    """
    chosen = {name: value for name, value in filters.items() if value is not None}
    with published(store, "rejects", "mails") as tables:
        yield from tables.rows(_ROWS, [FILTERS[name] for name in chosen], _ORDER, chosen, limit)
