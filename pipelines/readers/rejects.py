"""Rejects: what was refused, with the place and the reason, the latest received first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from pipelines.tables.datafiles import DAY
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

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
_COUNT = "SELECT count(*) AS n FROM mails"
_BY_CODE = "SELECT * FROM (SELECT code, count(*) AS n FROM rejects GROUP BY ALL)"
_ORDER = "rejects.received_ts DESC, topic, log_partition, log_offset DESC, level, part_path, locator"


def refused_on(store: Store, day: date) -> tuple[int, Counter[str]]:
    """How many mails were received on a day, in UTC, and how many rows `rejects` has of them by code.

    Raises NothingPublished, TablesDamaged.
    """
    with published(store, "rejects", "mails") as tables:
        for name in ("rejects", "mails"):
            tables.narrow(name, pc.field(DAY) == day)
        (mails,) = tables.rows(_COUNT, [], "", {})
        return mails["n"], Counter({row["code"]: row["n"] for row in tables.rows(_BY_CODE, [], "", {})})


def rejects(store: Store, filters: Mapping[str, Any], limit: int | None = None) -> Iterator[dict[str, Any]]:
    """Rows of `rejects`, all columns, with the mail's `sender` and `subject`. Raises NothingPublished.

    `filters` are named as FILTERS, None is no filter.
    """
    chosen = {name: value for name, value in filters.items() if value is not None}
    with published(store, "rejects", "mails") as tables:
        yield from tables.rows(_ROWS, [FILTERS[name] for name in chosen], _ORDER, chosen, limit)
