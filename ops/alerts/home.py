"""What `otclog status` finds wrong, as alarms: it is judged there, and not anew."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from log.opslog import TOPIC
from ops.alerts.alarm import Alarm, Found, Level, Thing, limit_of
from ops.analysis.place import GROUP
from ops.status import status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import conf
    from conf.alerting import AlertSettings, Kind
    from ops.lines import Line

LEAST_RECORDS = 1_000  # that came today, before a partition of a topic is called skewed

_KINDS: dict[str, Kind] = {
    "process": "process",
    "folder": "folder",
    "log": "log",
    "topic": "topic",
    "records": "records",
    "replica": "replica",
    "group": "lag",
    "tables": "tables",
    "disk": "disk",
    "alerts": "alerts",
}
_OF_TOPICS: tuple[Kind, ...] = ("topic", "skew")
_ALSO_WARNINGS = frozenset({"group", "disk"})  # other warnings are to be read, and wake nobody


class Standing(NamedTuple):
    """What a look at the home found."""

    found: Found
    lines: list[Line]


def standing(settings: conf.Settings) -> Standing:
    """By `status`, which says, too, of what nothing is known."""
    lines = list(status(settings))
    alarms = [*(_alarm(line, settings) for line in lines if _is_wrong(line)), *_skewed(lines, settings.alerts)]
    return Standing(Found(_joined(alarms), frozenset(_unseen(lines))), lines)


def analysis_lives(lines: Sequence[Line], settings: conf.Settings) -> bool:
    """Whether what programs say is analysed in time, where it is said into the log at all."""
    if settings.logging.ops == "off":
        return True
    groups = [line for line in lines if line.what == "group" and line.values.get("group") == GROUP]
    said = sum(line.values["records"] for line in lines if line.what == "topic" and line.name == TOPIC)
    return all(line.state == "ok" for line in groups) if groups else not said


def _unseen(lines: Iterable[Line]) -> Iterator[Thing]:
    for line in lines:
        for what, patterns in line.values.get("unknown", {}).items():
            for kind in _OF_TOPICS if what == "topic" else (_KINDS[what],):
                yield from (Thing(kind, pattern) for pattern in patterns)


def _is_wrong(line: Line) -> bool:
    return line.what in _KINDS and (line.state == "fail" or (line.state == "warn" and line.what in _ALSO_WARNINGS))


def _alarm(line: Line, settings: conf.Settings) -> Alarm:
    level: Level = "critical" if line.state == "fail" else "warning"
    return Alarm(_KINDS[line.what], _subject(line, settings), line.detail, level)


def _subject(line: Line, settings: conf.Settings) -> str:
    """The same from wherever it is looked at, and whichever process it is: paths as the settings have them."""
    name, values = line.name, line.values
    subjects = {
        "process": name.partition(" ")[0],
        "folder": values.get("path", name),
        "log": settings.log.root,
        "replica": name.partition(" ")[0],
        "group": f"{values.get('group', name)}/{values['topic']}" if "topic" in values else name,
        "tables": settings.tables.root,
        "disk": values.get("folders", [name])[0],
    }
    return str(subjects.get(line.what, name)) or "check"


def _joined(alarms: Iterable[Alarm]) -> list[Alarm]:
    """One of each thing: of several processes of a program, say, and of all that is wrong with the log."""
    by_thing: dict[tuple[Kind, str], list[Alarm]] = defaultdict(list)
    for alarm in alarms:
        by_thing[alarm.kind, alarm.subject].append(alarm)
    return [
        Alarm(*thing, "; ".join(dict.fromkeys(each.text for each in of)), _worst(of)) for thing, of in by_thing.items()
    ]


def _worst(alarms: Iterable[Alarm]) -> Level:
    return "critical" if any(each.level == "critical" for each in alarms) else "warning"


def _skewed(lines: Iterable[Line], settings: AlertSettings) -> Iterator[Alarm]:
    """Topics of which one partition gets far more than its part."""
    for line in lines:
        today = line.values.get("today_each", []) if line.what == "topic" else []
        if len(today) > 1 and sum(today) >= LEAST_RECORDS:
            mean, most = sum(today) / len(today), max(today)
            if most > mean * limit_of(settings, "skew", line.name):
                said = f"partition {today.index(most)} of {len(today)} got {most} of the {sum(today)} records of today"
                yield Alarm("skew", line.name, f"{said}: keys are not spread, or somebody sends the same", "warning")
