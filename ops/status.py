"""Does everything run, and does nothing wait too long? One line a process, folder, topic, replica and disk.

Each check stands alone: one that breaks is a line of its own, and the others are still told. Nothing is changed but
what opening a log puts right, and no Spark is started.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conf.heartbeat import beats
from conf.printable import counted
from ingest.folders.inbox import A_MAILDIR, holds_a_maildir
from ingest.folders.waiting import waiting
from log import CommitLog, find_log, is_there
from log.errors import LogUnreachable
from log.lag import lag, not_begun
from ops.findings import Finding, State, in_words, no_log_yet, room, there, upgrade_due
from pipelines.errors import NothingPublished
from pipelines.tables.publication import latest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import conf
    from conf.heartbeat import Beat
    from conf.settings import SourceSettings
    from log.lag import Lag

WATCHERS = frozenset({"watch", "lmtp"})  # programs that take mails
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True, slots=True)
class Line:
    """What is so of one thing."""

    what: str  # process, folder, topic, records, log, replica, tables, disk
    name: str
    state: State  # warn: to be read, and nothing that wakes anybody
    detail: str
    values: dict[str, Any]  # what `detail` says, for programs

    def row(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"what": self.what, "name": self.name, "state": self.state, "detail": self.detail, **self.values}


def status(settings: conf.Settings) -> Iterator[Line]:
    """Every line, in the order in which a mail meets what it is about."""
    for name, check in _CHECKS.items():
        try:
            yield from check(settings)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still told
            yield Line(name, "", "fail", in_words(error), {})


def _processes(settings: conf.Settings) -> Iterator[Line]:
    found = beats(settings.log.root)
    for beat in found:
        state, said = judged(beat, settings)
        values = {
            "pid": beat.pid,
            "host": beat.host,
            "version": beat.version,
            "serves": beat.serves,
            "started_at": _utc(beat.started),
            "beat_at": _utc(beat.beat),
            "beat_age_s": round(beat.age_s, 1),
            "step": beat.step,
            "did": beat.did,
            "did_last_at": _utc(beat.did_last) if beat.did_last else None,
        }
        yield Line("process", f"{beat.program} {beat.pid}", state, said, values)
    if settings.ingest.sources and not any(beat.program in WATCHERS for beat in found):
        yield Line("process", "watch", "warn", "none runs: `otclog watch` takes mails", {})
    if not any(beat.program == "extract" for beat in found):
        yield Line("process", "extract", "ok", "none runs just now", {})


def judged(beat: Beat, settings: conf.Settings) -> tuple[State, str]:
    """How a process does that beat like this."""
    vitality = beat.process.vitality
    last = f"last beat {ago(beat.age_s)}"
    if vitality == "gone":
        when = f"last beat {beat_time(beat)}"
        return "fail", f"is gone without a word (killed, or the machine went down); {when}. Start it again"
    if vitality == "stopped":
        return "fail", f"is stopped, by SIGSTOP or a debugger; {last}. `kill -CONT {beat.pid}`, or end it"
    limit_s = settings.status.step_after_s if beat.step else settings.status.heartbeat_after_s
    if beat.age_s > limit_s:
        return "fail", f"hangs in {beat.step or 'its loop'}; {last}. Look at its messages, then end it and start it"
    did = ", ".join(f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in beat.did.items())
    did = f"; {did}" if did else ""
    step = f", in a {beat.step}" if beat.step else ""
    return "ok", f"runs since {beat_time(beat, started=True)}{step}, {last}{did}"


def beat_time(beat: Beat, *, started: bool = False) -> str:
    """On the clock of whoever reads it."""
    return datetime.fromtimestamp(beat.started if started else beat.beat).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _folders(settings: conf.Settings) -> Iterator[Line]:
    watched = any(beat.program == "watch" and beat.process.vitality != "gone" for beat in beats(settings.log.root))
    for source in settings.ingest.sources:
        try:
            yield from _folder(source, settings, watched=watched)
        except OSError as error:
            yield Line("folder", shown(source.path), "fail", in_words(error), {"path": source.path})


def _folder(source: SourceSettings, settings: conf.Settings, *, watched: bool) -> Iterator[Line]:
    found = waiting(source, settings.ingest)
    oldest_s = round(found.oldest_s, 1) if found.files else None
    values = {"path": source.path, "kind": source.kind, "files": found.files, "oldest_age_s": oldest_s}
    values["failed"] = found.failed
    name = shown(source.path)
    late = found.oldest_s > settings.status.oldest_file_after_s
    if not found.files:
        yield Line("folder", name, "ok", "nothing waits", values)
    else:
        alone = "" if watched else ", and no `otclog watch` runs"
        said = f"{counted(found.files, 'file')} waiting, the oldest for {span(found.oldest_s)}{alone}"
        yield Line("folder", name, "fail" if late or not watched else "ok", said, values)
    if holds_a_maildir(source):
        yield Line("folder", name, "warn", A_MAILDIR, values)
    if found.failed:
        said = f"{counted(found.failed, 'file')} put aside; each has its reason beside it"
        yield Line("folder", shown(source.path / "failed"), "warn", said, {"path": source.path / "failed"})


def _log(settings: conf.Settings) -> Iterator[Line]:
    if not is_there(settings.log):
        told: Finding = no_log_yet(settings)
        yield Line("log", shown(settings.log.root), told.state, told.detail, {})
        return
    with closing(find_log(settings.log)) as log:
        for check in (_topics, _troubles, _replicas):
            try:
                yield from check(log, settings)
            except LogUnreachable as error:  # the others would wait as long for the same
                yield Line("log", shown(settings.log.root), "fail", in_words(error), {})
                return
            except Exception as error:  # noqa: BLE001 -- as in `status`
                yield Line("log", shown(settings.log.root), "fail", in_words(error), {})


def _topics(log: CommitLog, settings: conf.Settings) -> Iterator[Line]:
    extract = settings.extract.group
    rows = not_begun(log, extract, settings.ingest.topics)
    rows += [row for group in log.groups() for row in lag(log, group)]
    rows.sort(key=lambda row: (row.topic, row.group))  # a topic's place is no matter of who has begun it
    for (group, topic), each in groupby(rows, key=lambda row: (row.group, row.topic)):
        yield _topic(group, topic, list(each), settings)


def _topic(group: str, topic: str, rows: list[Lag], settings: conf.Settings) -> Line:
    records = sum(row.lag for row in rows)
    oldest = min((row.oldest_unread for row in rows if row.oldest_unread), default=None)
    age_s = _since(oldest) if oldest else 0.0
    late = age_s > settings.status.oldest_unread_after_s
    if not records:
        said = f"group {group} has read all"
    else:
        said = f"{counted(records, 'record')} not read by group {group}, the oldest for {span(age_s)}"
    damaged = {row.partition: row.damaged for row in rows if row.damaged is not None}
    if damaged:
        where = ", ".join(f"{topic}-{partition} from offset {offset} on" for partition, offset in damaged.items())
        said += f"; no replica has whole what comes next in {where}: `otclog extract` says how to pass it"
    wrong = late or bool(damaged)
    state: State = "ok" if not wrong else "fail" if group == settings.extract.group else "warn"
    values = {"group": group, "topic": topic, "records": records, "oldest_unread": oldest, "damaged": damaged}
    return Line("topic", topic, state, said, {**values, "age_s": round(age_s, 1) if oldest else None})


def _troubles(log: CommitLog, _: conf.Settings) -> Iterator[Line]:
    """What is wrong with the log as a whole; of a replica its own line says so."""
    for each in log.troubles():
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


def _tables(settings: conf.Settings) -> Iterator[Line]:
    name = shown(settings.tables.root)
    try:
        publication = latest(store_of(settings.tables))
    except NothingPublished:
        yield Line("tables", name, "ok", "nothing is published yet", {"publication": None})
        return
    age_s = _since(publication.published_at)
    said = f"publication {publication.number}, {ago(age_s)}, by run {publication.run_id}"
    due = upgrade_due(settings)
    values = {"publication": publication.number, "run_id": publication.run_id, "upgrade_due": due is not None}
    values |= {"published_at": publication.published_at, "age_s": round(age_s, 1)}
    yield Line("tables", name, "fail" if due else "ok", f"{said}; {due}" if due else said, values)


def _disks(settings: conf.Settings) -> Iterator[Line]:
    """One line a file system, by the first of our folders on it."""
    sources = [source.path for source in settings.ingest.sources]
    places = [*settings.log.folders, *settings.log.claims, settings.tables.root, *sources]
    folders = [place for place in places if isinstance(place, Path)]
    by_device: dict[int, list[Path]] = {}
    for folder in folders:
        by_device.setdefault(there(folder).stat().st_dev, []).append(folder)
    for first, *others in by_device.values():
        state, free = room(first, settings)
        more = f", and of {len(others)} other folders" if others else ""
        said = f"{free / (1 << 30):,.1f} GiB free on its disk{more}"
        yield Line("disk", shown(first), state, said, {"folders": [first, *others], "free_bytes": free})


def shown(path: Path | str) -> str:
    """A path as people read it: from where they stand, if it is below; a URL as it is."""
    if isinstance(path, str):
        return path
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def span(seconds: float) -> str:
    """A length of time in its largest unit: 12 s, 3 min, 5 h, 2 d."""
    size, unit = next((each for each in _UNITS if seconds >= 2 * each[0]), _UNITS[-1])
    return f"{seconds / size:.0f} {unit}"


def ago(seconds: float) -> str:
    """How long ago that was, in its largest unit: 12 s ago, 3 min ago."""
    return f"{span(seconds)} ago"


def _since(time: str) -> float:
    return max((datetime.now(UTC) - datetime.fromisoformat(time)).total_seconds(), 0.0)


def _utc(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


_CHECKS: dict[str, Callable[[conf.Settings], Iterator[Line]]] = {
    "process": _processes,
    "folder": _folders,
    "log": _log,
    "tables": _tables,
    "disk": _disks,
}
