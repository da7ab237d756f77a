"""ops.analysis: each line of the topic `ops` is a row once, whatever it holds and whatever ends the process."""

from __future__ import annotations

import dataclasses
import shutil
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import conf
from log import CommitLog, TopicPartition, open_log
from log.journal import move
from log.opslog import MAX_VALUE_BYTES, TOPIC, ensure_topic, record_of
from log.rewind import to_offset
from ops.analysis import analyse as module
from ops.analysis.analyse import Analysed, analyse
from ops.analysis.place import GROUP, NAME, store_of_events
from pipelines.errors import NothingToRead, OtherLog, TableBusy
from pipelines.jobs.standing import ahead_of
from pipelines.tables.delta import opened
from pipelines.tables.locks import hold_tables
from pipelines.tables.replacing import described
from pipelines.tables.store.store import store_of
from tests.ops.analysis.conftest import Run, Say, Seen

OPS = TopicPartition(TOPIC, 0)


def events(found: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in found]


def test_each_line_is_a_row_once_and_a_second_run_reads_what_came_since(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen
) -> None:
    say("one", "two")
    assert analyse(settings, log) == Analysed(lines=2, publication=1)
    assert analyse(settings, log) == Analysed()
    say("three")
    assert analyse(settings, log).lines == 1
    assert events(seen()) == ["one", "two", "three"]
    assert log.committed(GROUP) == {OPS: 3}


def test_a_rewound_group_puts_rows_in_the_place_of_the_same_rows(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen
) -> None:
    say("one", "two", "three")
    analyse(settings, log)
    before = seen()
    move(log, GROUP, [OPS], to_offset(1), reason="to read again")
    say("four")
    assert analyse(settings, log).lines == 3
    assert seen()[:3] == before
    assert events(seen()) == ["one", "two", "three", "four"]


@pytest.mark.slow
def test_an_analysis_reads_to_the_end_though_it_tells_messages_itself(settings: conf.Settings, tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(f'{file.read_text()}\n[logging]\nops = "info"\n')
    with closing(open_log(settings.log)) as log:
        ensure_topic(log)
        log.append(TOPIC, [record_of({"event": "one"}, "desk-1", "otclog watch")])
    command = [str(Path(sys.executable).with_name("otclog")), "ops", "analyse", "--config", str(file)]
    told = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    assert told == ["1 line analysed\n", "0 lines analysed\n"]


STEPS = ("put_back", "create", "write", "commit", "publish", "advance", "_compact", "collect")


@pytest.mark.parametrize("dying", [(step, is_done) for step in STEPS for is_done in (False, True)], ids=str)
def test_a_run_that_dies_at_any_step_leaves_each_line_once_to_the_next(
    dying: tuple[str, bool], analysed: Run, say: Say, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("one", "two")
    analysed()
    say("three", "four")
    step, is_done = dying
    real = getattr(module, step)

    def dies(*given: Any, **named: Any) -> None:
        if is_done:
            real(*given, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, step, dies)
        with pytest.raises(KeyboardInterrupt):
            analysed()
    assert events(seen()) in (["one", "two"], ["one", "two", "three", "four"])
    say("five")
    analysed()
    assert events(seen()) == ["one", "two", "three", "four", "five"]


def test_a_table_that_was_lost_is_made_again_of_what_the_log_has(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen, caplog: pytest.LogCaptureFixture
) -> None:
    say("one", "two")
    analyse(settings, log)
    assert isinstance(settings.tables.root, Path)
    (settings.tables.root / "ops").rename(settings.tables.root / "away")
    assert analyse(settings, log).lines == 2
    assert events(seen()) == ["one", "two"]
    assert "set back" in caplog.text


def test_a_table_from_a_backup_gets_the_lines_that_it_lacks(
    settings: conf.Settings, analysed: Run, say: Say, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = iter(["20261128T090000-00000001", "20261128T100000-00000002", "20261128T110000-00000003"])
    monkeypatch.setattr(module, "new_run_id", lambda: next(ids))
    say("one", "two")
    analysed()
    assert isinstance(settings.tables.root, Path)
    backup = settings.tables.root.with_name("backup")
    shutil.copytree(settings.tables.root, backup)
    say("three")
    analysed()
    shutil.rmtree(settings.tables.root)
    shutil.copytree(backup, settings.tables.root)
    say("four")
    assert analysed().lines == 2
    assert events(seen()) == ["one", "two", "three", "four"]


def test_a_group_that_was_moved_forward_before_anything_was_read_stays_there(
    log: CommitLog, analysed: Run, say: Say, seen: Seen
) -> None:
    say("one", "two")
    move(log, GROUP, [OPS], to_offset(1), reason="from here on")
    assert analysed().lines == 1
    assert events(seen()) == ["two"]


def test_what_the_group_commits_is_taken_for_no_run_of_an_extraction(
    log: CommitLog, settings: conf.Settings, analysed: Run, say: Say
) -> None:
    say("one")
    analysed()
    assert ahead_of(log, store_of(settings.tables), GROUP) == {}


def test_lines_that_retention_took_first_are_counted_and_passed(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen
) -> None:
    say("one")
    analyse(settings, log)
    say("two", "three", "four")
    log.delete_records(OPS, 3)
    assert analyse(settings, log) == Analysed(lines=1, expired=2, publication=2)
    assert events(seen()) == ["one", "four"]
    assert log.committed(GROUP) == {OPS: 4}


def test_a_topic_that_was_made_anew_is_refused(settings: conf.Settings, log: CommitLog, say: Say) -> None:
    say("one")
    analyse(settings, log)
    log.delete_topic(TOPIC)
    ensure_topic(log)
    say("other")
    with pytest.raises(OtherLog, match="move it away"):
        analyse(settings, log)


def test_without_the_topic_there_is_nothing_to_read(settings: conf.Settings, log: CommitLog) -> None:
    log.delete_topic(TOPIC)
    with pytest.raises(NothingToRead, match="otclog ops ship"):
        analyse(settings, log)


def test_two_do_not_analyse_at_once(settings: conf.Settings, log: CommitLog, say: Say) -> None:
    say("one")
    with hold_tables(store_of_events(settings.tables)), pytest.raises(TableBusy):
        analyse(settings, log)


def test_the_table_is_its_owners_alone(settings: conf.Settings, log: CommitLog, say: Say) -> None:
    say("one")
    analyse(settings, log)
    assert isinstance(settings.tables.root, Path)
    for folder in (settings.tables.root / "ops", settings.tables.root / "ops" / NAME):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.slow
def test_small_files_become_few_and_no_line_is_lost_by_it(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen
) -> None:
    said = [f"line {number}" for number in range(20)]
    for each in said:
        say(each)
        analyse(settings, log)
    assert events(seen()) == said
    files = list(described(opened(store_of_events(settings.tables), NAME)))
    assert len(files) <= 5


def test_days_are_kept_for_ninety_days(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ns = time.time_ns()
    for days in (91, 90, 0):
        with monkeypatch.context() as patched:
            patched.setattr(time, "time_ns", lambda days=days: now_ns - days * 86_400 * 10**9)
            say(f"{days} days ago")
    analyse(settings, log)
    assert len(seen()) == 3
    say("now")
    analyse(settings, log)
    assert events(seen()) == ["90 days ago", "0 days ago", "now"]


def test_what_is_said_amid_an_analysis_is_read_by_the_next_one(
    settings: conf.Settings, log: CommitLog, say: Say, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("one")

    def meanwhile(*given: Any) -> Any:
        say("meanwhile")
        return create(*given)

    create = getattr(module, STEPS[1])
    with monkeypatch.context() as patched:
        patched.setattr(module, STEPS[1], meanwhile)
        assert analyse(settings, log).lines == 1
    assert events(seen()) == ["one"]
    assert analyse(settings, log).lines == 1
    assert events(seen()) == ["one", "meanwhile"]


def test_what_nobody_sees_any_more_is_removed(settings: conf.Settings, log: CommitLog, say: Say, seen: Seen) -> None:
    at_once = dataclasses.replace(
        settings, tables=dataclasses.replace(settings.tables, keep_s=0.001, keep_publications=2)
    )
    for number in range(8):
        say(f"line {number}")
        analyse(at_once, log)
    assert len(seen()) == 8
    assert isinstance(settings.tables.root, Path)
    assert len(list((settings.tables.root / "ops" / "_published").iterdir())) <= 4
    assert len(list((settings.tables.root / "ops" / NAME).rglob("*.parquet"))) <= 8


def test_a_line_keeps_what_it_says_of_a_mail(settings: conf.Settings, log: CommitLog, say: Say, seen: Seen) -> None:
    about = {"sha256": "ab" * 32, "message_id": "1@bank.example", "topic": "mails", "partition": 3, "offset": 17}
    say("mails-3, offset 17: parsed", **about, run="20261128T090000-0123abcd", level="info", process=4711)
    analyse(settings, log)
    (row,) = seen()
    assert {name: row[name] for name in ("sha256", "message_id", "mail_topic", "mail_partition", "mail_offset")} == {
        "sha256": "ab" * 32,
        "message_id": "1@bank.example",
        "mail_topic": "mails",
        "mail_partition": 3,
        "mail_offset": 17,
    }
    assert (row["host"], row["unit"], row["process"]) == ("desk-1", "otclog watch", 4711)
    assert row["run"] == "20261128T090000-0123abcd"
    assert row["at"] == datetime(2026, 11, 28, 9, 0, 0, 1, tzinfo=UTC)
    assert row["flags"] == []


@pytest.mark.parametrize(
    ("value", "flags"),
    [
        (b"", ["no_json", "no_time"]),
        (b"\x00\xff\xfe\x1b[2J", ["no_json", "no_time"]),
        (b"[1, 2]", ["no_json", "no_time"]),
        (b"[" * 100_000, ["cut", "no_json", "no_time"]),
        (b'{"event": "half \\ud83d", "timestamp": "2026-11-28T09:00:00Z"}', []),
        (b'{"event": 1e999, "process": 99999999999999999999, "offset": true, "partition": -1.5}', ["no_time"]),
        (b'{"event": {"a": ["b"]}, "host": null, "message_id": ["x"], "sha256": 5, "timestamp": 12}', ["no_time"]),
        (b'{"event": "x", "timestamp": "2026-11-28T09:00:00"}', ["no_time"]),
        (b'{"event": "x", "timestamp": "0001-01-01T00:00:00+14:00"}', ["no_time"]),
        (b'{"event": "x", "timestamp": "0001-01-01T00:00:00Z"}', []),
        (b'{"event": "x", "timestamp": "9999-12-31T23:59:59.999999Z"}', ["ahead"]),
        (b'{"event": "x", "cut": true, "timestamp": "2026-11-28T09:00:00Z"}', ["cut"]),
        (b'{"event": "' + b"x" * 10_000_000 + b'"}', ["cut", "no_time"]),
        (b"\x01" * 10_000_000, ["cut", "no_json", "no_time"]),
    ],
)
def test_whatever_a_record_holds_is_a_row_that_says_what_is_odd(
    value: bytes, flags: list[str], analysed: Run, say: Say, seen: Seen
) -> None:
    began = datetime.now(UTC).date()
    say("before", value, "after")
    assert analysed().lines == 3
    before, odd, after = seen()
    assert (before["event"], after["event"]) == ("before", "after")
    assert odd["flags"] == flags
    assert len(odd["line"].encode()) <= 4 * MAX_VALUE_BYTES
    assert began <= odd["received_ts"].date() <= datetime.now(UTC).date()


def test_a_forged_time_opens_no_day_of_its_own(settings: conf.Settings, log: CommitLog, say: Say) -> None:
    for year in range(1000, 1100):
        say("x", timestamp=f"{year}-01-01T00:00:00Z")
    analyse(settings, log)
    days: Counter[str | None] = Counter(
        file.day for file, _ in described(opened(store_of_events(settings.tables), NAME))
    )
    assert set(days) <= {(datetime.now(UTC).date() - timedelta(days=back)).isoformat() for back in (-1, 0, 1)}


@pytest.mark.slow
def test_processes_that_are_killed_at_any_moment_leave_each_line_once(
    settings: conf.Settings, say: Say, seen: Seen, record_property: Callable[[str, str], None]
) -> None:
    """Each is killed a little later than the one before, of the time that the first one took."""
    program, killed = Path(sys.executable).with_name("otclog"), 0
    whole_s = 60.0
    for nth in range(8):
        say(*(f"line {number}" for number in range(2_000 * nth, 2_000 * (nth + 1))))
        begun, share = time.monotonic(), (1.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 9.0)[nth]
        with subprocess.Popen([program, "ops", "analyse"], cwd=settings.log.root.parent) as run:
            try:
                run.wait(share * whole_s)
            except subprocess.TimeoutExpired:
                run.kill()
                killed += 1
        whole_s = whole_s if nth else time.monotonic() - begun
        found = events(seen())
        assert found == [f"line {number}" for number in range(len(found))]
    assert len(found) == 16_000
    record_property("count", f"ops analyse: {killed} of 8 killed, 16000 lines, each once")
