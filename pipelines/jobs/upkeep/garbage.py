"""What no reader sees any more: old publications, data files that nothing names, entries of Delta's logs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pipelines.jobs.named import Named
from pipelines.jobs.plan import RUN_ID_LENGTH, is_run_id
from pipelines.jobs.staging import goes_on, spared
from pipelines.tables.locks import hold_tables
from pipelines.tables.logs import superseded_entries
from pipelines.tables.publication import oldest, remove, superseded
from pipelines.tables.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from conf.settings import TableSettings
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store, Stored

REMOVED_AT_ONCE = 10_000  # files, while nobody else may write: some seconds


@dataclass(frozen=True, slots=True)
class Garbage:
    """What is removed, or would be."""

    publications: list[int]  # their numbers
    files: list[Stored]  # data files
    log_entries: list[str]  # files of Delta's logs


def found(store: Store, tables: TableSettings, now: datetime) -> Garbage:
    """What `collect` would remove, as far as can be seen. Raises TablesDamaged."""
    since = now - timedelta(seconds=tables.keep_s)
    gone = _superseded(store, tables, since, now)
    shown = oldest(store, but=gone)
    files, named = _files_before(store, since, TABLES), Named(store, TABLES, shown)
    return Garbage(gone, _unnamed(store, files, named), _entries(store, shown))


def collect(store: Store, tables: TableSettings, now: datetime, names: Collection[str] = tuple(TABLES)) -> Garbage:
    """Remove it: publications, files and unfinished files that are older than `[tables] keep_s`.

    `names`: the tables that the store has. Raises TableBusy, TablesDamaged, LeaseLost.
    """
    since = now - timedelta(seconds=tables.keep_s)
    with hold_tables(store) as hold:
        gone = _superseded(store, tables, since, now)
        hold.check()
        remove(store, gone)
    shown = oldest(store)
    files, named = _files_before(store, since, names), Named(store, names, shown)
    files = [each for each in files if each.name not in named]
    removed: list[Stored] = []
    for start in range(0, len(files), REMOVED_AT_ONCE):
        with hold_tables(store) as hold:
            named.look_again()
            unnamed = _unnamed(store, files[start : start + REMOVED_AT_ONCE], named)
            hold.check()
            store.delete(each.name for each in unnamed)
            removed += unnamed
    entries = _entries(store, shown)
    store.delete(entries)
    store.sweep(tables.keep_s)
    return Garbage(gone, removed, entries)


def _superseded(store: Store, tables: TableSettings, since: datetime, now: datetime) -> list[int]:
    return superseded(store, tables.keep_publications, since, now, spared(store))


def _files_before(store: Store, since: datetime, names: Iterable[str]) -> list[Stored]:
    files = (each for name in names for each in store.list(name))
    return [each for each in files if each.written_at < since and is_data(each.name)]


def is_data(name: str) -> bool:
    """Whether a file below a table's folder is one that Delta would have it hold: what begins with _ or . is not."""
    return not any(part.startswith(("_", ".")) for part in name.split("/"))


def _unnamed(store: Store, files: Iterable[Stored], named: Named) -> list[Stored]:
    """Those that nothing names, and whose run does not go on: what it wrote it may name yet."""
    unnamed = [each for each in files if each.name not in named]
    runs = {run for each in unnamed if is_run_id(run := _run_of(each.name))}
    going_on = {run for run in runs if goes_on(store, run)}
    return [each for each in unnamed if _run_of(each.name) not in going_on]


def _run_of(name: str) -> str:
    """The run that wrote a data file: its id begins the file's name."""
    return name.rpartition("/")[2][:RUN_ID_LENGTH]


def _entries(store: Store, shown: Publication | None) -> list[str]:
    versions = shown.versions if shown else {}
    return [entry for name, version in versions.items() for entry in superseded_entries(store, name, version)]
