"""Is everything in its place? One finding a check: `ok`, `warn` (works, but read this) or `fail` (will not work)."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

import conf
from conf.printable import said
from conf.private import OTHERS
from conf.settings import SourceSettings
from log import CommitLog, LogError, find_log
from log.embedded.admin.lost_topics import hidden_topics
from parsers.codes import MailState
from parsers.dealers import Dealers, DealerTableError
from parsers.sandbox import Sandbox
from parsers.words import WordsBroken, check_words
from pipelines.jobs.session import JARS

FREE_BYTES = 5 << 30  # below this a replica's disk is called short: a busy day of mail takes about as much

ENTRIES_LOOKED_AT = 10_000  # of a mail folder
OURS = ("done", "failed")  # folders that watchers make

_GONE = "mount its disk, or name the right folder in [log] replicas"
_MAIL = b"From: a@b.example\r\nSubject: check\r\nMessage-ID: <1@b.example>\r\n\r\nno quotes here\r\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    state: Literal["ok", "warn", "fail"]
    detail: str


def examine(settings: conf.Settings) -> Iterator[Finding]:
    """Every check, in the order a mail meets what is checked; a check that breaks is a `fail`."""
    for name, check in _CHECKS.items():
        try:
            yield from check(settings)
        except (OSError, LogError, WordsBroken, subprocess.SubprocessError) as error:
            yield Finding(name, "fail", said(error))
        except Exception as error:  # noqa: BLE001 -- whatever a check meets is what it found
            yield Finding(name, "fail", f"{type(error).__name__}: {error}")


def _java(_: conf.Settings) -> Iterator[Finding]:
    java = str(Path(os.environ["JAVA_HOME"]) / "bin" / "java") if os.environ.get("JAVA_HOME") else "java"
    if shutil.which(java) is None:
        yield Finding("java", "fail", f"{java}: not found; apt-get install openjdk-17-jre-headless")
        return
    text = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    major = int(match.group(1)) if (match := re.search(r'version "(\d+)', text)) else 0
    yield Finding("java", "ok" if major >= 17 else "fail", f"version {major}, 17 or later is needed")
    jars = len(list(JARS.glob("*.jar")))
    yield Finding(
        "jars", "ok" if jars else "fail", f"{jars} in {JARS}" if jars else f"none in {JARS}: run scripts/setup"
    )


def _folders(settings: conf.Settings) -> Iterator[Finding]:
    for source in settings.ingest.sources:
        there = source.path.is_dir() and os.access(source.path, os.R_OK | os.W_OK | os.X_OK)
        detail = f"{source.path} ({source.kind})"
        yield Finding(
            "mail folder", "ok" if there else "fail", detail if there else f"{detail}: not there, or not ours to empty"
        )
        if there and (passed_by := _passed_by(source)):
            yield Finding("mail folder", "warn", f"{detail}: {passed_by}")
    has_log = (settings.log.root / "log.json").exists()
    for folder in (settings.log.root, *settings.log.replicas, settings.tables.root):
        if has_log and folder in settings.log.replicas and not folder.exists():
            yield Finding("folder", "fail", f"{folder}: no such folder, though the log has replicas: {_GONE}")
        else:
            yield _closed(folder)


def _passed_by(source: SourceSettings) -> str:
    """What lies in a mail folder that no watcher looks at; empty if nothing does."""
    if source.recursive:
        return ""
    with os.scandir(source.path) as entries:
        shown = [entry for entry in islice(entries, ENTRIES_LOOKED_AT) if not entry.name.startswith(".")]
    if source.kind == "maildir":
        files = sum(entry.is_file(follow_symlinks=False) for entry in shown)
        return f'{files} files lie beside new/, where none is taken: for a plain folder, kind = "drop"' if files else ""
    folders = sum(entry.is_dir(follow_symlinks=False) and entry.name not in OURS for entry in shown)
    return f"{folders} folders in it are not looked into: recursive = true does" if folders else ""


def _closed(folder: Path) -> Finding:
    if not folder.exists():
        return Finding("folder", "ok", f"{folder}: made at first use")
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & OTHERS:
        return Finding("folder", "fail", f"{folder} is open to others ({mode:o}), so no command writes: chmod 700 it")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("folder", "fail", f"{folder} cannot be written ({mode:o})")
    return Finding("folder", "ok", str(folder))


def _replicas(settings: conf.Settings) -> Iterator[Finding]:
    if (settings.log.root / "log.json").exists():
        with closing(find_log(settings.log)) as log:
            yield Finding("log", "ok", f"{settings.log.root} with {len(settings.log.replicas)} replicas")
            yield from (Finding("topic", "fail", told) for told in hidden_topics(log))
            yield from _out_of_sync(log)
    elif there := [path for path in (settings.ingest.ledger, settings.tables.root / "_published") if path.exists()]:
        yield Finding("log", "fail", f"{settings.log.root}: no log, though {there[0]} is of one: mount its disks")
    else:
        yield Finding("log", "ok", f"{settings.log.root}: no log yet, made at first use; are its disks mounted?")
    devices = {_there(folder).stat().st_dev for folder in settings.log.replicas}
    if len(devices) < len(settings.log.replicas):
        yield Finding(
            "replicas", "warn", "replicas share a device: a dead disk takes more than one copy; use different disks"
        )
    for folder in settings.log.replicas:
        free = shutil.disk_usage(_there(folder)).free
        if free < FREE_BYTES:
            has_room = free > settings.ingest.batch_bytes  # for the mails of one append
            yield Finding("replicas", "warn" if has_room else "fail", f"{folder}: {free >> 20} MiB free")


def _out_of_sync(log: CommitLog) -> Iterator[Finding]:
    behind = [
        f"{topic}-{each.partition}"
        for topic in log.topics()
        for each in log.describe(topic)
        if set(each.isr) < set(each.replicas)
    ]
    if behind:
        listed = ", ".join(behind[:5]) + (", …" if len(behind) > 5 else "")
        yield Finding("replicas", "warn", f"not all in sync in {listed}: `otclog replica list`, then `otclog log tend`")


def _there(folder: Path) -> Path:
    """The folder, or the one above it where it will be made."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def _dealers(settings: conf.Settings) -> Iterator[Finding]:
    try:
        table = Dealers.load(settings.parsers.dealers)
    except DealerTableError as error:
        yield Finding("dealers", "fail", str(error))
        return
    where = settings.parsers.dealers or "the table that comes with otclog"
    yield Finding("dealers", "ok", f"{len(table.entries)} in {where}")


def _words(_: conf.Settings) -> Iterator[Finding]:
    yield Finding("words", "ok", f"{check_words()} files of words that mails are read by")


def _sandbox(settings: conf.Settings) -> Iterator[Finding]:
    if settings.parsers.sandbox == "off":
        yield Finding("sandbox", "warn", 'off: a hostile document can harm the job; set [parsers] sandbox = "process"')
        return
    with Sandbox(replace(settings.parsers, dealers=None)) as sandbox:  # the table has a check of its own
        outcome = sandbox.parse(_MAIL)
        walls = ", ".join(sandbox.walls())
    if outcome.state is not MailState.parsed_empty:
        yield Finding("sandbox", "fail", f"it answered {outcome.state}")
    elif settings.parsers.sandbox == "limits":
        yield Finding("sandbox", "warn", f"a child process parses behind {walls}; its system calls are not filtered")
    else:
        yield Finding("sandbox", "ok", f"a child process parses behind {walls}")


_CHECKS: dict[str, Callable[[conf.Settings], Iterator[Finding]]] = {
    "java": _java,
    "folders": _folders,
    "log": _replicas,
    "dealers": _dealers,
    "words": _words,
    "sandbox": _sandbox,
}
