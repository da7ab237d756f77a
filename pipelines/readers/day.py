"""A day in figures, as this field counts itself, beside the day before and the same weekday of the week before.

A day is that on which mails were received, in UTC. A mail that is in the log more than once on a day counts once then,
and so do its quotes; of a quote that a mail says twice one counts.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.compute as pc

from pipelines.errors import BadSelection
from pipelines.tables.datafiles import DAY
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipelines.tables.store.interface import Store

BEFORE = (timedelta(0), timedelta(days=1), timedelta(days=7))
GROUPS = {"asset_class": "asset classes", "region": "regions", "dealer": "dealers"}
"""What prices are counted by, and what a count of its values is called."""

_REPEATS = """
SELECT topic, log_partition, log_offset FROM (
    SELECT *, row_number() OVER (
        PARTITION BY received_day, message_key ORDER BY received_ts, topic, log_partition, log_offset
    ) AS nth FROM mails
)
"""
_FIRST = "(topic, log_partition, log_offset) NOT IN (SELECT (topic, log_partition, log_offset) FROM repeats)"
_MAILS = f"""
SELECT * FROM (
    SELECT received_day AS day, state, count(*) AS n, sum(size_bytes)::BIGINT AS bytes
    FROM mails WHERE {_FIRST} GROUP BY ALL
)
"""  # noqa: S608 -- constants
_QUOTES = f"""
SELECT * FROM (
    SELECT received_day AS day, asset_class, region, dealer, status, count(*) AS n
    FROM quotes WHERE duplicate_of IS NULL AND {_FIRST} GROUP BY ALL
)
"""  # noqa: S608 -- constants
_INSTRUMENTS = f"""
SELECT * FROM (
    SELECT received_day AS day, count(DISTINCT instrument_key) AS n
    FROM quotes WHERE duplicate_of IS NULL AND {_FIRST} GROUP BY ALL
)
"""  # noqa: S608 -- constants
_REJECTS = f"""
SELECT * FROM (SELECT received_day AS day, code, count(*) AS n FROM rejects WHERE {_FIRST} GROUP BY ALL)
"""  # noqa: S608 -- constants
_LAST_DAY = "SELECT max(received_day) AS day FROM mails"


class Figure(NamedTuple):
    """A count of a day, and of the days beside it."""

    what: str  # mails, prices, …
    of: str | None  # an asset class, a region, a dealer, a code; None: of all
    counts: tuple[int, ...]  # in the order of BEFORE


def last_day(store: Store) -> date:
    """The latest on which a mail was received. Raises NothingPublished, BadSelection where there is no mail."""
    with published(store, "mails") as tables:
        (row,) = tables.rows(_LAST_DAY, [], "", {})
    if row["day"] is None:
        raise BadSelection("no mail is in the tables yet")
    found: date = row["day"]
    return found


def figures(store: Store, day: date) -> list[Figure]:
    """Those of the day as a whole, then by asset class, region, dealer and code, the most first.

    Raises NothingPublished, TablesDamaged.
    """
    days = [day - before for before in BEFORE]
    with published(store, "mails", "quotes", "rejects") as tables:
        for name in ("mails", "quotes", "rejects"):
            tables.narrow(name, pc.field(DAY).isin(days))
        tables.hold("repeats", _REPEATS, ["nth > 1"])
        mails, quotes, rejects = (list(tables.rows(each, [], "", {})) for each in (_MAILS, _QUOTES, _REJECTS))
        instruments = Counter({row["day"]: row["n"] for row in tables.rows(_INSTRUMENTS, [], "", {})})

    def total(what: str, rows: Iterable[dict[str, Any]], column: str = "n") -> Figure:
        counted = Counter[date]()
        for row in rows:
            counted[row["day"]] += row[column]
        return Figure(what, None, tuple(counted[each] for each in days))

    def distinct(column: str) -> Figure:
        named = {(row["day"], row[column]) for row in quotes if row[column] is not None}
        counted = Counter(each for each, _ in named)
        return Figure(GROUPS[column], None, tuple(counted[each] for each in days))

    return [
        total("mails", mails),
        total("bytes", mails, "bytes"),
        total("mails with prices", (row for row in mails if row["state"] == "parsed")),
        total("mails refused", (row for row in mails if row["state"] == "rejected")),
        total("prices", quotes),
        total("prices for review", (row for row in quotes if row["status"] == "review")),
        Figure("instruments", None, tuple(instruments[each] for each in days)),
        *map(distinct, GROUPS),
        total("rejects", rejects),
        *(figure for column in GROUPS for figure in _by(column, "prices", quotes, days)),
        *_by("code", "rejects", rejects, days),
    ]


def _by(column: str, what: str, rows: Iterable[dict[str, Any]], days: list[date]) -> Iterator[Figure]:
    """What rows say of each value of a column, that with the most of the day first."""
    counted: dict[str, Counter[date]] = {}
    for row in rows:
        counted.setdefault(row[column] or "unknown", Counter())[row["day"]] += row["n"]
    for of, by_day in sorted(counted.items(), key=lambda each: ([-each[1][day] for day in days], each[0])):
        yield Figure(f"{what} by {column}", of, tuple(by_day[day] for day in days))
