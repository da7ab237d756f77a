"""The published tables, counted by dealer and day: only the days since the last one counted are read, a month at once.

What a reparse changes of earlier days stays as it was counted: it is the dealer's history as it was seen.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from ops.alerts.dealers.history import KEEP, Counted, Day
from parsers.codes import EXPECTED_CODES
from pipelines.tables.datafiles import DAY
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store

AT_ONCE = timedelta(days=30)  # 400 days of a desk's quotes are more than memory should hold
# Columns that a quote of most dealers has; how many of them have a value is how full its rows are.
_CELLS = ("isin", "ticker", "currency", "maturity", "coupon", "issuer", "bid", "ask", "bid_size", "ask_size")
_FILLED = " + ".join(f"({name} IS NOT NULL)::INTEGER" for name in _CELLS)
_MAIL = "topic, log_partition, log_offset"
_REFUSED = f"""
SELECT {_MAIL}, count(*) AS refused FROM rejects WHERE NOT list_contains($expected, code) GROUP BY ALL
"""  # noqa: S608 -- constants
_ROWS = f"""
SELECT {_MAIL}, mode(region) AS region, count(*) * {len(_CELLS)} AS cells, sum({_FILLED}) AS filled
FROM quotes GROUP BY ALL
"""  # noqa: S608 -- constants
_DAYS = f"""
SELECT * FROM (
    SELECT dealer, received_day AS day, mode(region) FILTER (region <> 'unknown') AS region, count(*) AS mails,
        min(epoch_ms(received_ts) // 60000 % 1440) AS first_minute, sum(quotes)::BIGINT AS quotes,
        sum(coalesce(refused, 0))::BIGINT AS refused, sum(coalesce(cells, 0))::BIGINT AS cells,
        sum(coalesce(filled, 0))::BIGINT AS filled
    FROM mails LEFT JOIN ({_REFUSED}) USING ({_MAIL}) LEFT JOIN ({_ROWS}) USING ({_MAIL})
    WHERE dealer IS NOT NULL GROUP BY ALL
)
"""  # noqa: S608 -- constants
_FORMATS = f"""
SELECT * FROM (
    SELECT mails.dealer, parts.content_type AS format, epoch_ms(min(mails.received_ts)) AS first_ms
    FROM parts JOIN mails USING ({_MAIL})
    WHERE dealer IS NOT NULL AND (parts.quotes > 0 OR parts.state = 'rejected') GROUP BY ALL
)
"""  # noqa: S608 -- constants


def counted(store: Store, topics: Collection[str], last: date | None, now: datetime) -> Counted:
    """Of these topics the month from the day `last` was counted on; of None the first that is kept of history.

    Raises NothingPublished, TablesDamaged.
    """
    since = (now - KEEP).date() if last is None else last - timedelta(days=1)
    until = since + AT_ONCE if since + AT_ONCE <= now.date() else None
    with published(store, "mails", "quotes", "rejects", "parts") as tables:
        for name in ("mails", "quotes", "rejects", "parts"):
            wanted = (pc.field(DAY) >= since) & pc.field("topic").isin(sorted(topics))
            tables.narrow(name, wanted if until is None else wanted & (pc.field(DAY) < until))
        return Counted(since, until, _days(tables), _formats(tables))


def _days(tables: Published) -> list[Day]:
    expected = {"expected": sorted(map(str, EXPECTED_CODES))}
    return [Day(**row) for row in tables.rows(_DAYS, [], "", expected)]


def _formats(tables: Published) -> list[tuple[str, str, int]]:
    return [(row["dealer"], row["format"], row["first_ms"]) for row in tables.rows(_FORMATS, [], "", {})]
