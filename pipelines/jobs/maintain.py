"""Maintain: many small files into few, and what readers can see no longer goes. No row is changed.

The order of durable effects; each is repeated without harm:
 1. a run that was cut off is finished, or put back, as whoever writes does it first
 2. tasks write the files that are to stand for many; no commit names them yet, so the tables may go on meanwhile
 3. by the holder of the tables, those alone whose rows still lie where they were read are committed, each table in one
    commit with a checkpoint behind it, and published, as a run's are; who dies amid it is finished as a run is
 4. old publications go, but the newest ones
 5. data files go that nothing names any more: those that the old publications alone showed, and what tasks left that
    died or were done twice. By the holder of the tables, who has looked again what is named
 6. of each log the entries go from before the checkpoint that the oldest publication's version stands on
 7. unfinished files go
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pipelines.errors import LeaseLost
from pipelines.jobs.named import Named
from pipelines.jobs.plan import Writing, WritingFile, is_run_id, maintain_plan
from pipelines.jobs.run import commit_all, discarded_when_it_fails, finish, finish_left
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.staging import goes_on, staging_folder
from pipelines.jobs.writing import SMALL_BYTES, done
from pipelines.tables.commits import Change, paths_in
from pipelines.tables.compacting import compacted, due
from pipelines.tables.datafiles import DataFile
from pipelines.tables.locks import maintaining, writing
from pipelines.tables.logs import superseded_entries
from pipelines.tables.publication import oldest, remove, standing, superseded
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conf.settings import Settings, TableSettings
    from pipelines.jobs.plan import Plan
    from pipelines.tables.compacting import Part
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store, Stored

REMOVED_AT_ONCE = 10_000  # files, while nobody else may write: some seconds
RUN_ID = 24  # characters, with which the name of a run's file begins


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a maintain did, or would do."""

    rewritten: int = 0  # data files of many ...
    into: int = 0  # ... of which so many were made
    left: int = 0  # that were to be rewritten, but that another process replaced meanwhile: for the next time
    publications: int = 0  # removed
    files: int = 0  # data files that were removed, since nothing names them
    bytes: int = 0  # of these
    log_entries: int = 0  # files of Delta's logs that were removed
    publication: int | None = None  # that shows the new files


@spark_errors_as_pipeline_errors()
def maintain(settings: Settings) -> Upkeep:
    """Do all that is due; where there are no tables that is nothing.

    Raises TableBusy where another maintain goes on, or a run commits for very long; TablesDamaged, SchemaDiffers,
    NotConserved, JobFailed, JobCutOff: what was done until then stands.
    """
    store, plan = store_of(settings.tables), maintain_plan()
    if oldest(store) is None:
        return Upkeep()
    with maintaining(store), staging_folder(store, plan.run_id) as staging:
        finish(settings)
        with discarded_when_it_fails(store, plan):
            did = _compact(settings, store, plan)
        held = [each.written_at for each in store.list(staging)]  # by the store's clock
        if not held:
            raise LeaseLost(
                f"another process took {store.uri(staging)} for that of a dead one while this one stood still"
            )
        now = max(held)
        return replace(did, **_remove(store, settings.tables, now))


def to_do(settings: Settings) -> Upkeep:
    """What there is to do, as far as can be seen; changes nothing. Raises TablesDamaged, SchemaDiffers."""
    store = store_of(settings.tables)
    if oldest(store) is None:
        return Upkeep()
    parts, now = _due(store), datetime.now(UTC)
    gone = superseded(store, settings.tables.keep_publications, _since(settings.tables, now))
    shown = oldest(store, but=gone)
    files, named = _old_files(store, settings.tables, now), Named(store, TABLES, shown)
    done = _removed(gone, _unnamed(store, files, named), _entries(store, shown))
    return Upkeep(rewritten=sum(len(part.files) for part in parts), into=len(parts), **done)


def _due(store: Store) -> list[Part]:
    return [part for name, table in standing(store).items() for part in due(table, TABLES[name])]


def _compact(settings: Settings, store: Store, plan: Plan) -> Upkeep:
    parts = _due(store)
    sizes = [part.size for part in parts]
    spark = spark_session(settings.spark) if sum(sizes) > SMALL_BYTES else None
    lines = done(spark, partial(_write_part, parts, store, plan.run_id), sizes)
    files = [msgspec.json.decode(line, type=tuple[DataFile, ...]) for line in lines]
    made = [Made(part, new) for part, new in zip(parts, files, strict=True)]
    if not made:
        return Upkeep()
    with writing(store) as hold:
        file = WritingFile(store)
        finish_left(store, hold, file)
        held = {name: paths_in(store, name) for name in standing(store)}
        fresh = [each for each in made if {of.path for of in each.part.files} <= held[each.part.table]]
        publication = None
        if fresh:
            to_write = Writing(plan, {}, {name: _change(name, fresh) for name in held})
            file.start(to_write)
            publication = commit_all(store, hold, file, to_write).publication
    left = [each for each in made if each not in fresh]
    store.delete(f"{each.part.table}/{new.path}" for each in left for new in each.files)
    return Upkeep(
        rewritten=sum(len(each.part.files) for each in fresh),
        into=sum(len(each.files) for each in fresh),
        left=sum(len(each.part.files) for each in left),
        publication=publication,
    )


@dataclass(frozen=True, slots=True)
class Made:
    """New files, and those that they stand for."""

    part: Part
    files: tuple[DataFile, ...]


def _write_part(parts: Sequence[Part], store: Store, run_id: str, number: int) -> list[str]:
    part = parts[number]
    return [msgspec.json.encode(compacted(store, TABLES[part.table], part, run_id)).decode()]


def _change(name: str, made: Sequence[Made]) -> Change:
    own = [each for each in made if each.part.table == name]
    added, gone = (file for each in own for file in each.files), (of for each in own for of in each.part.files)
    return Change(tuple(added), tuple(gone), is_new_data=False)


def _remove(store: Store, tables: TableSettings, now: datetime) -> dict[str, int]:
    gone = superseded(store, tables.keep_publications, _since(tables, now))
    remove(store, gone)
    shown = oldest(store)
    files, named = _old_files(store, tables, now), Named(store, TABLES, shown)
    files = [each for each in files if each.name not in named]
    removed: list[Stored] = []
    for start in range(0, len(files), REMOVED_AT_ONCE):
        with writing(store) as hold:
            named.look_again()
            unnamed = _unnamed(store, files[start : start + REMOVED_AT_ONCE], named)
            hold.check()
            store.delete(each.name for each in unnamed)
            removed += unnamed
    entries = _entries(store, shown)
    store.delete(entries)
    store.sweep(tables.keep_s)
    return _removed(gone, removed, entries)


def _removed(publications: Sequence[int], files: Sequence[Stored], entries: Sequence[str]) -> dict[str, int]:
    size = sum(each.size for each in files)
    return {"publications": len(publications), "files": len(files), "bytes": size, "log_entries": len(entries)}


def _since(tables: TableSettings, now: datetime) -> datetime:
    return now - timedelta(seconds=tables.keep_s)


def _old_files(store: Store, tables: TableSettings, now: datetime) -> list[Stored]:
    since = _since(tables, now)
    found = (each for name in TABLES for each in store.list(name))
    return [each for each in found if each.written_at < since and is_data(each.name)]


def is_data(name: str) -> bool:
    """Whether a file below a table's folder is one that Delta would have it hold: what begins with _ or . is not."""
    return not any(part.startswith(("_", ".")) for part in name.split("/"))


def _unnamed(store: Store, files: Iterable[Stored], named: Named) -> list[Stored]:
    """Those that nothing names, and whose run does not go on: what it wrote it may name yet."""
    found = [each for each in files if each.name not in named]
    runs = {run for each in found if is_run_id(run := _run_of(each.name))}
    going_on = {run for run in runs if goes_on(store, run)}
    return [each for each in found if _run_of(each.name) not in going_on]


def _run_of(name: str) -> str:
    return name.rpartition("/")[2][:RUN_ID]


def _entries(store: Store, shown: Publication | None) -> list[str]:
    versions = shown.versions if shown else {}
    return [entry for name, version in versions.items() for entry in superseded_entries(store, name, version)]
