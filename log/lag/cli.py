"""The command `otclog group lag`."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes, seconds
from conf.printable import size, span
from conf.watching import EveryOption, WatchOption, refuse_every, watch
from log.command import lag_monitor_of, settings_and_log
from log.consumers.cli import fail_for, group, say, unknown_group
from log.lag.behind import losses
from log.lag.history import since
from log.lag.judging import State

if TYPE_CHECKING:
    import conf
    from log.interface import CommitLog
    from log.lag.behind import Lag
    from log.lag.judging import Judged
    from log.lag.looking import Found, LagMonitor

_COLUMNS = ("group", "topic", "partition", "committed", "end", "lag", "bytes", "age", "state")
_LOSSES = ("damaged", "expired")  # columns where anything was lost
_SCHEDULE = "schedule"


@group.command("lag")
def show_lag(
    name: Annotated[
        str | None, typer.Argument(help="The group's name. Default: all groups.", show_default=False)
    ] = None,
    *,
    alert_after: Annotated[
        str | None,
        typer.Option(
            help="Fail if a mail waits longer: 15m, 2h; or `schedule`: than its group's schedule says.",
            show_default=False,
        ),
    ] = None,
    since_: Annotated[
        str | None,
        typer.Option("--since", help="Show what was seen before instead, since so long: 24h, 30d.", show_default=False),
    ] = None,
    again: WatchOption = False,
    every: EveryOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how many records groups have not read, how large they are, how old the oldest is, and what that means.

    OK: none waits, or none too long. WARN: some do, and the group reads on. STALLED: it stands still, though it has a
    member, or commits the same again. STOPPED: nobody reads. REWIND: it reads again what it had read; where `group
    rewind` has moved it, it is late for nothing until it has caught up, as long as it gets on.

    Too long is `[status] oldest_unread_after_s`, and `every_s` on top for a group whose job runs only so often.

    With --alert-after it is a check for cron or a monitor: exit code 1, and stderr says what waits for how long.

    Each look is noted, for --since: one a minute for a day, one an hour for 30 days.

    A mail topic that no group has begun is shown as the extraction's, with nothing committed.

    Examples:
      otclog group lag
      otclog group lag extract --watch
      otclog group lag extract --alert-after 15m
      otclog group lag --alert-after schedule
      otclog group lag extract --since 24h --json
    """
    refuse_every(every, again=again)
    if sum((alert_after is not None, since_ is not None, again)) > 1:
        raise typer.BadParameter("one of --alert-after, --since and --watch at a time")
    with errors_to_exit_codes(), settings_and_log(config) as (settings, opened):
        monitor = _monitor(settings, opened, alert_after)
        if since_ is not None:
            emit(monitor.history.rows(name, since(seconds(since_))), as_json=as_json)
            return

        def show(found: Found) -> bool:
            return _show(found.judged, settings, as_json=as_json)

        if again:
            watch(lambda: _look(monitor, name), show, every)
            return
        found = _look(monitor, name)
        show(found)
        _say_what_nobody_reads(found.judged)
        fail_for([*found.unreadable.values(), *([] if alert_after is None else _alerts(found.judged))])


def _monitor(settings: conf.Settings, opened: CommitLog, alert_after: str | None) -> LagMonitor:
    alert_after_s = None if alert_after is None or alert_after == _SCHEDULE else seconds(alert_after)
    return lag_monitor_of(settings, opened, alert_after_s)


def _look(monitor: LagMonitor, name: str | None) -> Found:
    found = monitor.look(name)
    if name and not found.judged:
        raise unknown_group(monitor.log, name)
    return found


def _show(found: list[Judged], settings: conf.Settings, *, as_json: bool) -> bool:
    """Whether somebody still reads it."""
    if as_json:
        return emit([each.row() for each in found], as_json=True)
    used = [each for each in found if _is_used(each.lag) or each.lag.topic == settings.ingest.topic]
    rows = [_line(each) for each in used]
    losses = [name for name in _LOSSES if any(row[name] for row in rows)]
    return emit(rows, as_json=False, columns=(*_COLUMNS, *losses))


def _line(judged: Judged) -> dict[str, Any]:
    """For people."""
    row = judged.row()
    age = None if judged.age_s is None else span(judged.age_s)
    return {**row, "age": age, "bytes": None if judged.lag.bytes is None else size(judged.lag.bytes)}


def _is_used(lag: Lag) -> bool:
    """A backfill that was never used is nothing to look at."""
    return bool(lag.end) or lag.committed is not None


def _say_what_nobody_reads(found: list[Judged]) -> None:
    """A line for each topic that has records, and no group that has begun it."""
    lags = [judged.lag for judged in found]
    begun = {each.topic for each in lags if each.committed is not None}
    counts: Counter[str] = Counter()
    for each in lags:
        if each.topic not in begun:
            counts[each.topic] += each.lag
    for topic, count in counts.items():
        if count:
            say(f"no group has read any of topic {topic}: {count} records wait for `otclog extract --topic {topic}`")


def _alerts(found: list[Judged]) -> list[str]:
    """A line for each partition where mails wait too long or the group was set back, and for what it has lost."""
    late = [_told(each) for each in found if each.alarms]
    place = attrgetter("group", "topic")
    rows = sorted((judged.lag for judged in found), key=place)
    lost = [
        f"group {name}, topic {topic}: {each}"
        for (name, topic), of_these in groupby(rows, key=place)
        for each in losses(list(of_these))
    ]
    return late + lost


def _told(judged: Judged) -> str:
    lag = judged.lag
    if judged.state == State.REWIND:
        return f"group {lag.group} was set back: in {lag.topic}-{lag.partition} it {judged.why}"
    waited = f"{lag.topic}-{lag.partition} has waited for {span(judged.age_s or 0)}"
    return f"group {lag.group} is late: {waited}; {judged.state}: {judged.why}"
