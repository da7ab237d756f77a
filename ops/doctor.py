"""Is everything in its place? One finding a check: `ok`, `warn` (works, but read this) or `fail` (will not work)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import conf
from conf.printable import counted, said
from conf.private import OTHERS
from conf.settings import JOURNAL_TOPIC, OPS_TOPIC, SourceSettings
from ingest.folders.folders import OURS
from ingest.folders.inbox import A_MAILDIR, check_source, holds_a_maildir
from ingest.lmtp.server import check_listening
from ingest.opening import check_intake
from log import CommitLog, LogError, find_log, is_there
from log.embedded.opening import check_options
from log.errors import LogUnreachable
from ops import accounts
from ops.findings import Finding, in_words, no_log_yet, room, there, upgrade_due
from parsers.checking import check_words
from parsers.codes import MailState
from parsers.dealers import Dealers, DealerTableError
from parsers.lexicon import WordsBroken
from parsers.sandbox import Sandbox
from parsers.securities.errors import SecuritiesError
from parsers.securities.master import load as load_securities
from pipelines.errors import OtherLog, PipelineError
from pipelines.jobs.spark.cluster import connect
from pipelines.jobs.spark.java import OLDEST, check_java
from pipelines.jobs.spark.master import check_master, is_local
from pipelines.jobs.spark.pack import pack_digest
from pipelines.jobs.spark.session import JARS
from pipelines.jobs.standing import ends
from pipelines.jobs.topics import require_rows_of
from pipelines.tables.publication import newest
from pipelines.tables.store.probe import prove
from pipelines.tables.store.store import store_of

ENTRIES_LOOKED_AT = 10_000  # of a mail folder

_GONE = "mount its disk, or name the right folder in [log] replicas"
_MAIL = b"From: a@b.example\r\nSubject: check\r\nMessage-ID: <1@b.example>\r\n\r\nno quotes here\r\n"


def examine(settings: conf.Settings, *, tables: bool = False) -> Iterator[Finding]:
    """Every check, in the order a mail meets what is checked; a check that breaks is a `fail`.

    With `tables` also those that read positions of all rows: some seconds for a million mails.
    """
    is_silent = False
    for name, check in (_CHECKS | (_OF_ROWS if tables else {})).items():
        if is_silent and check in _OF_THE_LOG:  # it would wait as long for the same answer
            continue
        try:
            yield from check(settings)
        except LogUnreachable as error:
            is_silent = True
            yield Finding(name, "fail", in_words(error))
        except WordsBroken as error:
            yield Finding(name, "fail", str(error))
        except Exception as error:  # noqa: BLE001 -- whatever a check meets is what it found
            yield Finding(name, "fail", in_words(error))


def _settings(settings: conf.Settings) -> Iterator[Finding]:
    """What the daemons refuse at their start."""
    checks = (
        partial(check_options, settings.log),
        partial(check_intake, settings.ingest),
        partial(check_listening, settings.lmtp),
        partial(check_master, settings),
    )
    for check in checks:
        try:
            check()
        except (LogError, PipelineError, conf.ConfigError) as error:
            yield Finding("settings", "fail", str(error))


def _java(_: conf.Settings) -> Iterator[Finding]:
    try:
        yield Finding("java", "ok", f"version {check_java()}, {OLDEST} or later is needed")
    except PipelineError as error:
        yield Finding("java", "fail", str(error))
    jars = len(list(JARS.glob("*.jar")))
    yield Finding(
        "jars", "ok" if jars else "fail", f"{jars} in {JARS}" if jars else f"none in {JARS}: run scripts/setup"
    )


def _cluster(settings: conf.Settings) -> Iterator[Finding]:
    """Whether its master listens, and what its workers are to run is whole."""
    spark = settings.spark
    if not is_local(spark) and spark.pack is not None:
        yield Finding("pack", "ok", f"{spark.pack}, SHA-256 {pack_digest(spark.pack)[:12]}…")
        connect(spark)
        yield Finding("master", "ok", f"{spark.master}, with {counted(spark.executors, 'executor')}")


def _folders(settings: conf.Settings) -> Iterator[Finding]:
    for source in settings.ingest.sources:
        try:
            check_source(source)
        except OSError as error:
            yield Finding("mail folder", "fail", said(error))
            continue
        detail = f"{source.path} ({source.kind})"
        yield Finding("mail folder", "ok", detail)
        if passed_by := _passed_by(source):
            yield Finding("mail folder", "warn", f"{detail}: {passed_by}")
    has_log = is_there(settings.log)
    tables = settings.tables.folder
    for folder in (*settings.log.folders, *([tables] if tables else [])):
        if has_log and folder in settings.log.replicas and not folder.exists():
            yield Finding("folder", "fail", f"{folder}: no such folder, though the log has replicas: {_GONE}")
        else:
            yield _closed(folder)


def _passed_by(source: SourceSettings) -> str:
    """What lies in a mail folder that no watcher looks at; empty if nothing does."""
    if holds_a_maildir(source):
        return A_MAILDIR
    if source.recursive:
        return ""
    with os.scandir(source.path) as entries:
        shown = [entry for entry in islice(entries, ENTRIES_LOOKED_AT) if not entry.name.startswith(".")]
    if source.kind == "maildir":
        files = sum(entry.is_file(follow_symlinks=False) for entry in shown)
        shown_files = f"{counted(files, 'file')} beside new/, where none is taken"
        return f'{shown_files}: for a plain folder, kind = "drop"' if files else ""
    folders = sum(entry.is_dir(follow_symlinks=False) and entry.name not in OURS for entry in shown)
    return f"{counted(folders, 'folder')} in it not looked into: recursive = true does" if folders else ""


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
    if is_there(settings.log):
        with closing(find_log(settings.log)) as log:
            yield Finding("log", "ok", _where(settings, log))
            messages = () if settings.logging.ops == "off" else (OPS_TOPIC,)
            for trouble in log.troubles({*settings.ingest.topics, JOURNAL_TOPIC, *messages}):
                yield Finding(trouble.what, "fail" if trouble.fails else "warn", trouble.detail)
            yield from _out_of_sync(log)
    else:
        yield no_log_yet(settings)
    if settings.log.backend == "embedded":
        yield from _devices(settings)


def _where(settings: conf.Settings, log: CommitLog) -> str:
    if settings.log.backend == "embedded":
        return f"{settings.log.root} with {len(settings.log.replicas)} replicas"
    brokers = [each.folder for each in log.replicas() if each.reachable]
    return f"cluster {log.log_id} of {len(brokers)} brokers: {', '.join(brokers)}"


def _devices(settings: conf.Settings) -> Iterator[Finding]:
    devices = {there(folder).stat().st_dev for folder in settings.log.replicas}
    if len(devices) < len(settings.log.replicas):
        yield Finding(
            "replicas", "warn", "replicas share a device: a dead disk takes more than one copy; use different disks"
        )
    for folder in settings.log.replicas:
        state, free = room(folder, settings)
        if state != "ok":
            yield Finding("replicas", state, f"{folder}: {free >> 20} MiB free")


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


def _tables(settings: conf.Settings) -> Iterator[Finding]:
    """Whether a bucket keeps what two writers need, as a folder does, and the tables are this otclog's."""
    if settings.tables.folder is None:
        prove(store_of(settings.tables))
        yield Finding("tables", "ok", f"{settings.tables.root}: of writers at once one wins")
    due = upgrade_due(settings)
    yield Finding("tables", "fail" if due else "ok", f"{settings.tables.root}: {due or 'as this otclog writes them'}")


def _beyond_the_log(settings: conf.Settings) -> Iterator[Finding]:
    """Rows of records that the log does not have: it is another one, say, or was put back from an older copy."""
    if upgrade_due(settings) or not is_there(settings.log):
        return
    with closing(find_log(settings.log)) as log:
        store, topics = store_of(settings.tables), set(log.topics())
        try:
            require_rows_of(store, newest(store), {topic: log.topic_id(topic) for topic in topics})
        except OtherLog as error:
            yield Finding("tables", "fail", str(error))
            return
        for source, read_to in sorted(ends(store).items()):
            if source.topic in topics and read_to > (end := log.span(source).stop):
                detail = (
                    f"{settings.tables.root} has rows of {source} up to offset {read_to}, and the log ends at {end}: "
                    "was it put back from an older copy? Mails that come take the offsets, and their rows the place of "
                    "those"
                )
                yield Finding("tables", "warn", detail)


def _dealers(settings: conf.Settings) -> Iterator[Finding]:
    try:
        table = Dealers.load(settings.parsers.dealers)
    except DealerTableError as error:
        yield Finding("dealers", "fail", str(error))
        return
    yield from (Finding("dealers", "warn", f"{slip}: this does not hold, all else does") for slip in table.slips)
    where = settings.parsers.dealers or "the table that comes with otclog"
    yield Finding("dealers", "ok", f"{len(table.entries)} in {where}")


def _securities(settings: conf.Settings) -> Iterator[Finding]:
    file = settings.parsers.securities
    if file is None:
        yield Finding("securities", "ok", "no dictionary of instruments")
        return
    try:
        found = load_securities(file)
    except SecuritiesError as error:
        yield Finding("securities", "fail", str(error))
        return
    yield Finding("securities", "ok", f"{found.keys} names of instruments in {file}")


def _words(_: conf.Settings) -> Iterator[Finding]:
    yield Finding("words", "ok", f"{check_words()} files of words that mails are read by")


def _sandbox(settings: conf.Settings) -> Iterator[Finding]:
    if settings.parsers.sandbox == "off":
        yield Finding("sandbox", "warn", 'off: a hostile document can harm the job; set [parsers] sandbox = "process"')
        return
    with Sandbox(replace(settings.parsers, dealers=None, securities=None)) as sandbox:  # these have checks of their own
        outcome = sandbox.parse(_MAIL)
        walls = ", ".join(sandbox.walls())
    if outcome.state is not MailState.parsed_empty:
        yield Finding("sandbox", "fail", f"it answered {outcome.state}")
    elif settings.parsers.sandbox == "limits":
        yield Finding("sandbox", "warn", f"a child process parses behind {walls}; its system calls are not filtered")
    else:
        yield Finding("sandbox", "ok", f"a child process parses behind {walls}")


_CHECKS: dict[str, Callable[[conf.Settings], Iterator[Finding]]] = {
    "settings": _settings,
    "java": _java,
    "cluster": _cluster,
    "folders": _folders,
    "log": _replicas,
    "tables": _tables,
    "rows and log": _beyond_the_log,
    "dealers": _dealers,
    "securities": _securities,
    "words": _words,
    "sandbox": _sandbox,
}
_OF_ROWS: dict[str, Callable[[conf.Settings], Iterator[Finding]]] = {
    "rows": accounts.rows,
    "groups": accounts.groups,
    "claims": accounts.claims,
}
_OF_THE_LOG = {_replicas, _beyond_the_log, accounts.groups, accounts.claims}
