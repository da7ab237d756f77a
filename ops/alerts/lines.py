"""What `otclog status` says of alerts: does anybody look, and are those told who should be?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conf.printable import counted
from ops.alerts.file import noted, opened
from ops.alerts.outbox import troubles
from ops.alerts.state import firing
from ops.lines import Line, ago, since, utc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    import conf

LOOK = "look"  # by this name the last one is noted
OLD_S = 900.0  # from then on a look is old: timers look each minute or few


def alert_lines(settings: conf.Settings) -> Iterator[Line]:
    """A line of what fires, one of looks that are not made, and one of each sink that does not take what it is told."""
    if not settings.alerts.state.exists():
        yield from look_lines(settings, None)
        return
    with opened(settings.alerts.state) as db:
        looked_ms, fires = noted(db, LOOK), len(firing(db))
    at = None if looked_ms is None else utc(looked_ms / 1000)
    if at is not None:
        said = f"{counted(fires, 'alarm')}; last look {ago(since(at))}"
        yield Line("alerts", "", "ok", said, {"fire": fires, "looked_at": at})
    yield from look_lines(settings, at)
    yield from sink_lines(settings)


def sink_lines(settings: conf.Settings) -> Iterator[Line]:
    """A line of each sink that does not take what it is told."""
    if not settings.alerts.state.exists():
        return
    with opened(settings.alerts.state) as db:
        wrong = troubles(db)
    for each in wrong:
        waiting = f"{counted(each.waiting, 'alert')} not taken yet"
        lost = f"; {counted(each.given_up, 'alert')} undelivered in the last day" if each.given_up else ""
        values = {"sink": each.sink, "waiting": each.waiting, "given_up": each.given_up}
        yield Line("alerts", each.sink, "fail" if each.given_up else "warn", f"{waiting}{lost}: {each.why}", values)


def look_lines(settings: conf.Settings, looked_at: datetime | None) -> Iterator[Line]:
    """A line, where nobody looks though somebody has or is meant to; None: nobody ever has.

    It is no line of `alerts`: a look asks `status`, too, and is itself no longer missing then.
    """
    is_meant = bool(settings.alerts.heartbeat) or any(sink.kind != "stdout" for sink in settings.alerts.sinks)
    values = {"looked_at": looked_at}
    if looked_at is None:
        if is_meant:
            yield Line("look", "", "fail", "nobody has looked yet: have a timer do `otclog ops alerts run`", values)
    elif since(looked_at) > OLD_S:
        said = f"the last was made {ago(since(looked_at))}: does the timer of `otclog ops alerts run` go on?"
        yield Line("look", "", "fail" if is_meant else "warn", said, values)
