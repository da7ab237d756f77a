"""ops.doctor"""

from __future__ import annotations

import shutil
import socket
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
from typer.testing import CliRunner

import conf
from conf.home import make_home
from conf.settings import SourceSettings
from log import Record, open_log
from ops.doctor import examine
from ops.findings import Finding
from otclog import app
from parsers.parse import parse_mail
from pipelines.jobs.spark.pack import digest_file
from pipelines.tables.publication import newest, publish
from pipelines.tables.store.store import store_of
from tests.pipelines.jobs.small_runs import SmallRuns
from tests.pipelines.stores import HELD


@pytest.fixture
def home(tmp_path: Path) -> conf.Settings:
    return conf.load(make_home(tmp_path / "home"), {})


def found(settings: conf.Settings, check: str) -> list[Finding]:
    """The last check is the sandbox, whose child takes a second to start: it is done where it is asked for alone."""
    findings = takewhile(lambda each: check == "sandbox" or each.check != "words", examine(settings))
    return [finding for finding in findings if finding.check == check]


def test_a_fresh_home_has_no_failure(home: conf.Settings) -> None:
    assert [finding for finding in examine(home) if finding.state == "fail"] == []


def test_doctor_looks_and_makes_nothing(home: conf.Settings) -> None:
    (finding,) = found(home, "log")
    assert (finding.state, "no log yet" in finding.detail) == ("ok", True)
    assert not home.log.root.exists()
    assert [folder for folder in home.log.replicas if folder.exists()] == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('ledger = "."', "[ingest] ledger = HOME: is no file"),
        ('ledger = "notes"', "[ingest] ledger = HOME/notes: is another file than otclog makes there"),
        ('import_progress = "notes"', "[ingest] import_progress = HOME/notes: is another file than otclog makes"),
        (
            '[[ingest.routes]]\nname = "axes"\ntopic = "axes"\nheaders = { subject = "(?=x)" }',
            "[[ingest.routes]] axes: headers.subject = '(?=x)' is no RE2 pattern: invalid perl operator: (?=",
        ),
    ],
)
def test_what_takes_mails_refuses_at_its_start_is_a_failure_in_the_same_words(
    tmp_path: Path, text: str, says: str
) -> None:
    file = make_home(tmp_path / "home")
    file.write_text(f"[ingest]\n{text}\n")
    notes = file.with_name("notes")
    notes.touch(0o600)
    notes.write_text("not otclog's")
    (finding,) = found(conf.load(file, {}), "settings")
    assert (finding.state, finding.detail.replace(str(tmp_path / "home"), "HOME")[: len(says)]) == ("fail", says)
    done = CliRunner().invoke(app, ["watch", "--once", "--config", str(file)])
    assert (done.exit_code, done.stderr) == (2, f"otclog: {finding.detail}\n")
    assert notes.read_text() == "not otclog's"


def test_a_log_that_is_there_is_opened(home: conf.Settings) -> None:
    open_log(home.log).close()
    (finding,) = found(home, "log")
    assert (finding.state, finding.detail) == ("ok", f"{home.log.root} with 3 replicas")


def test_a_replica_that_a_log_lost_is_a_failure_and_none_that_is_made_at_first_use(home: conf.Settings) -> None:
    open_log(home.log).close()
    shutil.rmtree(home.log.replicas[1])
    (finding,) = [each for each in found(home, "folder") if each.state == "fail"]
    assert finding.detail.startswith(f"{home.log.replicas[1]}: no such folder")


def test_a_log_whose_root_lost_what_names_it_is_a_failure_and_so_is_a_replica_of_it(home: conf.Settings) -> None:
    open_log(home.log).close()
    (home.log.root / "log.json").unlink()
    home.log.replicas[1].rename(home.log.replicas[1].with_name("away"))
    assert [each.state for each in found(home, "log")] == ["fail"]
    (finding,) = [each for each in found(home, "folder") if each.state == "fail"]
    assert finding.detail.startswith(f"{home.log.replicas[1]}: no such folder")


def test_a_replica_whose_place_another_one_has_is_a_failure(home: conf.Settings) -> None:
    open_log(home.log).close()
    second, third = home.log.replicas[1:]
    shutil.rmtree(third)
    shutil.copytree(second, third)
    (finding,) = [each for each in found(home, "replicas") if each.state == "fail"]
    assert finding.detail.startswith(f"{third} is replica 2 of this log, in the place of replica 3: ")


def test_a_topic_that_is_hidden_as_its_settings_are_lost_is_a_failure(home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(None, b"mail")])
    for place in (home.log.root, *home.log.replicas[:2]):
        (place / "topics" / "mails" / "topic.json").unlink()
    (finding,) = found(home, "topic")
    assert (finding.state, "Put it back" in finding.detail) == ("fail", True)


@pytest.mark.parametrize("left", ["ledger.sqlite", "tables/_published"])
def test_a_log_that_is_gone_though_something_is_of_it_is_a_failure(home: conf.Settings, left: str) -> None:
    path = home.log.root.parent / left
    path.parent.mkdir(exist_ok=True)
    path.touch()
    (finding,) = found(home, "log")
    assert (finding.state, str(path) in finding.detail) == ("fail", True)


def test_partitions_that_are_not_everywhere_in_sync_are_warned_of(home: conf.Settings) -> None:
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 2)
        log.append("mails", [Record(b"1", b""), Record(b"2", b"")])
        shutil.rmtree(home.log.replicas[1] / "mails-1")
        log.append("mails", [Record(b"%d" % number, b"") for number in range(20)])
    (behind,) = [each for each in found(home, "replicas") if "in sync" in each.detail]
    assert (behind.state, "mails-1" in behind.detail, "mails-0" in behind.detail) == ("warn", True, False)


def test_a_check_that_breaks_in_whatever_way_is_a_failure(home: conf.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("ops.doctor.check_java", broken)
    assert [(each.state, each.detail) for each in found(home, "java")] == [("fail", "ZeroDivisionError: by nothing")]


def test_a_dealer_table_that_is_not_there_is_told_with_its_key(home: conf.Settings) -> None:
    missing = home.log.root / "no such file"
    (finding,) = found(replace(home, parsers=replace(home.parsers, dealers=missing)), "dealers")
    assert (finding.state, finding.detail) == ("fail", f"[parsers] dealers: {missing}: No such file or directory")


def test_a_slip_in_the_dealer_table_is_told_of_with_its_entry_and_no_fault_of_the_sandbox(
    home: conf.Settings, tmp_path: Path
) -> None:
    table = tmp_path / "dealers.toml"
    table.write_text('["bank.example"]\nname = "Bank"\nregoin = "eu"\n')
    broken = replace(home, parsers=replace(home.parsers, dealers=table))
    slip, rest = found(broken, "dealers")
    assert (slip.state, rest.state, rest.detail) == ("warn", "ok", f"1 in {table}")
    assert slip.detail.startswith(f"{table}:3: [\"bank.example\"] has an unknown key 'regoin'")
    assert [finding.state for finding in found(broken, "sandbox")] == ["ok"]


@pytest.mark.slow
def test_a_dictionary_of_instruments_is_counted_and_one_that_contradicts_itself_fails_with_its_line(
    home: conf.Settings, tmp_path: Path
) -> None:
    assert [finding.detail for finding in found(home, "securities")] == ["no dictionary of instruments"]
    master = tmp_path / "securities.csv"
    master.write_text("isin,asset_class\nUS037833BX70,corp_ig\n")
    taught = replace(home, parsers=replace(home.parsers, securities=master))
    assert [(each.state, each.detail) for each in found(taught, "securities")] == [
        ("ok", f"2 names of instruments in {master}")
    ]
    with master.open("a") as file:
        file.write("US037833BX70,corp_hy\n")
    told = f"{master}: line 3: isin US037833BX70 has asset_class corp_hy here, and corp_ig in line 2"
    assert [(each.state, each.detail) for each in found(taught, "securities")] == [("fail", told)]
    assert [finding.state for finding in found(taught, "sandbox")] == ["ok"]


def test_the_sandbox_is_tried_with_a_mail(home: conf.Settings) -> None:
    assert [finding.state for finding in found(home, "sandbox")] == ["ok"]


@pytest.mark.parametrize(("sandbox", "says"), [("off", "off"), ("limits", "not filtered")])
def test_a_sandbox_without_all_its_walls_is_warned_of(
    home: conf.Settings, sandbox: Literal["off", "limits"], says: str
) -> None:
    (finding,) = found(replace(home, parsers=replace(home.parsers, sandbox=sandbox)), "sandbox")
    assert finding.state == "warn"
    assert says in finding.detail


def test_replicas_on_one_device_are_warned_of(home: conf.Settings) -> None:
    assert any("share a device" in finding.detail for finding in found(home, "replicas") if finding.state == "warn")


def test_a_mail_folder_that_is_not_there_is_a_failure_and_so_is_its_empty_mount_point(home: conf.Settings) -> None:
    path = home.ingest.sources[0].path
    path.rename(path.with_name("moved"))
    assert [finding.state for finding in found(home, "mail folder")] == ["fail"]
    path.mkdir()
    (finding,) = found(home, "mail folder")
    assert (finding.state, "no such folder: mount its disk" in finding.detail) == ("fail", True)


def test_what_no_watcher_will_take_out_of_a_mail_folder_is_warned_of(home: conf.Settings, tmp_path: Path) -> None:
    def warned(kind: Literal["maildir", "drop"], *, recursive: bool = False) -> list[str]:
        source = SourceSettings(path=tmp_path / "in", kind=kind, recursive=recursive)
        settings = replace(home, ingest=replace(home.ingest, sources=(source,)))
        return [each.detail for each in found(settings, "mail folder") if each.state == "warn"]

    for name in ("new", "cur", "tmp", "failed"):
        (tmp_path / "in" / name).mkdir(parents=True)
    assert warned("maildir") == []
    (tmp_path / "in" / "1.eml").touch()
    assert "1 file beside new/" in warned("maildir")[0]
    for recursive in (False, True):
        assert 'set kind = "maildir"' in warned("drop", recursive=recursive)[0]
    (tmp_path / "in" / "tmp").rmdir()
    assert "2 folders in it not looked into" in warned("drop")[0]
    assert warned("drop", recursive=True) == []


def test_a_folder_that_others_may_read_is_a_failure_as_no_command_writes_then(home: conf.Settings) -> None:
    assert home.tables.folder
    home.tables.folder.mkdir(mode=0o755)
    home.tables.folder.chmod(0o755)
    assert [finding.state for finding in found(home, "folder") if str(home.tables.root) in finding.detail] == ["fail"]


def test_an_old_java_is_a_failure(home: conf.Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("""#!/bin/sh\necho 'openjdk version "11.0.2"' >&2\n""")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    (finding,) = found(home, "java")
    assert finding.state == "fail"
    assert "version 11, and 17 or later is needed" in finding.detail


@pytest.mark.parametrize(("free", "state"), [(33 << 20, "warn"), (31 << 20, "fail")])
def test_a_disk_without_room_for_an_append_is_a_failure_and_a_short_one_is_warned_of(
    home: conf.Settings, monkeypatch: pytest.MonkeyPatch, free: int, state: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    said = {finding.state for finding in examine(home) if "MiB free" in finding.detail}
    assert said == {state}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[log]\nreplicas = ["a", "a", "b"]\n', "two replicas are the same folder"),
        (
            '[lmtp]\naddress = "0.0.0.0:2424"\n',
            "[lmtp] address: 0.0.0.0 can be reached from elsewhere, by no password and no TLS",
        ),
        (f'[lmtp]\nsocket = "{"s" * 120}"\n', "a socket's path has at most 107 bytes"),
        ('[spark]\nmaster = "spark://host:7077"\n', "[spark] master is 'spark://host:7077'"),
    ],
    ids=["one folder twice", "LMTP for all", "a long path", "a master elsewhere"],
)
def test_what_a_daemon_refuses_at_its_start_is_a_failure(tmp_path: Path, text: str, says: str) -> None:
    file = make_home(tmp_path / "home")
    file.write_text(text)
    (finding,) = found(conf.load(file, {}), "settings")
    assert (finding.state, says in finding.detail) == ("fail", True), finding.detail


def test_of_an_address_that_the_lmtp_daemon_takes_nothing_is_said(home: conf.Settings) -> None:
    assert found(replace(home, lmtp=replace(home.lmtp, address="127.0.0.1:2424")), "settings") == []


def test_rows_of_records_that_the_log_does_not_have_are_warned_of(home: conf.Settings) -> None:
    SmallRuns(store_of(home.tables), [parse_mail(b"From: a@b.example\n\nno quotes\n")] * 3).run()
    with closing(open_log(home.log)) as log:
        assert [each.state for each in found(home, "tables")] == ["ok"], "of a topic that is not there"
        log.create_topic("mails", 1)
        (_, told) = found(home, "tables")
        assert (told.state, "rows of mails-0 up to offset 3, and the log ends at 0" in told.detail) == ("warn", True)
        log.append("mails", [Record(b"k", b"mail")] * 3)
    assert [each.state for each in found(home, "tables")] == ["ok"]


def test_of_a_cluster_a_pack_that_is_not_whole_and_a_master_that_does_not_listen_are_failures(
    home: conf.Settings, tmp_path: Path
) -> None:
    pack = tmp_path / "otclog.tar.gz"
    pack.write_bytes(b"packed")
    digest_file(pack).write_text(sha256(b"packed").hexdigest())
    with socket.create_server(("127.0.0.1", 0)) as master:
        spark = replace(home.spark, master=f"spark://127.0.0.1:{master.getsockname()[1]}", pack=pack)
        settings = replace(home, spark=spark)
        assert [each.state for name in ("pack", "master", "cluster") for each in found(settings, name)] == ["ok", "ok"]
    (finding,) = found(settings, "cluster")
    assert (finding.state, "does it run, can it be reached?" in finding.detail) == ("fail", True)
    pack.write_bytes(b"pack")
    (finding,) = found(settings, "cluster")
    assert (finding.state, "cut off?" in finding.detail) == ("fail", True)
    (refused,) = found(settings, "settings")
    assert "so workers are other machines: the embedded log is a folder of this machine" in refused.detail


def test_tables_of_another_log_are_a_failure(home: conf.Settings) -> None:
    store = store_of(home.tables)
    SmallRuns(store, [parse_mail(b"From: a@b.example\n\nno quotes\n")]).run()
    with closing(open_log(home.log)) as log:
        log.create_topic("mails", 1)
        publish(store, "run", {}, HELD, newest(store), topics={"mails": log.topic_id("mails")})
        assert "fail" not in [each.state for each in found(home, "tables")]
        log.delete_topic("mails")
        log.create_topic("mails", 1)
        (_, told) = found(home, "tables")
        assert (told.state, "has rows of another topic mails" in told.detail) == ("fail", True)
