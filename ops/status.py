"""Does everything run, and does nothing wait too long? One line a process, folder, topic, group, replica, run, disk.

Each check stands alone: one that breaks is a line of its own, and the others are still told. Nothing is changed but
what opening a log puts right, and the notes of how far groups are behind; no Spark is started.
"""

from __future__ import annotations

from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from conf.heartbeat import beats
from conf.printable import counted, span
from ingest.folders.inbox import A_MAILDIR, holds_a_maildir
from ingest.folders.waiting import waiting
from log import is_there
from ops.alerts.lines import alert_lines
from ops.findings import in_words, no_log_yet, room, there
from ops.lines import Line, shown, unknown
from ops.logs import IN_A_LOG, log_lines
from ops.processes import processes
from ops.results import results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import conf
    from conf.settings import SourceSettings


def status(settings: conf.Settings) -> Iterator[Line]:
    """Every line, in the order in which a mail meets what it is about."""
    for name, check in _CHECKS.items():
        try:
            yield from check(settings)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still told
            yield Line(name, "", "fail", in_words(error), unknown(*(IN_A_LOG if name == "log" else [name])))


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


def _disks(settings: conf.Settings) -> Iterator[Line]:
    """One line a file system, by the first of our folders on it; of a folder that is away nothing is known."""
    sources = [source.path for source in settings.ingest.sources]
    places = [*settings.log.folders, *settings.log.claims, settings.tables.root, *sources]
    folders = [place for place in places if isinstance(place, Path)]
    by_device: dict[int, list[Path]] = {}
    for folder in folders:
        try:
            by_device.setdefault(there(folder).stat().st_dev, []).append(folder)
        except OSError as error:
            yield _unseen(folder, error)
    for first, *others in by_device.values():
        try:
            state, free = room(first, settings)
        except OSError as error:
            yield _unseen(first, error)
            continue
        more = f", and of {len(others)} other folders" if others else ""
        said = f"{free / (1 << 30):,.1f} GiB free on its disk{more}"
        values = {"folders": [first, *others], "free_bytes": free}
        yield Line("disk", shown(first), state, said, values | _away([first, *others], settings))


def _unseen(folder: Path, error: OSError) -> Line:
    values = {"folders": [folder], "unknown": {"disk": [escape(str(folder))]}}
    return Line("disk", shown(folder), "fail", in_words(error), values)


def _away(folders: list[Path], settings: conf.Settings) -> dict[str, dict[str, list[str]]]:
    """What is not known: of the disk of a folder that is not there, though the log was made."""
    was_made = is_there(settings.log) or no_log_yet(settings).state == "fail"
    names = [escape(str(each)) for each in folders if was_made and not each.exists()]
    return {"unknown": {"disk": names}} if names else {}


_CHECKS: dict[str, Callable[[conf.Settings], Iterator[Line]]] = {
    "process": processes,
    "folder": _folders,
    "log": log_lines,
    "tables": results,
    "disk": _disks,
    "alerts": alert_lines,
}
