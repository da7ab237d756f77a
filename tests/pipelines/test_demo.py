"""pipelines.demo: what fails it; that it plays to its end is tested with the README's commands."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import conf
from conf.home import make_home
from log import Record, TopicConfig, open_log
from pipelines.demo import SAMPLES, Stage, run_demo
from pipelines.errors import DemoFailed
from pipelines.tables.commits import create
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of
from tests.pipelines.stores import HELD, publish_now


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_folder_with_somebodys_files_is_never_made_anew(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    with pytest.raises(DemoFailed, match="not an earlier demo's"):
        run_demo(tmp_path)
    assert (tmp_path / "precious").read_text() == "mine"


@pytest.mark.slow
def test_a_log_that_others_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = conf.load(make_home(tmp_path / "theirs"), {}).log
    with closing(open_log(settings)) as log:
        log.create_topic("mails", 1, TopicConfig(mail=True))
        log.append("mails", [Record(b"key", next(SAMPLES.glob("*.eml")).read_bytes())])
        monkeypatch.setenv("OTCLOG_LOG_ROOT", str(settings.root))
        monkeypatch.setenv("OTCLOG_LOG_REPLICAS", json.dumps([str(each) for each in settings.replicas]))
        stage = Stage(tmp_path / "demo", as_json=True)
        make_home(stage.home)
        stage.require_log_of_its_own(list(SAMPLES.glob("*.eml")))
        log.append("mails", [Record(b"key", b"of somebody else")])
    with pytest.raises(DemoFailed, match="has 2 mails, others' among them"):
        stage.require_log_of_its_own(list(SAMPLES.glob("*.eml")))


def test_rows_that_cannot_be_read_are_not_rows_that_stayed_the_same(tmp_path: Path) -> None:
    make_home(tmp_path / "home")
    with pytest.raises(DemoFailed, match=r"otclog prices .* exit code 1: .*otclog extract"):
        Stage(tmp_path / "home", as_json=True).compare([], "reparse")


@pytest.mark.slow
def test_no_rows_at_all_are_not_rows_that_stayed_the_same(tmp_path: Path) -> None:
    store = store_of(conf.load(make_home(tmp_path / "home"), {}).tables)
    for table in TABLES.values():
        create(store, table, HELD)
    publish_now(store, "run", dict.fromkeys(TABLES, 0))
    with pytest.raises(DemoFailed, match="no price"):
        Stage(tmp_path / "home", as_json=True).compare([], "reparse")


def test_a_watcher_that_failed_fails_the_demo(tmp_path: Path) -> None:
    with pytest.raises(DemoFailed, match="otclog watch"), Stage(tmp_path / "nowhere", as_json=True).watcher():
        pass


def test_a_watcher_that_does_not_end_is_killed_and_fails_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = tmp_path / "deaf"
    deaf.write_text(
        f"#!{sys.executable}\nimport pathlib, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(tmp_path / 'up')!r}).touch()\ntime.sleep(600)\n"
    )
    deaf.chmod(0o700)
    monkeypatch.setattr("pipelines.demo.OTCLOG", str(deaf))
    monkeypatch.setattr("pipelines.demo._WAIT_S", 0.1)
    with pytest.raises(DemoFailed, match="did not end"), Stage(tmp_path, as_json=True).watcher():
        wait_for(tmp_path / "up")


def test_a_home_that_cannot_be_made_fails_the_demo(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DemoFailed, match="otclog init"):
        run_demo(tmp_path / "file" / "home")


def test_there_are_samples_of_each_main_format() -> None:
    names = {path.stem.rpartition("_")[2] for path in SAMPLES.glob("*.eml")}
    assert {"text", "html", "xlsx", "csv", "pdf", "docx"} <= names
