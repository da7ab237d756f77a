from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import conf
from parsers.outcome import MailOutcome
from parsers.parse import parse_mail
from pipelines.errors import TableBusy, TablesDamaged
from pipelines.jobs.plan import in_writing, new_run_id
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.upkeep.maintain import Upkeep, maintain, to_do
from pipelines.jobs.writing import done
from pipelines.tables.fence import PREFIX as FENCE
from pipelines.tables.locks import maintaining
from pipelines.tables.publication import latest, oldest, table_of
from pipelines.tables.schemas import OUTCOMES, TABLES
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from pipelines.tables.store.store import store_of
from tests.pipelines.jobs.small_runs import SmallRuns
from tests.turns import first

AT_ONCE = -60.0  # s: everything counts as old
Rows = dict[str, list[str]]


@pytest.fixture(scope="session")
def outcomes(mails: list[bytes]) -> list[MailOutcome]:
    """A text, a sheet, and one that is refused."""
    return [parse_mail(mails[number]) for number in (0, 3, 7)]


def kept(settings: conf.Settings, root: Path | str, credentials: Path | None = None) -> conf.Settings:
    """Of whose tables three publications stay, whatever their age."""
    tables = replace(settings.tables, root=root, credentials=credentials, keep_publications=3, keep_s=AT_ONCE)
    return replace(settings, tables=tables)


@pytest.fixture
def local(settings: conf.Settings, tmp_path: Path) -> conf.Settings:
    return kept(settings, tmp_path / "tables")


@pytest.fixture(params=["folder", "bucket"])
def either(request: pytest.FixtureRequest, settings: conf.Settings, tmp_path: Path) -> conf.Settings:
    """Tables in each kind of store."""
    if request.param == "folder":
        return kept(settings, tmp_path / "tables")
    return kept(settings, request.getfixturevalue("url"), request.getfixturevalue("s3").credentials)


def runs_in(settings: conf.Settings, outcomes: list[MailOutcome], number: int) -> SmallRuns:
    """Tables of so many runs."""
    runs = SmallRuns(store_of(settings.tables), outcomes)
    for _ in range(number):
        runs.commit()
    return runs


def rows(store: Store, tables: Iterable[str] = TABLES) -> Rows:
    """All columns of all published rows, in whatever order they come."""
    publication = latest(store)
    return {
        name: sorted(map(repr, table_of(store, publication, name).to_pyarrow_table().to_pylist())) for name in tables
    }


def of_mails(store: Store) -> Rows:
    return rows(store, [table.name for table in OUTCOMES])


def files(store: Store, name: str) -> list[str]:
    """Of the published version."""
    found = table_of(store, latest(store), name).get_add_actions()["path"].to_pylist()
    return [path for path in found if not path.startswith(FENCE)]


def data_files(store: Store) -> set[str]:
    """All that lie there."""
    return {each.name for name in TABLES for each in store.list(name) if "/_delta_log/" not in each.name}


@pytest.mark.slow
def test_many_small_files_become_one_a_table_and_day_and_no_row_changes(
    either: conf.Settings, outcomes: list[MailOutcome]
) -> None:
    runs = runs_in(either, outcomes, 6)
    store, before = runs.store, rows(runs.store)
    assert {name: len(files(store, name)) for name in TABLES} == dict.fromkeys(TABLES, 6)
    did = maintain(either)
    assert (did.rewritten, did.into, did.left, did.publication) == (30, 5, 0, 7)
    assert rows(store) == before
    assert {name: len(files(store, name)) for name in TABLES} == dict.fromkeys(TABLES, 1)
    for name in TABLES:
        version = latest(store).versions[name]
        commit = [json.loads(line) for line in store.get(f"{name}/_delta_log/{version:020}.json").splitlines()]
        actions = [action for line in commit for kind, action in line.items() if kind in {"add", "remove"}]
        assert {each["dataChange"] for each in actions if not each["path"].startswith(FENCE)} == {False}
        assert {each["dataChange"] for each in actions if each["path"].startswith(FENCE)} <= {True}
        assert store.size(f"{name}/_delta_log/{version:020}.checkpoint.parquet")
    assert in_writing(store) is None
    assert maintain(either).rewritten == 0
    assert latest(store).number == 7, "what changes nothing is not published"


@pytest.mark.slow
def test_a_damaged_data_file_is_told_of_by_name_and_keeps_no_other_file_from_being_looked_after(
    local: conf.Settings, outcomes: list[MailOutcome]
) -> None:
    store = runs_in(local, outcomes, 3).store
    bad = f"runs/{files(store, 'runs')[0]}"
    store.put(bad, store.get(bad)[:100])
    before = of_mails(store)
    with pytest.raises(TablesDamaged, match=rf"^{store.uri(bad)} cannot be read \(.*\): bring .* from a backup"):
        maintain(local)
    assert of_mails(store) == before
    assert {name: len(files(store, name)) for name in TABLES} == dict.fromkeys(TABLES, 1) | {"runs": 3}


@pytest.mark.slow
def test_of_publications_those_that_are_kept_can_be_read_and_what_only_older_ones_show_goes(
    either: conf.Settings, outcomes: list[MailOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = runs_in(either, outcomes, 4)
    monkeypatch.setattr("pipelines.tables.commits.LOG_PROPERTIES", {"delta.checkpointInterval": "2"})
    maintain(either)  # publication 5; from now on a checkpoint with each second commit
    shown = {}
    for _ in range(3):
        runs.commit()
        shown[latest(runs.store).number] = rows(runs.store)
    planned = to_do(either)
    there = data_files(runs.store)
    did = maintain(either)  # publication 9
    store = runs.store
    gone = there - data_files(runs.store)
    assert (did.publications, did.files) == (4, len(gone))
    assert (planned.rewritten, planned.into, planned.publications) == (did.rewritten, did.into, 3)
    assert len([each for each in gone if FENCE not in each]) == 20
    assert sorted(int(Path(each.name).stem) for each in store.list("_published")) == [7, 8, 9]
    old = oldest(store)
    assert old
    assert old.number == 7
    for name in TABLES:
        table = table_of(store, old, name)
        assert sorted(map(repr, table.to_pyarrow_table().to_pylist())) == shown[7][name]
        entries = [each.name for each in store.list(f"{name}/_delta_log")]
        assert f"{name}/_delta_log/{0:020}.json" not in entries
    assert did.log_entries
    assert rows(store) == shown[8]
    runs.run()
    maintain(either)
    assert of_mails(store) == twin(either, outcomes, runs.done)


def twin(settings: conf.Settings, outcomes: list[MailOutcome], number: int) -> Rows:
    """The rows of so many runs that nobody maintains."""
    folder = settings.log.root.parent / f"twin-{number}"
    if not folder.exists():
        runs_in(kept(settings, folder), outcomes, number)
    return of_mails(Folder(folder))


STEPS = (
    "pipelines.jobs.upkeep.maintain.finish",
    "pipelines.jobs.upkeep.compaction.done",  # no file is written
    "pipelines.jobs.upkeep.compaction.finish_left",  # files are written, named by nobody
    "pipelines.jobs.plan.IntentFile.start",
    "pipelines.jobs.committing.commit",
    "pipelines.jobs.committing.commit:3",  # two tables have their commits
    "pipelines.tables.commits._begin_anew:2",  # the second one has its commit and no checkpoint
    "pipelines.jobs.committing.publish",
    "pipelines.jobs.plan.IntentFile.end",  # published
    "pipelines.jobs.upkeep.garbage.remove",
    "pipelines.jobs.upkeep.garbage.Named",  # publications are gone, their files are there
    "pipelines.jobs.upkeep.garbage._unnamed",
    "pipelines.jobs.upkeep.garbage._entries",  # files are gone, the log is there
    "pipelines.tables.store.folder.Folder.sweep",
)


A_THIRD = pytest.mark.parametrize(
    "every", [pytest.param(3, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.soak)]
)


class PowerCut(Exception):
    pass


def dying(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step end in PowerCut, at once or at a later call of it."""
    place, _, call = step.partition(":")
    module, _, name = place.rpartition(".")
    owner: Any = sys.modules.get(module) or getattr(sys.modules[module.rpartition(".")[0]], module.rpartition(".")[2])
    done, left = getattr(owner, name), [int(call or 1)]

    def cut(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            raise PowerCut
        return done(*arguments, **options)

    monkeypatch.setattr(owner, name, cut)


@A_THIRD
@pytest.mark.timeout(900)
def test_a_maintain_cut_off_at_any_step_changes_no_row_and_runs_and_the_next_one_go_on(
    either: conf.Settings, outcomes: list[MailOutcome], monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    runs = runs_in(either, outcomes, 4)
    steps = STEPS if runs.store.is_local else STEPS[:-1]
    for step in steps[first(every) :: every]:
        runs.run()  # finishes what was cut off
        runs.commit()
        before = rows(runs.store)
        with monkeypatch.context() as patched:
            dying(step, patched)
            with pytest.raises(PowerCut):
                maintain(either)
        assert rows(runs.store) == before, step
    runs.run()
    assert in_writing(runs.store) is None
    did = maintain(either)
    assert did.left == 0
    assert of_mails(runs.store) == twin(either, outcomes, runs.done)
    held = {f"{name}/{path}" for name in TABLES for path in files(runs.store, name)}
    maintain(replace(either, tables=replace(either.tables, keep_publications=1)))
    assert {each for each in data_files(runs.store) if FENCE not in each} == held, "nothing is left of those that died"
    assert not list(runs.store.list("_staging"))


KILLED = """
import os, signal, sys
from pathlib import Path
import conf
import pipelines.jobs.upkeep.maintain, pipelines.jobs.run, pipelines.jobs.plan
from dataclasses import replace
place, _, call = sys.argv[2].partition(":")
module, _, name = place.rpartition(".")
owner = sys.modules.get(module) or getattr(sys.modules[module.rpartition(".")[0]], module.rpartition(".")[2])
done, left = getattr(owner, name), [int(call or 1)]
def killed(*arguments, **options):
    left[0] -= 1
    return done(*arguments, **options) if left[0] else os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, killed)
settings = conf.load(Path(sys.argv[1]), {})
settings = replace(settings, tables=replace(settings.tables, keep_publications=3, keep_s=-60.0))
pipelines.jobs.upkeep.maintain.maintain(settings)
"""


@A_THIRD
@pytest.mark.timeout(900)
def test_a_maintain_killed_at_any_step_changes_no_row_and_the_next_one_leaves_nothing_of_it(
    local: conf.Settings, outcomes: list[MailOutcome], tmp_path: Path, every: int
) -> None:
    runs = runs_in(local, outcomes, 4)
    for step in STEPS[first(every) :: every]:
        runs.run()  # finishes what was cut off
        runs.commit()
        before = rows(runs.store)
        command = [sys.executable, "-c", KILLED, str(tmp_path / "otclog.toml"), step]
        died = subprocess.run(command, check=False, timeout=300)
        assert died.returncode == -signal.SIGKILL, step
        assert rows(runs.store) == before, step
    maintain(local)
    assert of_mails(runs.store) == twin(local, outcomes, runs.done)
    held = {f"{name}/{path}" for name in TABLES for path in files(runs.store, name)}
    maintain(replace(local, tables=replace(local.tables, keep_publications=1)))
    assert data_files(runs.store) == held
    assert not list(runs.store.list("_staging"))


@pytest.mark.slow
def test_what_a_run_replaced_meanwhile_is_left_for_the_next_time(
    local: conf.Settings, outcomes: list[MailOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = runs_in(local, outcomes, 4)

    def replacing_meanwhile(*arguments: Any) -> list[str]:
        """Between the new files and their commits the mails of a run are read again."""
        lines = done(*arguments)
        runs.run(at=2)
        return lines

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.upkeep.compaction.done", replacing_meanwhile)
        did = maintain(local)
    assert (did.rewritten, did.left) == (4, 16), "of `runs` nothing was replaced"
    assert of_mails(runs.store) == twin(local, outcomes, 4)
    assert len(rows(runs.store, ["runs"])["runs"]) == 5
    did = maintain(replace(local, tables=replace(local.tables, keep_publications=1)))
    assert did.left == 0
    assert of_mails(runs.store) == twin(local, outcomes, 4)
    held = {f"{name}/{path}" for name in TABLES for path in files(runs.store, name)}
    assert data_files(runs.store) == held


@pytest.mark.slow
def test_by_tasks_of_spark_the_rows_are_the_same_and_spark_reads_the_oldest_publication_that_is_kept(
    spark: SparkSession, local: conf.Settings, outcomes: list[MailOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.tables.commits.LOG_PROPERTIES", {"delta.checkpointInterval": "2"})
    runs = runs_in(local, outcomes, 3)
    before = rows(runs.store)
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.writing.SMALL_BYTES", 0)
        did = maintain(local)
    assert (did.rewritten, did.into) == (15, 5)
    assert rows(runs.store) == before
    for _ in range(4):
        runs.commit()
    maintain(local)
    old = oldest(runs.store)
    assert old
    assert old.number > 1
    for name in TABLES:
        frame = spark.read.format("delta").option("versionAsOf", old.versions[name]).load(runs.store.uri(name))
        assert frame.count() == table_of(runs.store, old, name).to_pyarrow_dataset().count_rows()
    assert of_mails(runs.store) == twin(local, outcomes, runs.done)


def test_where_there_are_no_tables_nothing_is_done(local: conf.Settings) -> None:
    assert maintain(local) == to_do(local) == Upkeep()
    assert not (Path(str(local.tables.root)) / "_locks").exists()


@pytest.mark.slow
def test_what_nothing_names_goes_when_it_is_old_and_its_run_has_ended_and_one_maintains_at_a_time(
    either: conf.Settings, outcomes: list[MailOutcome]
) -> None:
    store = runs_in(either, outcomes, 1).store
    maintain(either)
    run_id, late = new_run_id(), replace(either, tables=replace(either.tables, keep_s=3600.0))
    orphans = {f"mails/received_day=2026-11-24/{run_id}-0.zstd.parquet", "parts/of-another-program.parquet"}
    for name in orphans:
        store.put(name, b"rows")
    kept_name = "mails/_other/file.parquet"
    store.put(kept_name, b"not a table's")
    before = data_files(store)
    assert maintain(late).files == 0, "a young file may be about to be named"
    with maintaining(store), pytest.raises(TableBusy, match="the tables are being maintained"):
        maintain(either)
    with staging_folder(store, run_id):
        did = maintain(either)
        assert before - data_files(store) == {"parts/of-another-program.parquet"}, "the run's driver lives"
    assert did.files == 1
    planned = to_do(either)
    assert (planned.files, planned.bytes) == (1, 4)
    assert maintain(either).files == 1
    assert before - data_files(store) == orphans
    assert store.get(kept_name)


@pytest.mark.slow
def test_a_maintain_whose_files_are_gone_is_put_back_and_stops_nobody(
    local: conf.Settings, outcomes: list[MailOutcome], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    runs = runs_in(local, outcomes, 3)
    with monkeypatch.context() as patched:
        dying("pipelines.jobs.committing.commit:3", patched)
        with pytest.raises(PowerCut):
            maintain(local)
    left = in_writing(runs.store)
    assert left
    assert left.plan.kind == "maintain"
    runs.store.delete([f"mails/{left.changes['mails'].added[0].path}"])
    runs.run()
    assert "cannot be finished: put back as published" in caplog.text
    assert in_writing(runs.store) is None
    maintain(local)
    assert of_mails(runs.store) == twin(local, outcomes, 4)


@pytest.mark.slow
def test_to_look_what_there_is_to_do_changes_nothing(local: conf.Settings, outcomes: list[MailOutcome]) -> None:
    store = runs_in(local, outcomes, 5).store
    before = sorted(store.list())
    planned = to_do(local)
    assert (planned.rewritten, planned.into, planned.publications, planned.files) == (25, 5, 2, 0)
    assert sorted(store.list()) == before
