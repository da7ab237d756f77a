from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import deltalake
import pytest
from typer.testing import Result

import conf
from log import Record, TopicConfig, TopicPartition, open_log
from log.disk.files import make_folder
from log.journal import move
from log.protection import protected, unprotect
from log.reading import sources_of
from log.rewind import to_offset
from log.times import rfc3339
from pipelines.errors import GroupBusy, NothingToRead, OtherLog, RecordsDamaged, TablesDamaged
from pipelines.jobs.committing import Summary
from pipelines.jobs.extract import extract, first_mails, membership
from pipelines.jobs.reparsing.shadow import make
from pipelines.tables.locks import lease
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.folder import Folder
from tests.log.rot import flip_batch

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def run(home: Home, max_mails: int = 1000) -> Summary | None:
    return extract(home.settings, home.log, home.group, home.topic, max_mails)


def test_every_mail_ends_as_one_row_and_every_row_leads_back_to_its_mail(extracted: Home, mails: list[bytes]) -> None:
    rows = extracted.outcomes()
    assert Counter(row["message_key"] for row in rows["mails"]) == Counter(
        hashlib.sha256(mail).hexdigest() for mail in mails
    )
    for row in rows["quotes"]:
        source = TopicPartition(row["topic"], row["log_partition"])
        (record, *_) = extracted.log.read(source, row["log_offset"], 1)
        assert hashlib.sha256(record.value or b"").hexdigest() == row["message_key"]
        assert row["received_ts"].timestamp() * 1000 == pytest.approx(record.timestamp_ms)
        assert row["received_day"] == row["received_ts"].date()
    assert {row["state"] for row in rows["mails"]} == {"parsed", "parsed_empty", "rejected"}
    ran, *_ = extracted.rows("runs")
    counted = {name: len(rows[name]) for name in ("mails", "parts", "quotes", "rejects")}
    assert {name: ran[name] for name in counted} == counted
    assert ran["records"] == len(mails)
    assert extracted.log.committed(extracted.group) == extracted.ends
    assert not list((extracted.tables / "_staging").iterdir())


def files_of(tables: Path) -> dict[Path, int]:
    """Each file of the tables but the locks, and when it was written."""
    files = (path for path in tables.rglob("*") if path.is_file() and "_locks" not in path.parts)
    return {path: path.stat().st_mtime_ns for path in files}


def test_a_group_that_has_read_all_has_nothing_to_do(extracted: Home) -> None:
    before = files_of(extracted.tables)
    assert run(extracted) is None
    assert files_of(extracted.tables) == before, "who looks every 2 s writes nothing"


def test_a_rewound_group_extracts_the_same_rows(extracted: Home) -> None:
    rows, runs = extracted.outcomes(), len(extracted.rows("runs"))
    extracted.log.commit(extracted.group, dict.fromkeys(extracted.ends, 0))
    run(extracted)
    assert extracted.outcomes() == rows
    assert len(extracted.rows("runs")) == runs + 1
    assert extracted.log.committed(extracted.group) == extracted.ends


@pytest.mark.slow
def test_slices_of_mails_give_the_rows_of_one_go(home: Home, extracted: Home, mails: list[bytes]) -> None:
    done = []
    while (summary := run(home, max_mails=7)) is not None:
        done.append(summary.row["records"])
    assert sum(done) == len(mails)
    assert max(done) <= 7
    assert home.outcomes() == extracted.outcomes()


@contextmanager
def run_that_waits(home: Home, until: Callable[[], object]) -> Iterator[Future[Summary | None]]:
    """A run in a thread, as far as `until` and no further than a table that is locked; it goes on behind the block."""
    locks = home.tables / "_locks"
    make_folder(locks)
    with ThreadPoolExecutor(1) as pool, (locks / "mails.writer").open("w") as table:
        fcntl.flock(table, fcntl.LOCK_EX)
        running = pool.submit(run, home)
        while not until():
            assert not running.done()
            time.sleep(0.001)
        yield running


@pytest.mark.slow
def test_a_group_that_was_moved_during_its_run_stays_where_it_was_put(
    home: Home, extracted: Home, caplog: pytest.LogCaptureFixture
) -> None:
    """What the run read is published; nothing of it is committed, and the next run reads from where the group is."""
    source = next(iter(home.ends))
    with run_that_waits(home, lambda: list(home.tables.glob("_staging/*"))) as running:
        move(home.log, home.group, [source], to_offset(1))
    assert running.result()
    assert home.log.committed(home.group) == home.starts | {source: 1}
    assert "its group stays where it was put" in caplog.text
    assert f"{source}: moved or taken over, to offset 1" in caplog.text
    assert home.outcomes() == extracted.outcomes()
    run(home)
    assert home.log.committed(home.group) == home.ends
    assert home.outcomes() == extracted.outcomes()


@pytest.mark.slow
def test_a_group_that_was_moved_after_its_run_died_stays_where_it_was_put(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is done again first, as it was planned; the plan is of before the move."""
    source = next(iter(home.ends))

    def died(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr("pipelines.jobs.committing.publish", died)
    with pytest.raises(RuntimeError, match="killed"):
        run(home)
    monkeypatch.undo()
    move(home.log, home.group, [source], to_offset(1))
    summary = run(home)
    assert summary is not None
    assert summary.row["records"] == sum(home.ends.values())
    assert home.log.committed(home.group) == home.starts | {source: 1}


@pytest.fixture
def small(home: Home, settings: conf.Settings) -> Iterator[Home]:
    """A log of the test's own that would keep as little as it can."""
    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 1, TopicConfig(segment_bytes=1024, retention_bytes=1))
        yield dataclasses.replace(home, settings=settings, log=log)


def test_retention_waits_for_the_group_from_its_first_run_on_until_that_is_ended(small: Home) -> None:
    source = TopicPartition(small.topic, 0)
    assert run(small) is None
    for number in range(30):
        small.log.append(small.topic, [Record(b"k", hashlib.sha256(b"%d" % number).digest() * 20)])
    (held,) = [each for each in small.log.tend() if each.topic == small.topic]
    assert (held.action, f"the protected group {small.group} has not read it" in held.detail) == ("hold", True)
    assert small.log.span(source) == range(30)

    small.log.commit(small.group, {source: 30})
    assert run(small) is None
    unprotect(small.log, small.group)
    assert run(small) is None
    assert protected(small.log) == []
    small.log.commit(small.group, {source: 0})
    small.log.tend()
    assert small.log.span(source).start > 0


@pytest.mark.slow
def test_a_lost_table_is_not_made_anew_and_nothing_is_published_or_committed(home: Home) -> None:
    run(home, max_mails=4)
    root = home.tables
    before, committed = latest(Folder(root)), home.log.committed(home.group)
    (root / "quotes").rename(root.parent / "taken")
    for _ in range(2):
        with pytest.raises(TablesDamaged, match=r"tables/quotes cannot be read at version .* from a backup") as refused:
            run(home)
        assert "\n" not in str(refused.value)
    assert not (root / "quotes").exists()
    assert (latest(Folder(root)), home.log.committed(home.group)) == (before, committed)
    (root.parent / "taken").rename(root / "quotes")
    assert run(home) is not None


def test_a_second_extract_of_a_group_is_refused(home: Home) -> None:
    with lease(home.store, home.group), pytest.raises(GroupBusy):
        run(home)


def test_a_group_with_an_extract_is_seen_running_and_cannot_be_deleted(
    home: Home, otclog: Callable[..., Result], json_lines: Callable[..., list[dict[str, Any]]]
) -> None:
    home.log.commit(home.group, home.ends)
    with membership(home.log, home.group, home.topic):
        members = home.log.members(home.group)
        (row,) = [row for row in json_lines(home, "group", "list") if row["group"] == home.group]
        described = json_lines(home, "group", "describe", home.group)
        refused = otclog(home, "group", "delete", home.group, "--execute")
    assert (row["state"], row["members"]) == ("running", 1)
    assert {each["member"] for each in described} == {members[0].id}
    assert (refused.exit_code, f"group {home.group} is running" in refused.stderr) == (1, True)
    assert home.log.committed(home.group) == home.ends
    assert otclog(home, "group", "delete", home.group, "--execute").exit_code == 0


def test_a_commit_names_the_run_and_its_parsers(extracted: Home) -> None:
    publication = latest(extracted.store)
    version = extracted.rows("mails")[0]["parser_version"]
    for table in ("quotes", "mails", "parts", "rejects", "runs"):
        (commit, *_) = deltalake.DeltaTable(str(extracted.tables / table)).history(1)
        metadata = json.loads(commit["userMetadata"])
        assert (metadata["run_id"], metadata["parser_version"]) == (publication.run_id, version)


def test_the_logs_own_topics_are_no_mails_for_extract_nor_for_reparse(home: Home) -> None:
    home.log.commit(home.group, dict.fromkeys(home.starts, 0))
    with pytest.raises(NothingToRead, match="topic __otclog_groups is the log's own: it has no mails"):
        extract(home.settings, home.log, "other", "__otclog_groups", 10)
    with pytest.raises(NothingToRead, match="topic __otclog_groups is the log's own: it has no mails"):
        make(home.settings, home.log, [OffsetRange("__otclog_groups", 0, 0, 1)], "{}")
    assert home.log.committed("other") == {}


def test_without_the_topic_the_message_says_what_makes_it(home: Home) -> None:
    with pytest.raises(NothingToRead, match="otclog watch"):
        extract(home.settings, home.log, home.group, "absent", 10)


def test_a_group_beyond_the_log_s_end_is_told_to_move(home: Home) -> None:
    source, end = next(iter(home.ends.items()))
    home.log.commit(home.group, {source: end + 1})
    with pytest.raises(NothingToRead, match="rewind"):
        extract(home.settings, home.log, home.group, home.topic, 10)


@pytest.mark.slow
def test_records_that_took_the_offsets_of_lost_ones_are_told_and_read_after_a_rewind(
    home: Home, settings: conf.Settings, mails: list[bytes], otclog: Callable[..., Result], tmp_path: Path
) -> None:
    own = dataclasses.replace(home, settings=settings, file=tmp_path / "otclog.toml")
    source = TopicPartition(home.topic, 0)
    folders = [folder / str(source) for folder in (*settings.log.replicas, settings.log.root / "state")]

    def append(*numbers: int) -> None:
        own.log.append(home.topic, [Record(b"k", mails[number]) for number in numbers])

    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 1)
        own = dataclasses.replace(own, log=log)
        append(0, 1, 2)
    for folder in folders:
        shutil.copytree(folder, tmp_path / "older" / folder.parent.name)
    with closing(open_log(settings.log)) as log:
        own = dataclasses.replace(own, log=log)
        append(3, 4)
        run(own)
    for folder in folders:  # all copies lose their end, as brokers may whose election was unclean
        shutil.rmtree(folder)
        shutil.move(tmp_path / "older" / folder.parent.name, folder)
    with closing(open_log(settings.log)) as log:
        own = dataclasses.replace(own, log=log)
        lost_at = rfc3339(time.time_ns() // 10**6)
        append(5, 6, 7)
        assert log.span(source).stop > log.committed(own.group)[source]
        with pytest.raises(OtherLog, match=r"lost its end since .* up to offset 5") as told:
            run(own)
        words = str(told.value).rpartition("`otclog ")[2].rstrip("`").replace("TIME", lost_at).split()
        assert otclog(own, *words).exit_code == 0
        run(own)
        kept = [hashlib.sha256(mails[number]).hexdigest() for number in (0, 1, 2, 5, 6, 7)]
        assert [row["message_key"] for row in own.rows("mails")] == kept


@pytest.mark.slow
def test_damaged_records_stop_their_partition_alone_and_the_message_passes_them(
    home: Home, settings: conf.Settings, mails: list[bytes], otclog: Callable[..., Result], tmp_path: Path
) -> None:
    with closing(open_log(settings.log)) as log:
        log.create_topic(home.topic, 2)
        for number in range(8):
            log.append(home.topic, [Record(b"%d" % number, mails[number])])
        damaged = dataclasses.replace(home, settings=settings, log=log, file=tmp_path / "otclog.toml")
        ends = {source: log.span(source).stop for source in sources_of(log, home.topic)}
        source = max(ends, key=ends.__getitem__)
        for folder in settings.log.replicas:
            flip_batch(folder / str(source), 1)
        summary = run(damaged)
        assert summary is not None
        assert summary.row["records"] == 8 - ends[source] + 1, "the others, and what comes before the damage"
        with pytest.raises(RecordsDamaged) as told:
            run(damaged)
        assert ("offsets 1 to 1 are lost" in str(told.value), told.value.exit_code) == (True, 1)
        words = str(told.value).rpartition("otclog ")[2].split()
        assert otclog(damaged, *words).exit_code == 0
        summary = run(damaged)
        assert summary is not None
        assert summary.row["records"] == ends[source] - 2
        assert run(damaged) is None


@pytest.mark.parametrize(("limit", "expected"), [(100, [60, 30]), (30, [20, 10]), (1, [1]), (89, [59, 30])])
def test_a_slice_takes_from_each_partition_its_share_of_the_backlog(limit: int, expected: list[int]) -> None:
    backlog = [OffsetRange("a", 0, 100, 160), OffsetRange("a", 1, 7, 37)]
    taken = first_mails(backlog, limit)
    assert [len(each) for each in taken] == expected
    assert {each.start for each in taken} <= {100, 7}
