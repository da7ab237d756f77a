"""A day of `otclog extract --every 2s`, maintained on its schedule: the tables stay quick to open.

It takes about three hours, and may be ended: with TEST_FOLDER it goes on with the tables that are in that folder.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest

import conf
from parsers.parse import parse_mail
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.tables.commits import LOG_PROPERTIES, put_back
from pipelines.tables.publication import latest, newest, table_of
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.folder import Folder
from tests.pipelines.jobs.small_runs import SmallRuns
from tests.pipelines.stores import HELD

OPENING_S = 0.5  # of CPU, all tables
FILES = 20  # a table and day


def opening_s(folder: Path) -> float:
    """CPU seconds that it takes to open all tables, and to know their files."""
    began = time.process_time()
    store = Folder(folder)
    publication = latest(store)
    for name in TABLES:
        table_of(store, publication, name).get_add_actions()
    return time.process_time() - began


def published_in(folder: Path) -> int:
    """How many runs are published there; what one that was cut off committed besides is taken back."""
    store = Folder(folder)
    publication = newest(store)
    if not publication.number:
        return 0
    for table in TABLES.values():
        put_back(store, table, HELD, publication)
    runs: int = table_of(store, publication, "runs").to_pyarrow_dataset().count_rows()
    return runs


@pytest.mark.parametrize(
    # Publications, at one each 2 s; maintain each 10 minutes, and an hour readable; a day names the same files again.
    ("publications", "every", "kept", "is_linked"),
    [
        pytest.param(200, 50, 50, False, marks=[pytest.mark.slow, pytest.mark.timeout(900)], id="200 publications"),
        pytest.param(43_200, 300, 1_800, True, marks=[pytest.mark.soak, pytest.mark.timeout(86_400)], id="a day"),
    ],
)
def test_however_many_publications_there_were_tables_have_few_files_and_are_quick_to_open(
    settings: conf.Settings,
    mails: list[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    *,
    publications: int,
    every: int,
    kept: int,
    is_linked: bool,
) -> None:
    monkeypatch.setattr("pipelines.jobs.writing.SMALL_BYTES", 1 << 50)  # no Spark
    # For an hour a checkpoint tells of files that are removed, 1,800 at one each 2 s; here as many are made in minutes.
    monkeypatch.setitem(LOG_PROPERTIES, "delta.deletedFileRetentionDuration", "interval 4 minutes")
    folder = Path(os.environ.get("TEST_FOLDER", tmp_path)) / f"tables-{publications}"
    tables = replace(settings.tables, root=folder, keep_publications=kept, keep_s=-60.0)
    runs = SmallRuns(Folder(folder), [parse_mail(mails[number]) for number in (0, 3, 7)] * 10, is_linked=is_linked)
    slowest, rewritten, maintaining_s = 0.0, 0, 0.0
    before = runs.done = published_in(folder)
    for number in range(before + 1, publications + 1):
        runs.commit()
        if number % every == 0:
            slowest, began = max(slowest, opening_s(folder)), time.process_time()
            rewritten += maintain(replace(settings, tables=tables)).rewritten
            maintaining_s += time.process_time() - began
    opening = opening_s(folder)
    publication = latest(runs.store)
    most = rows = 0
    for name in TABLES:
        paths = table_of(runs.store, publication, name).get_add_actions()["path"].to_pylist()
        days = [path.rpartition("/")[0] for path in paths]
        most = max(most, *(days.count(day) for day in set(days)))
        found = table_of(runs.store, publication, name).to_pyarrow_dataset()
        rows += found.count_rows()
        if name == "mails":
            offsets = found.to_table(["log_offset"])["log_offset"]
            there = list(range(30)) * publications if is_linked else list(range(30 * publications))
            assert sorted(offsets.to_pylist()) == sorted(there)
        if name == "quotes":
            distinct = 20 * (1 if is_linked else publications)
            assert len(pc.unique(found.to_table(["log_offset"])["log_offset"])) == distinct
    sizes = [(each.name, each.size) for each in runs.store.list()]
    logs = sum(size for name, size in sizes if "/_delta_log/" in name)
    record_property(
        "count",
        f"{publications} publications, the last {publications - before} of them in this sitting, maintained each {every}: "
        f"{rows} rows, at most {most} files a table and day, {rewritten} files rewritten; all tables opened in {opening:.3f} s of CPU, before a maintain in {slowest:.3f} s; "
        f"{len(sizes)} files, {sum(size for _, size in sizes) >> 20} MiB, logs {logs >> 20} MiB; "
        f"maintain {maintaining_s:.0f} s of CPU",
    )
    assert most <= FILES
    assert max(opening, slowest) <= OPENING_S
