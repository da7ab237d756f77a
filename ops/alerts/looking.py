"""One look: what is wrong, what is told of it, and a sign of life where all of it could be asked.

The order of durable effects; who dies amid it does the rest at the next look:
 1. what is new in the tables is counted into the dealers' history
 2. what fires now, and what is to be told of that, in one transaction
 3. what sinks have taken goes from the outbox, each as soon as its sink says so
 4. once in a while, that mails and outcomes were asked to add up, before they are: however long it takes, and whoever
    loses patience meanwhile, the next look begins with the rest
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, get_args

from conf.alerting import Kind
from ops.alerts.alarm import Alarm, Found
from ops.alerts.dealers.counting import counted
from ops.alerts.dealers.falls import falls, new_formats
from ops.alerts.dealers.history import history, keep, last_day
from ops.alerts.dealers.silent import silent
from ops.alerts.file import alone, keep_note, ms, noted, opened
from ops.alerts.heartbeat import beat
from ops.alerts.home import ACCOUNTS, accounted, analysis_lives, standing
from ops.alerts.lines import LOOK
from ops.alerts.outbox import give_up
from ops.alerts.sinks.sending import send_due
from ops.alerts.state import firing, note
from ops.findings import in_words
from pipelines.errors import NothingPublished
from pipelines.tables.publication import latest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import conf
    from ops.alerts.state import Known
    from ops.lines import Line

AGAIN_S = 3600.0  # accounts that do not add up are asked again so soon
_ACCOUNTED = "accounts"
_PUBLICATION = "publication"
_OTHERS: frozenset[Kind] = frozenset(get_args(Kind)) - ACCOUNTS
_OF_DEALERS: frozenset[Kind] = frozenset({"silent", "quotes", "fill", "errors", "format"})
_OF_SILENCE: frozenset[Kind] = frozenset({"silent"})


def look(settings: conf.Settings, now: datetime) -> list[Known]:
    """Look once and tell whom it concerns; what fires then. Raises AlertsUnavailable."""
    path, alerts = settings.alerts.state, settings.alerts
    with alone(path), opened(path) as db:
        give_up(db, [sink.name for sink in alerts.sinks], now)
        home, lines = standing(settings)
        parts = [home, _dealers(db, settings, lines, now)]
        note(db, _together(parts), alerts, now)
        send_due(db, alerts.sinks, now)
        keep_note(db, LOOK, ms(now))
        if alerts.heartbeat and _is_whole(parts, lines, settings):
            beat(alerts.heartbeat)
        if _are_accounts_due(db, settings, now):
            keep_note(db, _ACCOUNTED, ms(now))
            note(db, Found(accounted(settings), _OTHERS), alerts, now)
            send_due(db, alerts.sinks, now)
        return firing(db)


def _is_whole(parts: Sequence[Found], lines: Sequence[Line], settings: conf.Settings) -> bool:
    """Whether all could be asked, and whoever should have been told was, and the analysis of messages lives."""
    is_told = not any(line.what == "alerts" and line.state == "fail" for line in lines)
    return is_told and not any(part.unseen for part in parts) and analysis_lives(lines, settings)


def _together(parts: Sequence[Found]) -> Found:
    """With an alarm of all that could not be asked."""
    broken = [why for part in parts for why in part.broken]
    alarms = [alarm for part in parts for alarm in part.alarms]
    if broken:
        alarms.append(Alarm("alerts", "look", "; ".join(broken), "critical"))
    return Found(alarms, ACCOUNTS.union(*(part.unseen for part in parts)))


def _are_accounts_due(db: sqlite3.Connection, settings: conf.Settings, now: datetime) -> bool:
    last = noted(db, _ACCOUNTED)
    wrong = any(known.kind in ACCOUNTS for known in firing(db))
    every_s = min(settings.alerts.accounts_every_s, AGAIN_S) if wrong else settings.alerts.accounts_every_s
    return last is None or not 0 <= ms(now) - last < every_s * 1000  # one to come is of a clock that was ahead


def _dealers(db: sqlite3.Connection, settings: conf.Settings, lines: Sequence[Line], now: datetime) -> Found:
    try:
        _count(db, settings, now)
        return _judged(db, settings, lines, now)
    except NothingPublished:
        return Found([])
    except Exception as error:  # noqa: BLE001 -- whatever it is, what else is wrong is still told
        return Found([], _OF_DEALERS, (f"dealers: {in_words(error)}",))


def _judged(db: sqlite3.Connection, settings: conf.Settings, lines: Sequence[Line], now: datetime) -> Found:
    known = history(db)
    since = {(each.kind, each.subject): each.since for each in firing(db)}
    alarms = [*falls(known, settings.alerts, since, now), *new_formats(known, now)]
    complete = _complete_until(lines, settings, now)
    if complete is None:
        return Found(alarms, _OF_SILENCE)
    return Found([*alarms, *silent(known, complete)])


def _count(db: sqlite3.Connection, settings: conf.Settings, now: datetime) -> None:
    """What is new in the tables, if anything is. Raises NothingPublished, TablesDamaged, StoreUnreachable."""
    store = store_of(settings.tables)
    newest = latest(store).number
    if noted(db, _PUBLICATION) != newest:
        keep(db, counted(store, _topics(settings), last_day(db, now), now), now)
        keep_note(db, _PUBLICATION, newest)


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
