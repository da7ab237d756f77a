"""pipelines.jobs.taught"""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from parsers.dealers import Dealers, DealerTableError
from parsers.sandbox import SandboxOptions
from parsers.securities.errors import SecuritiesError
from parsers.taught import Taught
from parsers.version import parser_version
from pipelines.errors import ParsersDiffer, TablesDamaged
from pipelines.jobs import plan as plans
from pipelines.jobs.committing import Summary
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import IntentFile, in_writing
from pipelines.jobs.taught import COPIES, TaughtFiles, keep, kept, remove_old
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
    from pipelines.tables.store.interface import Store
    from tests.pipelines.conftest import Home

ENTRY = '["desk.bank.example"]\nname = "Other"\n["bank.example"]\nname = "{}"\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "dealers.toml"
    file.write_text(ENTRY.format("Bank"), "utf-8")
    return file


def test_files_are_read_anew_and_a_slip_is_told_once_and_all_else_holds(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = TaughtFiles(SandboxOptions(dealers=table))
    assert files.read() == Taught.load(SandboxOptions(dealers=table))
    table.write_text(ENTRY.format("The Bank"), "utf-8")
    good = files.read()
    assert good == Taught.load(SandboxOptions(dealers=table))
    table.write_text(ENTRY.format("The Bank") + 'regoin = "europe"\n', "utf-8")
    assert [files.read(), files.read()] == [good, good]
    (told,) = caplog.messages
    assert told.startswith(f"{table}:5: [\"bank.example\"] has an unknown key 'regoin'")
    table.unlink()
    assert [files.read(), files.read()] == [good, good]
    table.write_text(ENTRY.format("Bank"), "utf-8")
    assert files.read() == Taught.load(SandboxOptions(dealers=table)) != good
    assert len(caplog.messages) == 2


def test_a_table_that_is_half_written_changes_nothing_and_is_told_and_who_begins_takes_the_entries_that_are_whole(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = TaughtFiles(SandboxOptions(dealers=table))
    good = files.read()
    whole = table.read_text("utf-8")
    table.write_text(whole[: whole.index('"Bank"') + 3], "utf-8")
    assert [files.read(), files.read()] == [good, good]
    (told,) = caplog.messages
    assert told.startswith(f"{table}:4: no TOML: ")
    assert told.endswith("(what was read before holds until it is mended)")
    assert set(TaughtFiles(SandboxOptions(dealers=table)).read().dealers.entries) == {"desk.bank.example"}
    table.write_text(whole.replace("Bank", "The Bank"), "utf-8")
    assert files.read() == Taught.load(SandboxOptions(dealers=table)) != good


def test_who_begins_without_the_file_is_refused(table: Path) -> None:
    table.write_bytes(b"\xff")
    with pytest.raises(DealerTableError, match=f"{table}: not in UTF-8"):
        TaughtFiles(SandboxOptions(dealers=table))


def test_a_copy_is_read_as_it_was_and_one_that_is_damaged_or_gone_is_named(table: Path, tmp_path: Path) -> None:
    taught = Taught.load(SandboxOptions(dealers=table))
    keep(Folder(tmp_path), taught)
    keep(Folder(tmp_path), taught)
    assert kept(Folder(tmp_path), taught.digest) == taught
    (copy,) = (tmp_path / "_plans" / "taught").iterdir()
    assert (stat.S_IMODE(copy.stat().st_mode), stat.S_IMODE(copy.parent.stat().st_mode)) == (0o600, 0o700)
    copy.write_bytes(copy.read_bytes()[:-1])
    for _ in range(2):
        with pytest.raises(TablesDamaged, match=rf"{copy} is gone, or not what was written: bring it back"):
            kept(Folder(tmp_path), taught.digest)
        copy.unlink(missing_ok=True)


def test_a_copy_is_not_written_again_within_the_hour_unless_it_is_another(table: Path, tmp_path: Path) -> None:
    taught = Taught.load(SandboxOptions(dealers=table))
    keep(Folder(tmp_path), taught)
    (copy,) = (tmp_path / "_plans" / "taught").iterdir()
    first = copy.stat().st_ino
    keep(Folder(tmp_path), taught)
    assert copy.stat().st_ino == first
    copy.write_bytes(taught.content[:-1])
    keep(Folder(tmp_path), taught)
    assert kept(Folder(tmp_path), taught.digest) == taught
    at = copy.stat().st_mtime - 3_601
    os.utime(copy, (at, at))
    keep(Folder(tmp_path), taught)
    assert copy.stat().st_mtime > at


MASTER = "isin,asset_class\nUS037833BX70,{}\n"


def test_a_dictionary_that_contradicts_itself_is_refused_at_the_start_and_told_once_amid_runs(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    master = table.with_name("securities.csv")
    options = SandboxOptions(dealers=table, securities=master)
    master.write_text(MASTER.format("corp_ig"), "utf-8")
    files = TaughtFiles(options)
    good = files.read()
    assert good.securities is not None
    master.write_text(MASTER.format("corp_ig\nUS037833BX70,corp_hy"), "utf-8")
    assert [files.read(), files.read()] == [good, good]
    (told,) = caplog.messages
    assert told.startswith(f"{master}: line 3: isin US037833BX70 has asset_class corp_hy here")
    with pytest.raises(SecuritiesError, match=r"securities\.csv: line 3"):
        TaughtFiles(options)
    master.write_text(MASTER.format("corp_hy"), "utf-8")
    assert files.read() == Taught.load(options) != good


def keep_many(root: Path, count: int) -> list[str]:
    """The digests of so many copies, each last used a minute after the one before, long ago."""
    told = [Taught.of(Dealers.parse(ENTRY.format(f"Bank {number}"))) for number in range(count)]
    for number, each in enumerate(told):
        keep(Folder(root), each)
        at = 1_600_000_000 + 60 * number
        os.utime(root / "_plans" / "taught" / f"{each.digest}.json", (at, at))
    return [each.digest for each in told]


def copies(root: Path) -> set[str]:
    return {copy.stem for copy in (root / "_plans" / "taught").iterdir()}


def test_the_copies_used_last_are_kept_and_the_others_removed(tmp_path: Path) -> None:
    digests = keep_many(tmp_path, COPIES + 3)
    keep(Folder(tmp_path), Taught.of(Dealers.parse(ENTRY.format("Bank 0"))))  # used again
    remove_old(Folder(tmp_path))
    assert copies(tmp_path) == {digests[0], *digests[4:]}
    remove_old(Folder(tmp_path))
    assert len(copies(tmp_path)) == COPIES


@pytest.mark.slow
def test_a_run_that_is_written_has_its_copy_though_others_removed_it_and_removes_old_ones(
    taught_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = taught_home.tables
    digests = keep_many(root, COPIES + 3)

    def remove_all(store: Store) -> None:
        remove_old(store)
        assert digests[0] not in copies(root)
        for copy in (root / "_plans" / "taught").iterdir():
            copy.unlink()

    monkeypatch.setattr("pipelines.jobs.run.remove_old", remove_all)
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run(taught_home)
    left = in_writing(Folder(root))
    assert left is not None
    assert copies(root) == {left.plan.taught}


@pytest.fixture
def taught_home(home: Home, table: Path) -> Home:
    return replace(home, settings=replace(home.settings, parsers=replace(home.settings.parsers, dealers=table)))


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


def dealers(home: Home) -> set[str]:
    return {row["dealer"] for row in home.rows("mails") if row["sender"] == "desk@bank.example"}


@pytest.mark.slow
def test_the_next_run_follows_the_file_and_a_run_that_was_cut_off_its_own_copy(
    taught_home: Home, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = taught_home
    run(home)
    assert dealers(home) == {"Bank"}

    table.write_text(ENTRY.format("The Bank"), "utf-8")
    home.log.commit(home.group, dict.fromkeys(home.ends, 0))
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run(home)
    table.unlink()
    finished = run(home)  # reads no file of the user's
    assert finished is not None
    assert dealers(home) == {"The Bank"}
    copy = kept(home.store, finished.plan.taught)
    assert (
        {row["parser_version"] for row in home.rows("mails")}
        == {parser_version(copy)}
        == {finished.plan.parser_version}
    )


@pytest.mark.slow
def test_a_plan_of_other_parsers_is_put_back_and_made_anew(
    taught_home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    home = taught_home
    root = home.tables
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.publish", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run(home)
    left = in_writing(Folder(root))
    assert left is not None
    IntentFile(Folder(root)).start(replace(left, plan=replace(left.plan, parser_version="0.8.0+00000000.00000000")))
    summary = run(home)
    assert "was cut off under the parsers 0.8.0+00000000.00000000, and these are others: put back" in caplog.text
    assert summary is not None
    assert summary.plan.run_id != left.plan.run_id
    assert [row["run_id"] for row in home.rows("runs")] == [summary.plan.run_id]
    assert home.log.committed(home.group) == home.ends
    assert in_writing(Folder(root)) is None


@pytest.mark.slow
def test_a_run_whose_workers_have_other_parsers_is_refused_and_nothing_is_published(
    taught_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = taught_home
    monkeypatch.setattr(plans, "parser_version", lambda _: "9.9.9+0.0")
    with pytest.raises(ParsersDiffer, match=r"workers are 0\..*, and the run is planned for 9\.9\.9\+0\.0: nothing is"):
        run(home)
    assert not (home.tables / "_published").exists()
    assert home.log.committed(home.group) == home.starts
