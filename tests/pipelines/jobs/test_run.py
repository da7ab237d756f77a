from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import deltalake
import pytest

import conf
from log import Record, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim, open_claims
from log.claims.claim import CLAIM_VERSION
from parsers.taught import Taught
from pipelines.errors import JobFailed, OtherLog, TablesDamaged
from pipelines.jobs.committing import Summary
from pipelines.jobs.extract import extract
from pipelines.jobs.made import Known
from pipelines.jobs.parse_step import staged
from pipelines.jobs.plan import Intent, in_writing, new_plan
from pipelines.jobs.reparsing.reparse import reparse
from pipelines.jobs.run import run as do
from pipelines.jobs.staged import StagedFile
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.jobs.writing import done, replaced
from pipelines.tables.commits import commit
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import MAILS, RUNS, TABLES, Table
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
    from pipelines.jobs.spark.session import Session
    from tests.pipelines.conftest import Home


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


STEPS = (
    "pipelines.jobs.run.written",  # staged, no file written
    "pipelines.jobs.run.replaced",  # files written, named by nobody
    "pipelines.jobs.run.hold_tables",
    "pipelines.jobs.run.check_written",
    "pipelines.jobs.run._row",
    "pipelines.jobs.plan.IntentFile.start",
    "pipelines.jobs.committing.commit",  # all tables but one and that of the runs
    "pipelines.jobs.committing.publish",
    "pipelines.jobs.plan.IntentFile.end",
    "pipelines.jobs.extract._advance",  # published, offsets not committed
)


class PowerCut(Exception):
    pass


def cut(*arguments: Any, **named: Any) -> int:
    """Fail; of the tables one alone."""
    if any(isinstance(each, Table) and each is not MAILS and each is not RUNS for each in arguments):
        return commit(*arguments, **named)
    raise PowerCut


@pytest.fixture
def small(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Whose runs are all small, and which has no Spark."""

    def refused(*_: object) -> None:
        raise AssertionError("a small run starts no session")

    monkeypatch.setattr("pipelines.jobs.run.spark_session", refused)
    few = dataclasses.replace(home.settings.extract, small_mails=1000)
    return dataclasses.replace(home, settings=dataclasses.replace(home.settings, extract=few))


@pytest.mark.slow
def test_a_small_run_gives_the_same_rows_without_spark(small: Home, extracted: Home, mails: list[bytes]) -> None:
    assert run(small)
    assert small.outcomes() == extracted.outcomes()
    assert small.log.committed(small.group) == small.ends
    summary = reparse(small.settings, small.log, [OffsetRange(*source, 0, end) for source, end in small.ends.items()])
    assert summary.row["mails"] == len(mails)
    assert small.outcomes() == extracted.outcomes()


def test_a_small_run_tells_what_the_log_does_not_have_as_spark_does(small: Home) -> None:
    run(small, 1)
    (source, end), *_ = small.ends.items()
    plan = new_plan("reparse", None, [OffsetRange(*source, 0, end + 5)], Taught.load(None))
    with pytest.raises(JobFailed, match=rf"offset {end} is not in \[0, {end}\]: nothing is published; retention"):
        do(small.settings, small.log, plan)
    assert not any((small.tables / "_staging").iterdir())


@pytest.mark.slow
def test_a_small_run_reads_the_mail_that_a_claim_stands_for(
    small: Home, extracted: Home, settings: conf.Settings, mails: list[bytes]
) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic(small.topic, 1)
        claim = Claim(hashlib.sha256(mails[0]).hexdigest(), len(mails[0]))
        open_claims(settings.log).put(claim, lambda: iter((mails[0],)))
        claimed = Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, CLAIM_VERSION),))
        log.append(small.topic, [claimed, *(Record(b"k", mail) for mail in mails[1:])])
        own = dataclasses.replace(small, settings=dataclasses.replace(small.settings, log=settings.log), log=log)
        run(own)
        keys = {row["message_key"] for row in own.rows("mails")}
    assert keys == {row["message_key"] for row in extracted.rows("mails")}


@pytest.mark.slow
@pytest.mark.timeout(900)  # eleven runs
def test_crashes_at_every_step_and_in_the_runs_that_heal_them_leave_the_same_rows(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run is cut one step later than the one before: what stands before the step stands, nothing after it does."""
    root = home.tables
    for step in STEPS:
        with monkeypatch.context() as patched:
            patched.setattr(step, cut)
            with pytest.raises(PowerCut):
                run(home)
        assert home.log.committed(home.group) == home.starts
        published = (root / "_published").exists()
        assert published == (step in STEPS[-2:])  # half a run is never published
        if published:
            assert home.outcomes() == extracted.outcomes()
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert in_writing(Folder(root)) is None
    assert home.log.committed(home.group) == home.ends


@pytest.mark.slow
def test_another_group_finishes_a_run_that_was_cut_off_before_it_publishes(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.commit", cut)
        with pytest.raises(PowerCut):
            run(home, max_mails=4)
    other = dataclasses.replace(home, group=f"{home.group}.backfill")
    run(other, max_mails=1)
    assert {row["group"] for row in home.rows("runs")} == {home.group, other.group}
    assert len(home.rows("mails")) == 4
    assert home.log.committed(home.group) == home.starts  # that is its own next run's to do
    run(home)
    assert home.outcomes() == extracted.outcomes()


@pytest.fixture
def own(home: Home, settings: conf.Settings, mails: list[bytes]) -> Iterator[Home]:
    """A log of the test's own, one partition: some of its records will be deleted."""
    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 1)
        log.append(home.topic, [Record(b"k", mail) for mail in mails])
        yield dataclasses.replace(home, settings=settings, log=log)


def offsets(home: Home, table: str) -> set[int]:
    return {row["log_offset"] for row in home.rows(table)}


def cut_off(home: Home, monkeypatch: pytest.MonkeyPatch, max_mails: int = 4) -> Intent:
    """A run over the first mails, some of whose tables are committed, and nothing published."""
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.committing.commit", cut)
        with pytest.raises(PowerCut):
            run(home, max_mails)
    left = in_writing(home.store)
    assert left is not None
    return left


@pytest.mark.slow
@pytest.mark.parametrize("finisher", ["the group itself", "another"])
def test_a_run_that_was_cut_off_is_finished_though_its_records_are_deleted_by_then(
    own: Home, monkeypatch: pytest.MonkeyPatch, finisher: str
) -> None:
    cut_off(own, monkeypatch)
    own.log.delete_records(TopicPartition(own.topic, 0), 2)
    if finisher == "another":
        other = dataclasses.replace(own, group=f"{own.group}.other")
        run(other, max_mails=1)
        assert own.log.committed(own.group) == {TopicPartition(own.topic, 0): 0}, "to move it is its own next run's"
    else:
        assert run(own)
        assert own.log.committed(own.group) == {TopicPartition(own.topic, 0): 4}
    assert in_writing(own.store) is None
    assert offsets(own, "mails") == {0, 1, 2, 3}
    assert offsets(own, "quotes") | offsets(own, "parts") == {0, 1, 2, 3}


@pytest.mark.slow
def test_a_run_whose_files_are_gone_is_put_back_and_stops_nobody(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    left = cut_off(home, monkeypatch)
    root = home.tables
    (root / "mails" / left.changes["mails"].added[0].path).unlink()
    other = dataclasses.replace(home, group=f"{home.group}.other")
    run(other, max_mails=1)
    assert "cannot be finished: put back as published" in caplog.text
    assert len(home.rows("mails")) == 1
    run(home)
    assert home.outcomes() == extracted.outcomes()


@pytest.mark.slow
def test_a_run_that_was_cut_off_on_another_state_than_is_published_is_put_back_and_loses_and_doubles_nothing(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        run(home, max_mails=3)
    left = cut_off(home, monkeypatch, max_mails=3)
    (home.tables / "_published" / "2.json").rename(home.tables / "2.json")  # damaged, say, and moved away as was told
    run(home)
    assert f"run {left.plan.run_id} was cut off on top of publication 2, and publication 1 is the newest" in caplog.text
    assert home.outcomes() == extracted.outcomes()


@pytest.mark.slow
@pytest.mark.parametrize("is_cut_off", [False, True])
def test_tables_that_lost_all_their_publications_are_not_emptied(
    home: Home, monkeypatch: pytest.MonkeyPatch, *, is_cut_off: bool
) -> None:
    run(home, max_mails=3)
    if is_cut_off:
        cut_off(home, monkeypatch, max_mails=3)
    published = home.tables / "_published"
    published.rename(home.tables / "_backup")
    versions = [deltalake.DeltaTable(str(home.tables / name)).version() for name in TABLES]
    with pytest.raises(TablesDamaged, match=r"quotes has rows, and no publication is there .* from a backup"):
        run(home)
    assert versions == [deltalake.DeltaTable(str(home.tables / name)).version() for name in TABLES]
    assert sum(home.log.committed(home.group).values()) == 3, "nor is the group moved"
    (home.tables / "_backup").rename(published)
    while run(home):
        pass
    assert len(home.rows("mails")) == 12


@pytest.fixture
def of_another_log(home: Home, settings: conf.Settings, mails: list[bytes]) -> Iterator[Home]:
    """Another log's home, whose tables are those of `home`."""
    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 3)
        log.append(home.topic, [Record(str(number).encode(), mail) for number, mail in enumerate(reversed(mails))])
        yield dataclasses.replace(home, settings=replace(settings, tables=home.settings.tables), log=log)


@pytest.mark.slow
def test_tables_of_one_log_take_no_rows_of_another_nor_of_a_topic_that_was_made_anew(
    home: Home, extracted: Home, of_another_log: Home, mails: list[bytes]
) -> None:
    other = of_another_log
    run(home)
    maintain(home.settings)
    refused = r"has rows of another topic mails .* Name a \[tables\] root of its own"
    with pytest.raises(OtherLog, match=refused):
        run(other)
    with pytest.raises(OtherLog, match=refused):
        reparse(other.settings, other.log, [OffsetRange("mails", 0, 0, 1)])
    assert home.outcomes() == extracted.outcomes()
    shutil.rmtree(home.tables)
    assert run(other)
    other.log.delete_topic("mails")
    other.log.create_topic("mails", 3)
    other.log.append("mails", [Record(b"k", mails[0])])
    with pytest.raises(OtherLog, match="or of one that was deleted and made anew"):
        run(other)
    shutil.rmtree(home.tables)
    assert run(other)
    assert len(other.rows("mails")) == 1


@pytest.mark.slow
def test_tables_of_0_2_0_which_say_no_topic_are_of_that_of_the_next_run(home: Home, of_another_log: Home) -> None:
    run(home, max_mails=3)
    file = home.tables / "_published" / "1.json"
    content = json.loads(file.read_text("utf-8"))
    assert content.pop("topics") == {home.topic: home.log.topic_id(home.topic)}
    file.write_text(json.dumps(content), "utf-8")
    run(home, max_mails=3)
    with pytest.raises(OtherLog):
        run(of_another_log)


@pytest.mark.slow
def test_a_run_that_fails_leaves_no_file_behind(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    root = home.tables
    for step in ("pipelines.jobs.run.replaced", "pipelines.jobs.run._row"):
        with monkeypatch.context() as patched:
            patched.setattr(step, cut)
            with pytest.raises(PowerCut):
                run(home)
        assert list(root.rglob("*.parquet")) == []


def data_files(root: Path) -> set[Path]:
    return {file for file in root.rglob("*.parquet") if "_delta_log" not in file.parts}


@pytest.mark.slow
def test_tasks_that_are_done_twice_at_once_give_the_same_rows_and_what_the_others_wrote_goes(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by speculation, which Spark has on a cluster alone."""

    def parsed_twice(*arguments: Any) -> list[StagedFile]:
        staged(*arguments)
        return staged(*arguments)

    def written_twice(spark: Session, work: Callable[[int], list[str]], sizes: Sequence[int]) -> list[str]:
        with ThreadPoolExecutor(2) as both:
            return [both.submit(done, spark, work, sizes) for _ in range(2)][1].result()

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.jobs.run.staged", parsed_twice)
        patched.setattr("pipelines.jobs.writing.done", written_twice)
        run(home)
    assert home.outcomes() == extracted.outcomes()
    once = dataclasses.replace(home.settings, tables=dataclasses.replace(home.settings.tables, keep_s=-60.0))
    before = data_files(home.tables)
    assert maintain(once).files >= 4, "of each table of outcomes the others wrote a file, too"
    assert data_files(home.tables) < before
    assert home.outcomes() == extracted.outcomes()


@pytest.mark.slow
def test_a_reparse_of_many_slices_is_one_publication_and_files_that_came_meanwhile_are_replaced_too(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = home.tables
    run(home, max_mails=6)
    before = latest(Folder(root)).number
    small = dataclasses.replace(home.settings, extract=dataclasses.replace(home.settings.extract, max_mails=2))
    all_of_it = [OffsetRange(source.topic, source.partition, 0, end) for source, end in home.ends.items()]
    seen: list[int] = []

    def extracting_meanwhile(*arguments: Any) -> Known:
        """Between the files of the reparse and its commits the other mails are extracted."""
        known = replaced(*arguments)
        if not seen:
            seen.append(len(known))
            run(home)
        return known

    monkeypatch.setattr("pipelines.jobs.reparsing.reparse.replaced", extracting_meanwhile)
    summary = reparse(small, home.log, all_of_it)
    assert summary.row["records"] == sum(map(len, all_of_it))
    assert latest(Folder(root)).number == before + 2
    assert home.outcomes() == extracted.outcomes()


ENDS = (
    "pipelines.jobs.plan.IntentFile.end",  # published, and the plan still written down
    "pipelines.jobs.extract._advance",  # published, and nothing written down
)


@pytest.mark.slow
@pytest.mark.parametrize("step", ENDS)
def test_a_run_that_replaced_rows_and_died_once_it_was_published_stays_published(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    root = home.tables
    run(home)
    home.log.commit(home.group, dict.fromkeys(home.ends, 0))
    with monkeypatch.context() as patched:
        patched.setattr(step, cut)
        with pytest.raises(PowerCut):
            run(home)
    made = latest(Folder(root))
    (root / "_staging" / f"{made.run_id}.left").mkdir()  # killed before it was removed
    run(dataclasses.replace(home, group=f"{home.group}.other"), max_mails=1)
    assert latest(Folder(root)).number == made.number + 1
    assert made.run_id in {row["run_id"] for row in home.rows("runs")}
    assert home.outcomes() == extracted.outcomes()
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert in_writing(Folder(root)) is None
    assert "put back" not in caplog.text


@pytest.mark.slow
def test_what_a_power_cut_left_of_commits_keeps_no_other_run_from_beginning(
    home: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = home.tables
    run(home, max_mails=6)
    cut_off(home, monkeypatch)
    torn = max((root / "quotes" / "_delta_log").glob("*.json"))
    torn.write_bytes(torn.read_bytes()[:100])
    reparse(home.settings, home.log, [OffsetRange(*source, 0, 1) for source in home.ends])
    run(home)
    run(home)
    assert home.outcomes() == extracted.outcomes()


DRIVER = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
import conf
from log import open_log
import pipelines.jobs.committing, pipelines.jobs.run
from pipelines.jobs.extract import extract
module, name = sys.argv[4].split(".")
setattr(getattr(pipelines.jobs, module), name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
settings = conf.load(Path(sys.argv[1]), {})
settings = replace(settings, tables=replace(settings.tables, root=Path(sys.argv[2])))
extract(settings, open_log(settings.log), sys.argv[3], "mails", 1000)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("step", "is_written_down"), [("run.replaced", False), ("committing.commit", True)])
def test_a_driver_killed_while_it_writes_is_healed_by_the_next_run(
    home: Home, extracted: Home, tmp_path: Path, step: str, *, is_written_down: bool
) -> None:
    root = home.tables
    command = [sys.executable, "-c", DRIVER, str(home.file), str(root), home.group, step]
    driver = subprocess.run(command, stderr=subprocess.DEVNULL, cwd=tmp_path, check=False, timeout=300)
    assert driver.returncode == -signal.SIGKILL
    assert (in_writing(Folder(root)) is not None) == is_written_down
    left = {file for file in root.rglob("*.parquet") if "_delta_log" not in file.parts}
    assert left
    assert home.log.committed(home.group) == home.starts
    run(home)
    assert home.outcomes() == extracted.outcomes()
    assert home.log.committed(home.group) == home.ends
    assert in_writing(Folder(root)) is None
    assert not list((root / "_staging").iterdir())
    assert (left <= set(root.rglob("*.parquet"))) == is_written_down, "what no commit is to name is gone"


@pytest.mark.slow
def test_the_time_of_parsing_is_without_that_of_telling(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    told_s = 0

    def tell(*_: object) -> None:
        nonlocal told_s
        told_s += 1000

    monkeypatch.setattr("pipelines.jobs.run.time", SimpleNamespace(monotonic=lambda: time.monotonic() + told_s))
    monkeypatch.setattr("pipelines.jobs.run.tell_outcomes", tell)
    summary = run(home)
    assert summary
    assert told_s
    assert max(summary.row["parse_s"], summary.row["write_s"]) < 1000
