"""What is in the log, who has still to read it, and is it whole? Topics, groups, replicas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from glob import escape
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from conf.printable import counted, size, span
from log import CommitLog, TopicPartition, find_log, is_there
from log.command import lag_monitor_of
from log.errors import LogUnreachable
from log.lag import State as LagState
from log.lag import losses
from ops.findings import Finding, State, in_words, no_log_yet
from ops.lines import Line, shown, unknown

if TYPE_CHECKING:
    import conf
    from log.lag import Judged, Lag


def log_lines(settings: conf.Settings) -> Iterator[Line]:
    """A line a topic, a group in a topic, a trouble and a replica."""
    if not is_there(settings.log):
        told: Finding = no_log_yet(settings)
        yield Line("log", shown(settings.log.root), told.state, told.detail, unknown(*IN_A_LOG))
        return
    with closing(find_log(settings.log)) as log:
        for check, whats in _CHECKS:
            try:
                yield from check(log, settings)
            except LogUnreachable as error:  # the others would wait as long for the same
                yield Line("log", shown(settings.log.root), "fail", in_words(error), unknown(*IN_A_LOG))
                return
            except Exception as error:  # noqa: BLE001 -- as in `status`
                yield Line("log", shown(settings.log.root), "fail", in_words(error), unknown(*whats))


def _topics(log: CommitLog, _: conf.Settings) -> Iterator[Line]:
    """What is kept, and what came today; of otclog's own (`__…`) nothing is to be said."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    midnight_ms = round(midnight.timestamp() * 1000)
    for topic in log.topics():
        if topic.startswith("__"):
            continue
        parts = log.describe(topic)
        kept = sum(each.high_watermark - each.start for each in parts)
        today = [_since(log, TopicPartition(topic, each.partition), midnight_ms) for each in parts]
        held = None if any(each.bytes < 0 for each in parts) else sum(each.bytes for each in parts)
        weight = "" if held is None else f", {size(held)}"
        said = f"{counted(kept, 'record')} in {counted(len(parts), 'partition')}{weight}; {sum(today)} came today"
        values = {"topic": topic, "partitions": len(parts), "records": kept, "bytes": held, "today": sum(today)}
        values["today_each"] = today
        yield Line("topic", topic, "ok", said, values)


def _since(log: CommitLog, source: TopicPartition, timestamp_ms: int) -> int:
    """How many records were appended since then."""
    first = log.offset_for_time(source, timestamp_ms)
    return 0 if first is None else log.span(source).stop - first


def _groups(log: CommitLog, settings: conf.Settings) -> Iterator[Line]:
    found = lag_monitor_of(settings, log).look()
    for group, why in found.unreadable.items():
        yield Line("group", group, "fail", why, {"group": group, "unknown": {"group": [f"{escape(group)}/*"]}})
    place = attrgetter("lag.topic", "lag.group")  # a topic's place is no matter of who has begun it
    for (topic, group), each in groupby(sorted(found.judged, key=place), key=place):
        yield _group(group, topic, list(each), settings)


def _group(group: str, topic: str, found: list[Judged], settings: conf.Settings) -> Line:
    rows = [each.lag for each in found]
    records, held = sum(row.lag for row in rows), _bytes_of(rows)
    oldest = min((row.oldest_unread for row in rows if row.oldest_unread), default=None)
    age_s = max((each.age_s for each in found if each.age_s is not None), default=None)
    worst = max(found, key=lambda each: (each.alarms, each.state != LagState.OK, each.age_s or 0.0))
    if records:
        weight = "" if held is None else f" ({size(held)})"
        said = f"{counted(records, 'record')}{weight} of {topic} not read, the oldest for {span(age_s or 0.0)}"
    else:
        said = f"has read all of {topic}"
    lost = losses(rows)
    why = [f"{worst.state}: {worst.why}"] if worst.state != LagState.OK else []
    wrong = worst.alarms or bool(lost)
    state: State = "ok" if not wrong else "fail" if group == settings.extract.group else "warn"
    values = {
        "group": group,
        "topic": topic,
        "records": records,
        "bytes": held,
        "lag_state": str(worst.state),
        "oldest_unread": oldest,
        "damaged": {row.partition: row.damaged for row in rows if row.damaged is not None},
        "expired": sum(row.expired for row in rows),
        "age_s": None if age_s is None else round(age_s, 1),
    }
    return Line("group", group, state, "; ".join([said, *why, *lost]), values)


def _bytes_of(rows: list[Lag]) -> int | None:
    """Of all that waits; None where the log does not tell."""
    sizes = [row.bytes for row in rows if row.bytes is not None]
    return sum(sizes) if len(sizes) == len(rows) else None


def _troubles(log: CommitLog, settings: conf.Settings) -> Iterator[Line]:
    """What is wrong with the log as a whole; of a replica its own line says so."""
    for each in log.troubles(settings.ingest.topics):
        if each.fails and each.what != "replicas":
            yield Line(each.what, "", "fail", each.detail, {})


def _replicas(log: CommitLog, _: conf.Settings) -> Iterator[Line]:
    for each in log.replicas():
        values = {"folder": each.folder, "reachable": each.reachable, "partitions": each.partitions}
        name = f"{each.replica} {shown(Path(each.folder))}"
        if each.detail or not each.reachable:
            state: State = "fail"
            offline = "offline: not there, not to be entered, or not of this log"
            said = each.detail or f"{offline}; mount its disk, or `otclog replica replace`"
        elif each.in_sync < each.partitions:
            state = "fail"
            said = f"in sync in {each.in_sync} of {each.partitions} partitions: `otclog log tend` brings it back"
        else:
            state, said = "ok", f"in sync in all {each.partitions} partitions"
        yield Line("replica", name, state, said, values | {"in_sync": each.in_sync})


_Check = Callable[["CommitLog", "conf.Settings"], Iterator[Line]]
_CHECKS: tuple[tuple[_Check, tuple[str, ...]], ...] = (  # and what their lines are about
    (_topics, ("topic",)),
    (_groups, ("group",)),
    (_troubles, ("topic", "records")),
    (_replicas, ("replica",)),
)
IN_A_LOG = tuple(dict.fromkeys(what for _, whats in _CHECKS for what in whats))
