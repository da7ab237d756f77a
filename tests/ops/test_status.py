"""ops.status"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import conf
from conf.heartbeat import FOLDER, Heartbeat, beats
from conf.home import make_home
from log import Record, TopicPartition, open_log
from log.embedded.writers import Writers
from log.groups import GROUPS_TOPIC, offset_record
from log.journal import move
from log.rewind import to_earliest
from log.types import GroupOffset
from ops.processes import judged
from ops.status import status
from otclog import app
from tests.log.rot import flip

ROOT = Path(__file__).parents[2]
OTCLOG = str(Path(sys.executable).with_name("otclog"))
MAIL = b"From: a@b.example\n\nrun %d\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The settings of a home of its own."""
    return make_home(tmp_path / "home")


@pytest.fixture
def home(file: Path) -> conf.Settings:
    return conf.load(file, {})


@pytest.fixture
def start(file: Path, spawn: Callable[..., subprocess.Popen[str]]) -> Callable[..., subprocess.Popen[str]]:
    """A command in a process of its own; killed at the end if it still runs."""

    def begin(*words: str) -> subprocess.Popen[str]:
        command = [OTCLOG, *words, "--config", str(file)]
        return spawn(command, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return begin


def asked(file: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["status", "--config", str(file), *words])


def lines(file: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit code, and what `--json` says."""
    done = asked(file, "--json")
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def of(rows: list[dict[str, Any]], what: str) -> list[tuple[str, str]]:
    """State and detail of each line about this."""
    return [(row["state"], row["detail"]) for row in rows if row["what"] == what]


def until(condition: Callable[[], object], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def runs(home: conf.Settings, process: subprocess.Popen[str]) -> bool:
    return any(beat.pid == process.pid for beat in beats(home.log.root))


def deliver(home: conf.Settings, *numbers: int) -> Path:
    mail = home.ingest.sources[0].path
    for number in numbers:
        (mail / "tmp" / str(number)).write_bytes(MAIL % number)
        (mail / "tmp" / str(number)).rename(mail / "new" / str(number))
    return mail / "new"


def test_where_nothing_runs_and_nothing_waits_that_is_told_and_nothing_is_wrong(
    file: Path, home: conf.Settings
) -> None:
    code, rows = lines(file)
    assert code == 0
    assert of(rows, "process") == [
        ("warn", "none runs: `otclog watch` takes mails"),
        ("ok", "none runs just now"),
    ]
    assert of(rows, "folder") == [("ok", "nothing waits")]
    assert of(rows, "tables") == [("ok", "nothing is published yet")]
    assert not home.log.root.exists(), "who looks makes nothing"


@pytest.mark.slow
def test_a_watcher_that_is_stopped_while_two_mails_wait_is_named_and_the_exit_code_is_1(
    file: Path, home: conf.Settings, start: Callable[..., subprocess.Popen[str]]
) -> None:
    watcher = start("watch")
    new = deliver(home, 1)
    until(lambda: not list(new.iterdir()) and beats(home.log.root)[0].did)
    code, rows = lines(file)
    assert code == 0, rows
    ((state, said),) = [each for each in of(rows, "process") if "last beat" in each[1]]
    assert (state, said.endswith("; 1 mail, 1 published, 0 failed")) == ("ok", True), said

    watcher.send_signal(signal.SIGSTOP)
    deliver(home, 2, 3)
    until(lambda: lines(file)[0] == 1)
    _, rows = lines(file)
    (row,) = [row for row in rows if row["state"] == "fail"]
    assert (row["name"], row["pid"]) == (f"watch {watcher.pid}", watcher.pid)
    assert "is stopped, by SIGSTOP or a debugger" in row["detail"]
    assert [row["files"] for row in rows if row["what"] == "folder"] == [2]

    watcher.send_signal(signal.SIGCONT)
    until(lambda: lines(file)[0] == 0 and not list(new.iterdir()))
    watcher.terminate()
    assert watcher.wait(60) == 0
    assert list((home.log.root / FOLDER).iterdir()) == []


def test_a_watcher_that_was_killed_is_named_until_the_next_one_begins(
    file: Path, home: conf.Settings, start: Callable[..., subprocess.Popen[str]]
) -> None:
    first = start("watch")
    until(lambda: runs(home, first))
    first.kill()
    first.wait()
    new = deliver(home, 1)
    code, rows = lines(file)
    failed = {row["what"]: row["detail"] for row in rows if row["state"] == "fail"}
    assert code == 1
    assert failed["process"].startswith("is gone without a word (killed, or the machine went down); last beat 2")
    assert failed["folder"].startswith("1 file waiting, the oldest for ")
    assert failed["folder"].endswith(" s, and no `otclog watch` runs")
    second = start("watch")
    until(lambda: runs(home, second) and not list(new.iterdir()))
    assert lines(file)[0] == 0
    assert [beat.pid for beat in beats(home.log.root)] == [second.pid]


def test_an_lmtp_daemon_says_where_it_listens_and_leaves_nothing(
    file: Path, home: conf.Settings, start: Callable[..., subprocess.Popen[str]]
) -> None:
    daemon = start("lmtp")
    until(lambda: runs(home, daemon))
    code, rows = lines(file)
    assert code == 0
    assert [row["serves"] for row in rows if row["name"] == f"lmtp {daemon.pid}"] == [str(home.lmtp.socket)]
    until(lambda: home.lmtp.socket and home.lmtp.socket.exists())
    daemon.terminate()
    assert daemon.wait(60) == 0
    assert list((home.log.root / FOLDER).iterdir()) == []


@pytest.mark.slow
@pytest.mark.timeout(700)
def test_an_extraction_that_goes_on_is_named_by_status_and_by_its_group_between_runs_too(
    file: Path, home: conf.Settings, start: Callable[..., subprocess.Popen[str]]
) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"1", b"Subject: one\r\n\r\nnothing")])
        extraction = start("extract", "--every", "100ms")
        until(lambda: log.committed("extract") and beats(home.log.root)[0].did, 500)
    code, rows = lines(file)
    assert code == 0
    (row,) = [row for row in rows if row["name"] == f"extract {extraction.pid}"]
    assert (row["serves"], row["did"]) == ("group extract, topic mails", {"runs": 1, "mails": 1, "quotes": 0})
    assert [row["publication"] for row in rows if row["what"] == "tables"] == [1]
    listed = CliRunner().invoke(app, ["group", "list", "--json", "--config", str(file)])
    (group,) = map(json.loads, listed.stdout.splitlines())
    assert (group["group"], group["state"], group["members"]) == ("extract", "running", 1)
    described = CliRunner().invoke(app, ["group", "describe", "extract", "--json", "--config", str(file)])
    assert json.loads(described.stdout)["member"].startswith(f"{extraction.pid}-")
    extraction.terminate()
    assert extraction.wait(120) == 0
    assert list((home.log.root / FOLDER).iterdir()) == []


def test_a_loop_that_does_not_come_round_hangs_and_a_step_may_take_longer(home: conf.Settings) -> None:
    home.log.root.mkdir()
    with Heartbeat(home.log.root, "extract", "") as heartbeat:
        (loop,) = beats(home.log.root)
        heartbeat.beat("run")
        (run,) = beats(home.log.root)

        def state(beat: Any, age_s: float) -> tuple[str, str]:
            return judged(replace(beat, beat_clock=time.monotonic() - age_s), home)

        assert state(loop, 30)[0] == "ok"
        assert state(loop, 90)[0] == "fail"
        assert state(loop, 90)[1].startswith("hangs in its loop; last beat 90 s ago")
        assert state(run, 90)[0] == "ok"
        assert ", in a run, last beat 90 s ago" in state(run, 90)[1]
        assert state(run, 700)[0] == "fail"
        assert state(run, 700)[1].startswith("hangs in run; ")


def test_a_replica_whose_place_another_one_has_is_wrong(file: Path, home: conf.Settings) -> None:
    open_log(home.log).close()
    second, third = home.log.replicas[1:]
    shutil.rmtree(third)
    shutil.copytree(second, third)
    code, rows = lines(file)
    (told,) = (row["detail"] for row in rows if row["what"] == "replica" and row["state"] == "fail")
    assert (code, f"{third} is replica 2 of this log, in the place of replica 3: " in told) == (1, True)


def test_a_replica_that_another_root_writes_to_is_wrong_as_long_as_it_does(file: Path, home: conf.Settings) -> None:
    open_log(home.log).close()
    third, other = home.log.replicas[2], Writers(home.log.root.parent)  # a root as good as any
    assert other.hold(3, third) is None
    code, rows = lines(file)
    (told,) = (row["detail"] for row in rows if row["what"] == "replica" and row["state"] == "fail")
    assert code == 1
    assert f"{third} is written to by process {os.getpid()} of the log in {home.log.root.parent}" in told
    other.close()
    assert [state for state, _ in of(lines(file)[1], "replica")] == ["ok", "ok", "ok"]


def test_a_log_whose_root_lost_what_names_it_is_wrong_and_none_that_is_to_be_made(
    file: Path, home: conf.Settings
) -> None:
    open_log(home.log).close()
    (home.log.root / "log.json").unlink()
    code, rows = lines(file)
    assert (code, [state for state, _ in of(rows, "log")]) == (1, ["fail"])


def test_while_all_is_broken_each_thing_is_still_told(file: Path, home: conf.Settings) -> None:
    open_log(home.log).close()
    for lost in (home.log.root / "log.json", *(folder / "replica.json" for folder in home.log.replicas[:2])):
        lost.write_text("no JSON")
    home.ingest.sources[0].path.rename(home.ingest.sources[0].path.with_name("away"))
    assert home.tables.folder
    (home.tables.folder / "_published").mkdir(parents=True)
    (home.tables.folder / "_published" / "1.json").write_text("no publication")
    code, rows = lines(file)
    assert code == 1
    assert {row["what"] for row in rows} == {"process", "folder", "log", "tables", "disk"}
    failed = {row["what"]: row["detail"] for row in rows if row["state"] == "fail"}
    assert "no such folder: mount its disk" in failed["folder"]
    assert "1.json is not the publication that was written" in failed["tables"]
    assert failed["log"]
    done = asked(file)
    assert (done.exit_code, "Traceback" in done.output) == (1, False)


def test_mails_that_wait_too_long_for_the_extraction_are_wrong_and_for_another_group_are_told(
    home: conf.Settings,
) -> None:
    patient = replace(home, status=replace(home.status, oldest_unread_after_s=3600.0))
    hasty = replace(home, status=replace(home.status, oldest_unread_after_s=0.001))
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        (first,) = log.append("mails", [Record(b"1", b"a")])
        time.sleep(0.01)

        def groups(settings: conf.Settings) -> list[tuple[str, str]]:
            return [(line.state, line.detail) for line in status(settings) if line.what == "group"]

        assert [state for state, _ in groups(patient)] == ["ok"]
        ((state, said),) = groups(hasty)
        assert state == "fail"
        assert re.fullmatch(
            r"1 record \(\d+ B\) of mails not read, the oldest for \d+ s; STOPPED: it has not begun", said
        )
        source = TopicPartition(first.topic, first.partition)
        log.commit("extract", {source: 1})
        assert groups(hasty) == [("ok", "has read all of mails")]
        log.commit("audit", {source: 0})
        time.sleep(0.01)
        assert [state for state, _ in groups(hasty)] == ["warn", "ok"]


def test_a_replica_that_is_offline_or_behind_is_wrong(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"1", b"a")])
    assert [state for state, _ in of(lines(file)[1], "replica")] == ["ok", "ok", "ok"]
    home.log.replicas[1].rename(home.log.replicas[1].with_name("away"))
    code, rows = lines(file)
    assert code == 1
    assert [state for state, _ in of(rows, "replica")] == ["ok", "fail", "ok"]
    assert of(rows, "replica")[1][1].startswith("offline: not there")
    with closing(open_log(home.log)) as log:
        log.append("mails", [Record(b"1", b"b")])
    home.log.replicas[1].with_name("away").rename(home.log.replicas[1])
    code, rows = lines(file)
    assert code == 1
    assert of(rows, "replica")[1] == ("fail", "in sync in 0 of 1 partitions: `otclog log tend` brings it back")


def test_in_a_file_each_thing_is_one_line_however_long(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
    failed = home.ingest.sources[0].path / "failed"
    failed.mkdir()
    (failed / "1").touch()
    shown = asked(file).stdout.splitlines()
    assert len(shown) == len(lines(file)[1])
    assert f"warn  folder   {failed}: 1 file put aside; each has its reason beside it" in shown


def test_it_needs_neither_spark_nor_the_parsers() -> None:
    code = "import otclog, ops.status, sys; print([m for m in ('pyspark', 'parsers.sandbox', 'duckdb') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_records_that_every_replica_has_damaged_fail_with_their_offsets_until_a_backup_is_in_place(
    file: Path, home: conf.Settings
) -> None:
    source = TopicPartition("mails", 0)
    segments = [folder / str(source) / f"{0:020d}.log" for folder in home.log.replicas]
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(None, b"x" * 100)] * 5)
        for segment in segments:
            flip(segment, 90)
        log.tend()
        _, rows = lines(file)
        (told,) = of(rows, "records")
        assert told[0] == "fail"
        assert told[1].startswith("mails-0: offsets 0 to 4 are damaged on every replica in sync: lost unless a backup")
        flip(segments[1], 90)
        log.tend()
    code, rows = lines(file)
    assert (code, of(rows, "records")) == (0, [])


def test_a_drop_folder_that_is_a_maildir_in_truth_is_warned_of(tmp_path: Path) -> None:
    (mail := tmp_path / "Maildir").mkdir()
    file = make_home(tmp_path / "home", [mail])
    assert of(lines(file)[1], "folder") == [("ok", "nothing waits")]
    for name in ("tmp", "new", "cur"):
        (mail / name).mkdir()
    code, rows = lines(file)
    ((state, said),) = of(rows, "folder")[1:]
    assert (code, state, 'set kind = "maildir"' in said) == (0, "warn", True)


def test_topics_stand_in_one_order_whoever_has_begun_them(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        for topic in ("mails", "mails-backfill"):
            log.create_topic(topic, 1)
        before = [row["topic"] for row in lines(file)[1] if row["what"] == "group"]
        log.commit("extract", {TopicPartition("mails", 0): 0})
    assert [row["topic"] for row in lines(file)[1] if row["what"] == "group"] == before == ["mails", "mails-backfill"]


def test_what_retention_took_before_it_was_read_fails_though_nothing_is_left_to_read(
    file: Path, home: conf.Settings
) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"desk", b"mail")] * 3)
        log.commit("extract", {TopicPartition("mails", 0): 1})
        log.delete_records(TopicPartition("mails", 0), 3)
    said = "has read all of mails; retention took 2 records before it had read them"
    assert f"fail  group    extract: {said}" in asked(file).stdout.splitlines()


def test_a_group_behind_the_end_of_its_partition_fails(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"desk", b"mail")])
        log.commit("extract", {TopicPartition("mails", 0): 1})
        log.append(GROUPS_TOPIC, [offset_record("extract", TopicPartition("mails", 0), GroupOffset(7, 0, "", 0))])
    said = "has read all of mails; it stands behind the end of mails-0, which has lost records"
    assert f"fail  group    extract: {said}" in asked(file).stdout.splitlines()


def test_a_group_of_a_later_version_is_wrong_and_the_others_are_told(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.commit("extract", {TopicPartition("mails", 0): 0})
        key, value = b'{"group":"later","partition":0,"topic":"mails"}', b'{"offset":7,"leader_epoch":3}'
        log.append(GROUPS_TOPIC, [Record(key, value)], 0)
    code, rows = lines(file)
    (state, said), extraction = of(rows, "group")
    assert (code, state) == (1, "fail")
    assert "group later: __otclog_groups-0, offset 1, was written by a later otclog" in said
    assert extraction == ("ok", "has read all of mails")


def test_a_topic_says_what_it_keeps_and_what_came_today(file: Path, home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 2)
        log.append("mails", [Record(b"key", b"mail")] * 5)
        log.commit("extract", {TopicPartition("mails", 0): 0})
        size = sum(each.bytes for each in log.describe("mails"))
    _, rows = lines(file)
    (row,) = [row for row in rows if row["what"] == "topic"]
    assert (row["name"], row["state"], row["records"], row["bytes"], row["today"]) == ("mails", "ok", 5, size, 5)
    assert row["detail"] == f"5 records in 2 partitions, {size} B; 5 came today"


def test_a_group_that_was_rewound_is_told_and_nothing_is_wrong(file: Path, home: conf.Settings) -> None:
    source = TopicPartition("mails", 0)
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"key", b"mail")] * 5)
        log.commit("extract", {source: 5})
        move(log, "extract", [source], to_earliest)
    code, rows = lines(file)
    (row,) = [row for row in rows if row["what"] == "group"]
    assert (code, row["state"], row["lag_state"], row["records"]) == (0, "ok", "REWIND", 5)
    assert "; REWIND: reads again what it had read: moved at 20" in row["detail"]


@pytest.mark.slow
def test_the_last_runs_and_what_was_refused_today_are_told_as_the_tables_have_it(
    file: Path, home: conf.Settings
) -> None:
    for name in ("hy_run_text", "bad_empty", "bad_encrypted_xlsx"):
        shutil.copyfile(ROOT / "samples" / f"{name}.eml", home.ingest.sources[0].path / "new" / name)
    invoke = CliRunner().invoke
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        for path in sorted((home.ingest.sources[0].path / "new").iterdir()):
            log.append("mails", [Record(b"key", path.read_bytes())])
            path.unlink()
    assert of(lines(file)[1], "run") == of(lines(file)[1], "rejects") == []
    assert invoke(app, ["extract", "--config", str(file)]).exit_code == 0
    (published,) = map(json.loads, invoke(app, ["runs", "--json", "--config", str(file)]).stdout.splitlines())
    code, rows = lines(file)
    (run,) = [row for row in rows if row["what"] == "run"]
    (refused,) = [row for row in rows if row["what"] == "rejects"]
    assert (code, run["name"], run["run_id"]) == (0, "extract", published["run_id"])
    assert run["detail"].startswith(f"{published['run_id']}: 3 mails, {published['quotes']} quotes, ")
    listed = [
        json.loads(line) for line in invoke(app, ["rejects", "--json", "--config", str(file)]).stdout.splitlines()
    ]
    assert refused["codes"] == Counter(row["code"] for row in listed)
    assert (refused["mails"], refused["rejects"]) == (3, len(listed))
    assert refused["detail"].startswith(f"{len(listed)} rejects of 3 mails received today: ")
    assert refused["detail"].endswith(" to look at (`otclog rejects --unexpected`)")
    assert of(rows, "group") == [("ok", "has read all of mails")]


@pytest.mark.slow
def test_it_is_shown_again_and_again_until_it_is_told_to_stop(
    file: Path, home: conf.Settings, spawn: Callable[..., subprocess.Popen[str]]
) -> None:
    command = [OTCLOG, "status", "--watch", "--every", "100ms", "--json", "--config", str(file)]
    watcher = spawn(command, stdout=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    told = iter(watcher.stdout.readline, "")

    def waits() -> int:
        return int(json.loads(next(line for line in told if '"what": "folder"' in line))["files"])

    assert waits() == 0
    deliver(home, 1)
    until(lambda: waits() == 1)
    watcher.send_signal(signal.SIGTERM)
    watcher.stdout.close()
    assert watcher.wait(60) == 0
