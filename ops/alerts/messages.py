"""Programs that say far more errors in an hour than they did: counted in the table of events, by unit and hour.

An hour is judged beside the worst hours of each of the twenty days before it, seven at least, of which the worst is
left out: one storm must not hide the next. This hour so far and the one before are judged, so that an alarm does not
end as the clock strikes. Hours since an alarm fires do not count as usual, for two weeks.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from ops.alerts.alarm import Alarm, limit_of
from ops.alerts.file import changing, keep_note, ms, noted
from ops.alerts.publication import EVENTS, newest_number
from ops.alerts.usual import FAR, LASTS, has_risen
from ops.analysis.place import NAME, store_of_events
from ops.analysis.reading import analysed
from pipelines.tables.datafiles import DAY

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    import conf
    from conf.alerting import AlertSettings
    from ops.alerts.alarm import Since

DAYS, LEAST_DAYS = 20, 7
_KEEP = timedelta(days=DAYS + 2) + LASTS  # while an alarm fires, the days before it began are asked for
_HOUR_MS = 3_600_000
_SINCE, _COUNTED = "events since", "events counted"  # the first hour that is known; the last
_HOURS = f"""
SELECT * FROM (
    SELECT left(coalesce(unit, 'unknown'), 200) AS unit, epoch_ms(received_ts) // {_HOUR_MS} AS hour,
        count(*) FILTER (level IN ('error', 'critical')) AS errors
    FROM {NAME} GROUP BY ALL
)
"""  # noqa: S608 -- constants


def count_errors(db: sqlite3.Connection, settings: conf.Settings, now: datetime) -> None:
    """What was analysed since the last time, if anything was. Raises NothingPublished, TablesDamaged."""
    store = store_of_events(settings.tables)
    newest = newest_number(db, store, EVENTS)
    if noted(db, EVENTS) == newest:
        return
    last, oldest = noted(db, _COUNTED), _hour(now - _KEEP)
    since = oldest if last is None else max(min(last, _hour(now)) - 24, oldest)
    since -= since % 24  # the table is read by days
    with analysed(store) as tables:
        tables.narrow(NAME, pc.field(DAY) >= _time(since).date())
        rows = list(tables.rows(_HOURS, [], "", {}))
    hours = [row["hour"] for row in rows]
    with changing(db):
        db.execute("DELETE FROM error_hours WHERE hour >= ? OR hour < ?", (since, oldest))
        wrong = [(row["unit"], row["hour"], row["errors"]) for row in rows if row["errors"]]
        db.executemany("INSERT OR REPLACE INTO error_hours VALUES (?, ?, ?)", wrong)
        if hours:
            keep_note(db, _SINCE, min(*hours, noted(db, _SINCE) or hours[0]))
            keep_note(db, _COUNTED, max(hours))
        keep_note(db, EVENTS, newest)


def storms(db: sqlite3.Connection, settings: AlertSettings, since: Since, now: datetime) -> Iterator[Alarm]:
    """An alarm a unit that says far more errors than it did."""
    first, hour = noted(db, _SINCE), _hour(now)
    by_unit: dict[str, dict[int, int]] = defaultdict(dict)
    for unit, at, errors in db.execute("SELECT unit, hour, errors FROM error_hours"):
        by_unit[unit][at] = errors
    for unit, counts in by_unit.items() if first is not None else ():
        begun = since.get(("messages", unit))
        end = _hour(begun) if begun and now - begun < LASTS else hour
        for at in (hour, hour - 1):
            usual = sorted(_worst_hours(counts, min(at, end), first or 0))
            if len(usual) >= LEAST_DAYS and has_risen(
                counts.get(at, 0), usual, limit_of(settings, "messages", unit), FAR
            ):
                yield Alarm("messages", unit, _said(unit, _time(at), counts[at], usual), "warning")
                break


def _worst_hours(counts: Mapping[int, int], end: int, first: int) -> Iterator[int]:
    """The most errors in an hour, of each of so many times 24 hours before `end` that are known."""
    for stop in range(end, max(first + 23, end - 24 * DAYS), -24):
        yield max(counts.get(at, 0) for at in range(stop - 24, stop))


def _said(unit: str, at: datetime, errors: int, usual: list[int]) -> str:
    before = f"{usual[-2]} at most in an hour of {len(usual)} days before, but for the worst"
    search = f"`otclog ops search --unit {shlex.quote(unit)} --level error`"
    return f"{errors} errors from {at:%H:%M} UTC on; {before}: {search}"


def _hour(at: datetime) -> int:
    """Since 1970, in UTC."""
    return ms(at) // _HOUR_MS


def _time(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * _HOUR_MS / 1000, UTC)
