"""A run: the planned records, parsed once, into every table, published. Extract and reparse are both this.

The order of durable effects; each is repeated without harm:
 1. tasks stage outcomes, a mail parsed once whatever the number of tables, and write every table's data files of them,
    and what is left of files of which rows are replaced; no commit names them yet, so the tables may go on meanwhile
 2. by the holder of the tables, what the commits are to name is written down
 3. each table gets the new files, and loses those that they replace, in one commit a table
 4. one publication names the versions that belong together
 5. nothing is in writing any more
 6. the group's offsets are committed (by extract, last)
A crash before 2 has changed nothing. After it, whoever writes next makes the same commits before anything else: no
publication ever shows half a run. Where that cannot be, since files are gone or the parsers are others by now, the
tables are put back to what the last publication shows: no run that is lost stops others.
"""

from __future__ import annotations

import getpass
import hashlib
import socket
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

from pipelines.jobs.committing import Summary, commit_all
from pipelines.jobs.counts import check_written, counted
from pipelines.jobs.made import Made
from pipelines.jobs.parse_step import staged, staged_here
from pipelines.jobs.plan import Intent, IntentFile
from pipelines.jobs.reading import batches
from pipelines.jobs.recovery import discarded_when_it_fails, finish_left
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.pack import shipped_pack
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.spark.source import records
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.taught import keep, kept, remove_old
from pipelines.jobs.telling import of_run, tell_outcomes
from pipelines.jobs.topics import require_rows_of, require_same
from pipelines.jobs.writing import replaced, written
from pipelines.metrics import count_parsed
from pipelines.tables.commits import Change, create
from pipelines.tables.datafiles import write
from pipelines.tables.delta import opened
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import newest, standing
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import OUTCOMES, RUNS, TABLES
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from parsers.taught import Taught
    from pipelines.jobs.made import Files, Known
    from pipelines.jobs.plan import Plan
    from pipelines.jobs.spark.session import Session
    from pipelines.jobs.staged import StagedFile
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store


@spark_errors_as_pipeline_errors()
def run(settings: Settings, log: CommitLog, plan: Plan) -> Summary:
    """Do a new plan.

    Raises TableBusy, TablesDamaged, OtherLog, NotConserved, JobFailed, JobCutOff: nothing is published then.

    Nor is it, by NothingToRead, if a topic was made anew meanwhile.
    """
    store, spark = store_of(settings.tables), partial(spark_session, settings)
    require_rows_of(store, newest(store), plan.topics)
    with staging_folder(store, plan.run_id) as staging, discarded_when_it_fails(store, plan):
        taught = kept(store, plan.taught)
        made = made_of(settings, log, plan, taught, staging)
        known = replaced(spark, store, standing(store), plan, {})
        return commit_made(spark, store, plan, made, known, check=partial(keep, store, taught))  # it may be gone by now


def commit_made(
    spark: Session, store: Store, plan: Plan, made: Made, known: Known, *, check: Callable[[], None] = lambda: None
) -> Summary:
    """Commit what a run has made, and publish it. Raises as `run`.

    `known`: what is left of files of which rows are replaced, as far as that was written before. `check` is called by
    the holder of the tables, before anything is written down; nothing is published if it raises.
    """
    with hold_tables(store) as hold:
        file = IntentFile(store)
        finish_left(store, hold, file)  # another run: what is told of it is not of this one
        with of_run(plan):
            require_rows_of(store, on := newest(store), plan.topics)
            remove_old(store)
            check()
            for name in [name for name in TABLES if name not in on.versions]:
                create(store, TABLES[name], hold)
            intent = _intent(spark, store, plan, made, known, on=on)
            file.start(intent)
            return commit_all(store, hold, file, intent)


def made_of(settings: Settings, log: CommitLog, plan: Plan, taught: Taught, staging: str) -> Made:
    """Parse and write, a slice of at most `[extract] max_mails` mails at a time, staged in a folder of its own."""
    with of_run(plan):
        return _made_of(settings, log, plan, taught, staging)


def _made_of(settings: Settings, log: CommitLog, plan: Plan, taught: Taught, staging: str) -> Made:
    store, spark, started_ts = store_of(settings.tables), partial(spark_session, settings), datetime.now(UTC)
    how, is_small = (settings, taught, plan.parser_version), plan.records <= settings.extract.small_mails
    files: Files = {table.name: [] for table in OUTCOMES}
    all_staged: list[StagedFile] = []
    parse_s = write_s = 0.0
    for number, part in enumerate(sliced(plan.ranges, settings.extract.max_mails)):
        clock, folder = time.monotonic(), f"{staging}/{number}"
        with spark_errors_as_pipeline_errors(store.uri(folder)):
            if is_small:
                found = staged_here(batches(log, part), *how, (store, folder))
            else:
                found = staged(records(spark(), settings.log, part), *how, (store, folder))
        counted(found, replace(plan, ranges=tuple(part)))
        parse_s += (took_s := time.monotonic() - clock)
        tell_outcomes(store, found)
        count_parsed(plan.kind, [each.counts for each in found], took_s)
        between = time.monotonic()
        for name, made in written(spark, found, store, plan.run_id).items():
            files[name] += made
        write_s += time.monotonic() - between
        store.delete_folder(folder)
        all_staged += found
    require_same(log, plan)
    pack = None if is_small else shipped_pack(spark())
    return Made(files, counted(all_staged, plan), digest_of(settings), started_ts, parse_s, write_s, pack)


def sliced(ranges: Sequence[OffsetRange], max_mails: int) -> Iterator[list[OffsetRange]]:
    """The same records in lists of at most `max_mails` records."""
    taken: list[OffsetRange] = []
    room = max_mails
    for each in ranges:
        start = each.start
        while start < each.stop:
            stop = min(each.stop, start + room)
            taken.append(OffsetRange(each.topic, each.partition, start, stop))
            room -= stop - start
            start = stop
            if not room:
                yield taken
                taken, room = [], max_mails
    if taken:
        yield taken


def _intent(spark: Session, store: Store, plan: Plan, made: Made, known: Known, *, on: Publication) -> Intent:
    """What the commits are to name; all of it is durable. The caller holds the tables."""
    clock = time.monotonic()
    check_written(plan, made.counts, {name: sum(file.rows for file in files) for name, files in made.files.items()})
    tables = {table.name: opened(store, table.name) for table in OUTCOMES}
    left = replaced(spark, store, tables, plan, known)
    changes = {
        name: Change(
            (*files, *(file for (table, _), each in left.items() if table == name for file in each.files)),
            tuple(each.of for (table, _), each in left.items() if table == name and each.chosen),
        )
        for name, files in made.files.items()
    }
    row = _row(plan, made, made.write_s + time.monotonic() - clock, on.number + 1)
    as_batch = pa.RecordBatch.from_pylist([row], RUNS.arrow_schema())
    changes[RUNS.name] = Change(tuple(write([as_batch], store, RUNS, plan.run_id)))
    return Intent(plan, row, changes, on)


def _row(plan: Plan, made: Made, write_s: float, publication: int) -> dict[str, Any]:
    return {
        "run_id": plan.run_id,
        "kind": plan.kind,
        "group": plan.group,
        "started_ts": made.started_ts,
        "ended_ts": datetime.now(UTC),
        **asdict(made.counts),
        "parse_s": round(made.parse_s, 3),
        "write_s": round(write_s, 3),
        "ranges": [asdict(each) for each in plan.ranges],
        "host": socket.gethostname(),
        "os_user": _user(),
        "settings_sha256": made.settings_sha256,
        "pack_sha256": made.pack_sha256,
        "publication": publication,
        "selection": plan.selection,
        "shadow_of": plan.shadow_of,
        "override_reason": plan.override_reason,
        "undoes": plan.undoes,
    }


def digest_of(settings: Settings) -> str:
    """SHA-256 of all settings, hex: they hold no secret, but say in which file there is one."""
    return hashlib.sha256(msgspec.json.encode(settings, order="deterministic", enc_hook=str)).hexdigest()


def _user() -> str | None:
    """Whose process this is; None where the system has no name for it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None
