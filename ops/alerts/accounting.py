"""Do mails, outcomes, groups and claims add up? Asked beside the looks, for it may take long; looks tell what it found.

What was asked is kept at once, each by itself: who is cut off goes on with the rest. What could not be asked stays as
it was found, is told as that, and is due still.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from log import is_there
from log.errors import LogUnusable
from ops import accounts
from ops.alerts.alarm import Alarm, Found
from ops.alerts.file import held, ms, opened
from ops.alerts.publication import MAILS, newest_number
from ops.findings import in_words, no_log_yet
from ops.lines import utc
from pipelines.errors import NothingPublished
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from datetime import datetime

    import conf
    from conf.alerting import Kind
    from ops.findings import Finding

AGAIN = timedelta(hours=1)  # what does not add up is asked again so soon
LATE = timedelta(hours=6)  # after it was due: more than one may take
MOST_TOLD = 5  # findings of one account
_CHECKS: dict[Kind, tuple[str, Callable[[conf.Settings], Iterator[Finding]]]] = {
    "rows": ("tables", accounts.rows),
    "groups": ("tables", accounts.groups),
    "claims": ("log", accounts.claims),
}
_ALL = "SELECT kind, due_ms, wrong, unasked FROM accounts ORDER BY due_ms, kind"


class _Account(NamedTuple):
    kind: Kind
    due_ms: int  # when it is to be asked next
    wrong: str  # what it found when it was asked last; "": nothing
    unasked: str  # why it could not be asked since; "": it could, or nobody tried


def account(settings: conf.Settings, now: datetime) -> list[str]:
    """Ask what is due, unless another process does so now; why what could not be asked. Raises AlertsUnavailable."""
    path = settings.alerts.state
    with suppress(TimeoutError), held(path, "accounts", 0.0), opened(path) as db:
        _begin(db, now)
        every_ms = round(settings.alerts.accounts_every_s * 1000)
        for each in _accounts(db):
            if not ms(now) < each.due_ms <= ms(now) + every_ms:  # later than that is of a clock that was ahead
                _ask(db, each, settings, now)
        return [f"{each.kind}: {each.unasked}" for each in _accounts(db) if each.unasked]
    return []


def accounted(db: sqlite3.Connection, now: datetime) -> Found:
    """What was found when each was asked last; and an alarm of what nobody asks, or cannot ask, or not to its end."""
    _begin(db, now)
    known = _accounts(db)
    alarms = [Alarm(each.kind, _CHECKS[each.kind][0], each.wrong, "critical") for each in known if each.wrong]
    said = [f"{each.kind} cannot be asked: {each.unasked}" for each in known if each.unasked]
    late = [each for each in known if not each.unasked and each.due_ms <= ms(now - LATE)]
    if late:
        names, since = ", ".join(each.kind for each in late), utc(min(each.due_ms for each in late) / 1000)
        asked = f"{names}: due since {since:%Y-%m-%d %H:%M} UTC, and not asked to the end"
        said.append(f"{asked}: does `otclog ops alerts account` run, and end before its time limit?")
    return Found([*alarms, *([Alarm("alerts", "accounts", "; ".join(said), "critical")] if said else [])])


def _begin(db: sqlite3.Connection, now: datetime) -> None:
    """What nobody has asked yet is due from now on."""
    db.executemany("INSERT OR IGNORE INTO accounts VALUES (?, ?, '', '')", [(kind, ms(now)) for kind in _CHECKS])


def _accounts(db: sqlite3.Connection) -> list[_Account]:
    return [_Account(*row) for row in db.execute(_ALL)]


def _ask(db: sqlite3.Connection, was: _Account, settings: conf.Settings, now: datetime) -> None:
    try:
        _require_all(db, was, settings)
        wrong = [found.detail for found in _CHECKS[was.kind][1](settings) if found.state == "fail"]
    except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still asked
        db.execute("UPDATE accounts SET unasked = ? WHERE kind = ?", (in_words(error), was.kind))
        return
    more = [f"and {len(wrong) - MOST_TOLD} more"] if len(wrong) > MOST_TOLD else []
    every = timedelta(seconds=settings.alerts.accounts_every_s)
    due_ms = ms(now + (min(every, AGAIN) if wrong else every))
    said = "; ".join(wrong[:MOST_TOLD] + more)
    db.execute("INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, '')", (was.kind, due_ms, said))


def _require_all(db: sqlite3.Connection, was: _Account, settings: conf.Settings) -> None:
    """Raises LogUnusable, TablesDamaged where log or tables are gone: what is not there adds up."""
    told = no_log_yet(settings)
    if not is_there(settings.log) and (told.state == "fail" or was.wrong):
        raise LogUnusable(told.detail)
    with suppress(NothingPublished):
        newest_number(db, store_of(settings.tables), MAILS)
