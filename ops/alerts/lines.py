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

    import conf

LOOK = "look"  # by this name the last one is noted


def alert_lines(settings: conf.Settings) -> Iterator[Line]:
    """A line, and one of each sink that does not take what it is told; none where nobody has looked yet."""
    if not settings.alerts.state.exists():
        return
    with opened(settings.alerts.state) as db:
        looked_ms, fires, wrong = noted(db, LOOK), len(firing(db)), troubles(db)
    if looked_ms is None:
        return
    at = utc(looked_ms / 1000)
    yield Line(
        "alerts", "", "ok", f"{counted(fires, 'alarm')}; last look {ago(since(at))}", {"fire": fires, "looked_at": at}
    )
    for each in wrong:
        waiting = f"{counted(each.waiting, 'alert')} not taken yet"
        lost = f"; {counted(each.given_up, 'alert')} undelivered in the last day" if each.given_up else ""
        values = {"sink": each.sink, "waiting": each.waiting, "given_up": each.given_up}
        yield Line("alerts", each.sink, "fail" if each.given_up else "warn", f"{waiting}{lost}: {each.why}", values)
