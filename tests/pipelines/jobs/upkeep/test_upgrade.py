from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import deltalake
import duckdb
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from parsers.taught import Taught
from pipelines.errors import SchemaDiffers, TablesDamaged
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import Intent, IntentFile, in_writing, new_plan
from pipelines.jobs.reparsing.reparse import reparse
from pipelines.jobs.upkeep.upgrade import Step, steps, upgrade
from pipelines.readers.prices import prices
from pipelines.tables.commits import create
from pipelines.tables.publication import latest
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import MAILS, RUNS, TABLES
from pipelines.tables.schemas.table import TEXT, column
from pipelines.tables.store.folder import Folder
from pipelines.tables.versions import ADDED, present
from tests.pipelines.conftest import NEW, in_order
from tests.pipelines.stores import HELD

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Rows = dict[str, list[dict[str, Any]]]

STEPS = [
    Step("quotes", 1, 2, ("as_of_ts timestamp",)),
    Step("mails", 1, 2, ("date_text string",)),
    *(Step(name, 1, 1, ()) for name in ("parts", "rejects")),
    Step(
        "runs", 1, present("runs"), tuple(f"{each} {RUNS.schema[each].dataType.simpleString()}" for each in NEW["runs"])
    ),
]


def rows_of(home: Home) -> Rows:
    return {name: home.rows(name) for name in TABLES}


def read(home: Home) -> Rows:
    """As our own readers read them."""
    with published(home.store, *TABLES) as tables:
        return {name: in_order(tables.rows(f"SELECT * FROM {name}", [], "1", {})) for name in TABLES}


@pytest.mark.slow
def test_an_upgrade_says_what_it_adds_and_changes_nothing_until_it_is_done(older: Home, rows_before: Rows) -> None:
    root = older.tables
    assert steps(Folder(root)) == STEPS
    assert latest(Folder(root)).number == 1
    assert read(older) == rows_before  # null where a table lacks the column
    assert upgrade(Folder(root)) == (STEPS, 2)
    assert rows_of(older) == read(older) == rows_before
    assert [step for step in steps(Folder(root)) if step.from_version != step.to_version] == []
    assert upgrade(Folder(root)) == (steps(Folder(root)), None)
    assert latest(Folder(root)).number == 2


def test_no_data_file_is_written_or_removed_by_an_upgrade(older: Home) -> None:
    root = older.tables
    files = {path: path.stat().st_mtime_ns for path in root.rglob("*.parquet")}
    upgrade(Folder(root))
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*.parquet")} == files


def test_an_older_home_is_read_all_the_time_and_written_only_when_it_is_upgraded(
    older: Home, extracted: Home, rows_before: Rows
) -> None:
    root = older.tables
    assert len(list(prices(Folder(root), {}))) == len(list(prices(extracted.store, {})))
    with pytest.raises(SchemaDiffers, match="otclog upgrade"):
        extract(older.settings, older.log, older.group, older.topic, 1000)
    with pytest.raises(SchemaDiffers, match="otclog upgrade"):
        reparse(older.settings, older.log, [OffsetRange(older.topic, 0, 0, 1)])
    assert older.log.committed(older.group) == {}
    assert in_writing(Folder(root)) is None
    assert read(older) == rows_before


@pytest.mark.slow
def test_an_upgraded_home_is_extracted_and_read_by_all_with_earlier_rows_beside(
    spark: SparkSession, older: Home, extracted: Home, rows_before: Rows
) -> None:
    root = older.tables
    upgrade(Folder(root))
    summary = extract(older.settings, older.log, older.group, older.topic, 5)
    assert summary
    anew = {(each.partition, offset) for each in summary.plan.ranges for offset in range(each.start, each.stop)}
    for name in ("quotes", "mails", "parts", "rejects"):
        expected = in_order(
            row
            for rows, is_anew in ((extracted.rows(name), True), (rows_before[name], False))
            for row in rows
            if ((row["log_partition"], row["log_offset"]) in anew) is is_anew
        )
        assert older.rows(name) == expected, name
    dated = [row for row in older.rows("mails") if row["date_text"] is not None]
    assert 0 < len(dated) < len(rows_before["mails"])

    version = latest(Folder(root)).versions["mails"]
    stored = deltalake.DeltaTable(str(root / "mails"), version=version).to_pyarrow_dataset()
    by_spark = spark.read.format("delta").option("versionAsOf", version).load(str(root / "mails"))
    positions = {(row["log_partition"], row["log_offset"], row["date_text"]) for row in dated}
    chosen = "log_partition", "log_offset", "date_text"
    assert {tuple(row) for row in by_spark.where("date_text IS NOT NULL").select(*chosen).collect()} == positions
    assert by_spark.where("date_text IS NULL").count() == len(rows_before["mails"]) - len(dated)
    with duckdb.connect() as connection:
        connection.register("mails", stored)
        found = connection.sql(f"SELECT {', '.join(chosen)} FROM mails WHERE date_text IS NOT NULL").fetchall()
        assert set(found) == positions
    assert len(list(prices(Folder(root), {}))) == len(list(prices(extracted.store, {})))


CUTS = (
    "pipelines.jobs.plan.IntentFile.start",
    "pipelines.jobs.upkeep.upgrade.put_back",
    "pipelines.jobs.upkeep.upgrade.create",
    "pipelines.jobs.upkeep.upgrade.extend",
    "pipelines.tables.columns.make_durable",
    "pipelines.jobs.upkeep.upgrade.publish",
    "pipelines.jobs.plan.IntentFile.end",
)


class PowerCut(Exception):
    pass


def cut_at(step: str, monkeypatch: pytest.MonkeyPatch, root: Path, *, calls: int) -> None:
    """An upgrade that dies at the last of so many calls of a step; none of what stands before it is undone."""
    done = resolve_name(step)
    left = iter(range(calls - 1))

    def call(*arguments: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise PowerCut
        return done(*arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(step, call)
        with pytest.raises(PowerCut):
            upgrade(Folder(root))


@pytest.mark.parametrize("step", CUTS)
@pytest.mark.parametrize("calls", [1, 2])
def test_an_upgrade_cut_off_at_any_step_leaves_what_was_published_and_is_done_again(
    older: Home, rows_before: Rows, monkeypatch: pytest.MonkeyPatch, step: str, calls: int
) -> None:
    root = older.tables
    once = step.endswith(("start", "end", "publish"))
    for _ in range(2):
        cut_at(step, monkeypatch, root, calls=1 if once else calls)
        assert read(older) == rows_before
        if step.endswith("IntentFile.end"):
            break  # it is published
    _, publication = upgrade(Folder(root))
    assert publication == (None if step.endswith("IntentFile.end") else 2)
    assert rows_of(older) == rows_before


UPGRADE = """
import os, signal, sys
from pathlib import Path
from pipelines.jobs.upkeep import upgrade
from pipelines.tables.store.folder import Folder
from pipelines.tables.versions import ADDED
ADDED["mails"], ADDED["quotes"] = (["date_text"],), (["as_of_ts"],)
upgrade.publish = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
upgrade.upgrade(Folder(Path(sys.argv[1])))
"""


def torn(log: Path) -> None:
    file = max(log.glob("*.json"))
    file.write_bytes(file.read_bytes()[:100])


@pytest.mark.parametrize("is_torn", [False, True], ids=["killed", "cut from its power"])
def test_an_upgrade_killed_before_it_publishes_is_put_back_and_done_again(
    older: Home, rows_before: Rows, *, is_torn: bool
) -> None:
    root = older.tables
    done = subprocess.run([sys.executable, "-c", UPGRADE, str(root)], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    if is_torn:
        torn(root / "mails" / "_delta_log")
    assert read(older) == rows_before
    assert upgrade(Folder(root)) == (STEPS, 2)
    assert in_writing(Folder(root)) is None
    assert rows_of(older) == rows_before


LATER = replace(MAILS, schema=StructType([*MAILS.schema, column("subject_text", TEXT, "as written")]))


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An otclog that knows one column more; until this is undone."""
    with monkeypatch.context() as patched:
        patched.setitem(TABLES, "mails", LATER)
        patched.setitem(ADDED, "mails", (*ADDED["mails"], ["subject_text"]))
        yield patched


def columns_at_head(root: Path) -> list[str]:
    return [field.name for field in deltalake.DeltaTable(str(root / "mails")).schema().fields]


@pytest.mark.slow
def test_what_a_later_otclog_that_died_left_of_its_upgrade_an_earlier_one_puts_back(
    home: Home, extracted: Home, later: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = home.tables
    shutil.copytree(extracted.tables, root)
    cut_at("pipelines.jobs.upkeep.upgrade.publish", monkeypatch, root, calls=1)
    later.undo()
    assert "subject_text" in columns_at_head(root)
    extract(home.settings, home.log, home.group, home.topic, 1)
    assert columns_at_head(root) == MAILS.schema.names
    assert in_writing(Folder(root)) is None
    assert home.outcomes() == extracted.outcomes()


def test_a_run_that_was_cut_off_before_an_upgrade_is_still_to_be_finished(older: Home) -> None:
    root = older.tables
    plan = new_plan("reparse", None, [OffsetRange("mails", 0, 0, 1)], Taught.load(None))
    writing = Intent(plan, {}, {})
    IntentFile(Folder(root)).start(writing)
    upgrade(Folder(root))
    assert in_writing(Folder(root)) == writing


def test_an_upgrade_does_not_empty_tables_that_lost_all_their_publications(older: Home) -> None:
    (older.tables / "_published" / "1.json").unlink()
    with pytest.raises(TablesDamaged, match="quotes has rows, and no publication is there"):
        upgrade(older.store)


def test_a_run_whose_state_an_upgrade_published_anew_stands_on_that(older: Home) -> None:
    plan = new_plan("reparse", None, [OffsetRange("mails", 0, 0, 1)], Taught.load(None))
    IntentFile(older.store).start(Intent(plan, {}, {}, latest(older.store)))
    upgrade(older.store)
    left = in_writing(older.store)
    assert left
    assert left.on == latest(older.store)
    assert left.on.number == 2


def test_tables_whose_first_run_died_before_it_published_are_upgraded_too(
    tmp_path: Path, later: pytest.MonkeyPatch
) -> None:
    assert later
    assert steps(Folder(tmp_path)) == []
    assert upgrade(Folder(tmp_path)) == ([], None)
    with later.context() as first:
        first.setitem(ADDED, "mails", ())
        create(Folder(tmp_path), MAILS, HELD)
    assert upgrade(Folder(tmp_path)) == ([Step("mails", 1, 2, ("subject_text string",))], 1)
    assert set(latest(Folder(tmp_path)).versions) == set(TABLES)
    assert list(prices(Folder(tmp_path), {})) == []
