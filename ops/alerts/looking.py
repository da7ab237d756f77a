"""One look: what is wrong, what is told of it, and a sign of life where all of it could be asked.

The order of durable effects; who dies amid it does the rest at the next look:
 1. what is new in the tables is counted into the dealers' history, month by month, and what programs said, by the hour
 2. what fires now, and what is to be told of that, in one transaction
 3. what sinks have taken goes from the outbox, each as soon as its sink says so
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.accounting import accounted
from ops.alerts.alarm import Alarm, Found, Thing
from ops.alerts.dealers.counting import counted
from ops.alerts.dealers.falls import falls, new_formats
from ops.alerts.dealers.history import history, keep, last_day
from ops.alerts.dealers.silent import silent
from ops.alerts.file import alone, keep_note, ms, noted, opened
from ops.alerts.heartbeat import beat
from ops.alerts.home import analysis_lives, standing
from ops.alerts.lines import LOOK
from ops.alerts.messages import count_errors, storms
from ops.alerts.outbox import give_up
from ops.alerts.publication import MAILS, newest_number
from ops.alerts.sinks.sending import send_due
from ops.alerts.state import firing, note
from ops.findings import in_words
from pipelines.errors import NothingPublished
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    import conf
    from ops.alerts.alarm import Since
    from ops.alerts.state import Known
    from ops.lines import Line

COUNTING_S = 20.0  # that a look counts at most before it tells what else is wrong; a month takes as long as it takes
_OF_SILENCE = frozenset({Thing("silent")})
_OF_DEALERS = _OF_SILENCE | {Thing("quotes"), Thing("fill"), Thing("errors"), Thing("format")}
_OF_MESSAGES = frozenset({Thing("messages")})
_OF_TABLES = _OF_DEALERS | {Thing("tables")}


class Looked(NamedTuple):
    """What came of a look."""

    fires: list[Known]
    is_told: bool  # somebody took what was to be told, or nothing was


def look(settings: conf.Settings, now: datetime) -> Looked:
    """Look once and tell whom it concerns. Raises AlertsUnavailable."""
    path, alerts = settings.alerts.state, settings.alerts
    with alone(path), opened(path) as db:
        give_up(db, [sink.name for sink in alerts.sinks], now)
        home, lines = standing(settings)
        dealers = _dealers(db, settings, lines, now)
        parts = [home, dealers, _messages(db, settings, lines, now), accounted(db, now)]
        note(db, _together(parts), alerts, now)
        is_told = send_due(db, alerts.sinks, now)
        keep_note(db, LOOK, ms(now))
        if alerts.heartbeat and not dealers.unseen and _is_whole(parts, lines, settings):
            beat(alerts.heartbeat)
        return Looked(firing(db), is_told)


def _is_whole(parts: Iterable[Found], lines: Sequence[Line], settings: conf.Settings) -> bool:
    """Whether all could be asked, and whoever should have been told was, and the analysis of messages lives."""
    is_told = not any(line.what == "alerts" and line.state == "fail" for line in lines)
    is_hidden = any(line.state == "fail" and "unknown" in line.values for line in lines)
    is_asked = not any(part.broken for part in parts)
    return is_told and is_asked and not is_hidden and analysis_lives(lines, settings)


def _together(parts: Sequence[Found]) -> Found:
    """With an alarm of all that could not be asked."""
    broken = [why for part in parts for why in part.broken]
    alarms = [alarm for part in parts for alarm in part.alarms]
    if broken:
        alarms.append(Alarm("alerts", "look", "; ".join(broken), "critical"))
    return Found(alarms, frozenset[Thing]().union(*(part.unseen for part in parts)))


def _dealers(db: sqlite3.Connection, settings: conf.Settings, lines: Sequence[Line], now: datetime) -> Found:
    try:
        if not _is_counted(db, settings, now):
            return Found([], _OF_DEALERS)
        return _judged(db, settings, lines, now)
    except NothingPublished:
        return Found([])
    except Exception as error:  # noqa: BLE001 -- whatever it is, what else is wrong is still told
        return Found([], _OF_TABLES, (f"dealers: {in_words(error)}",))


def _judged(db: sqlite3.Connection, settings: conf.Settings, lines: Sequence[Line], now: datetime) -> Found:
    known = history(db)
    alarms = [*falls(known, settings.alerts, _since(db), now), *new_formats(known, now)]
    complete = _complete_until(lines, settings, now)
    if complete is None:
        return Found(alarms, _OF_SILENCE)
    return Found([*alarms, *silent(known, complete)])


def _messages(db: sqlite3.Connection, settings: conf.Settings, lines: Sequence[Line], now: datetime) -> Found:
    """Nothing where nobody analyses what programs say; of an analysis that is late nothing is known."""
    try:
        count_errors(db, settings, now)
    except NothingPublished:
        return Found([])
    except Exception as error:  # noqa: BLE001 -- as above
        return Found([], _OF_MESSAGES, (f"messages: {in_words(error)}",))
    unseen = frozenset[Thing]() if analysis_lives(lines, settings) else _OF_MESSAGES
    return Found(list(storms(db, settings.alerts, _since(db), now)), unseen)


def _since(db: sqlite3.Connection) -> Since:
    return {(each.kind, each.subject): each.since for each in firing(db)}


def _is_counted(db: sqlite3.Connection, settings: conf.Settings, now: datetime) -> bool:
    """Count what is new in the tables, if anything is; False if the next look is to go on with the rest.

    Raises NothingPublished, TablesDamaged, StoreUnreachable.
    """
    store, begun = store_of(settings.tables), time.monotonic()
    newest = newest_number(db, store, MAILS)
    while noted(db, MAILS) != newest:
        part = counted(store, _topics(settings), last_day(db, now), now)
        keep(db, part, now)
        if part.until is None:
            keep_note(db, MAILS, newest)
        elif time.monotonic() - begun > COUNTING_S:
            return False
    return True


def _topics(settings: conf.Settings) -> set[str]:
    """Where mails go as they come: an import of old ones is no day's mail."""
    return settings.ingest.topics - {settings.ingest.backfill_topic}


def _complete_until(lines: Sequence[Line], settings: conf.Settings, now: datetime) -> datetime | None:
    """Up to when the tables have all mails that the log has; None where the log does not tell."""
    topics, group = _topics(settings), settings.extract.group
    read = [line.values for line in lines if line.what == "group" and line.values.get("group") == group]
    groups = [each for each in read if each.get("topic") in topics]
    if not groups:
        return None
    unread = [datetime.fromisoformat(each["oldest_unread"]) for each in groups if each["oldest_unread"]]
    return min([*unread, now])
