"""pipelines.cli"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

import conf
from log import Record, open_log
from pipelines.tables.locks import lease
from pipelines.tables.schemas import RUNS
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


@pytest.mark.slow
def test_extract_prints_a_run_s_summary_and_then_says_that_all_is_read(
    home: Home, mails: list[bytes], otclog: Otclog, json_lines: JsonLines
) -> None:
    (summary,) = json_lines(home, "extract", "--max-mails", "3")
    assert set(summary) == {*RUNS.schema.names, "publication"}
    assert (summary["records"], summary["group"], summary["publication"]) == (3, home.group, 1)
    assert sum(each["records"] for each in json_lines(home, "extract")) == len(mails) - 3
    result = otclog(home, "extract", "--json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"group {home.group} has read all" in result.stderr


@pytest.mark.slow
def test_reparse_shows_its_plan_and_does_it_when_told_to(extracted: Home, json_lines: JsonLines) -> None:
    before = extracted.rows("runs")
    (plan,) = json_lines(extracted, "reparse", "mails:0:0-1")
    assert (plan["records"], plan["mails"], len(plan["ranges"])) == (1, 1, 1)
    assert extracted.rows("runs") == before
    (summary,) = json_lines(extracted, "reparse", "mails:0:0-1", "--execute")
    assert (summary["kind"], summary["records"]) == ("reparse", 1)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["extract", "--every", "soon"], 2, "no duration"),
        (["extract", "--every", "0s"], 2, "no duration"),
        (["extract", "--topic", "absent"], 1, "no topic 'absent' yet"),
        (["reparse"], 2, "choose records: by offsets, as mails:0:100-200, or by options such as --sender"),
        (["reparse", "--region", "mars"], 2, "--region mars: there is no such value"),
        (
            ["reparse", "20261124T081500-0123abcd"],
            2,
            "is a shadow: `otclog reparse --execute 20261124T081500-0123abcd`",
        ),
        (["reparse", "--execute", "20261124T081500-0123abcd"], 2, "there is no shadow '20261124T081500-0123abcd'"),
        (["reparse", "--undo", "20261124T081500-0123abcd"], 2, "no published run is 20261124T081500-0123abcd"),
        (["shadow", "drop", "x"], 2, "there is no shadow 'x'"),
        (["reparse", "--stale", "any"], 2, "'any' is not for --stale, which takes nothing, or `code`"),
        (["reparse", "mails:0:9-3"], 2, "must be below the end"),
        (["reparse", "--code", "NOPE"], 2, "--code NOPE: there is no such value"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    home: Home, otclog: Otclog, words: list[str], code: int, says: str
) -> None:
    result = otclog(home, *words)
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert "Traceback" not in result.stderr


def test_a_topic_that_is_not_there_is_refused_before_anything_is_said_to_be_extracted(
    home: Home, otclog: Otclog
) -> None:
    (line,) = otclog(home, "extract", "--topic", "absent").stderr.splitlines()
    assert line.startswith("otclog: there is no topic 'absent' yet")


def test_a_busy_group_is_to_be_tried_again(home: Home, otclog: Otclog) -> None:
    with lease(home.store, home.group):
        assert otclog(home, "extract").exit_code == 75


@pytest.mark.slow
def test_every_goes_on_after_what_can_be_tried_again(
    home: Home, otclog: Otclog, caplog: pytest.LogCaptureFixture
) -> None:
    root = home.tables
    held, ended = Event(), Event()

    def hold_then_stop() -> None:
        with lease(Folder(root), home.group):
            held.set()
            while "tried again" not in caplog.text and not ended.wait(0.05):
                pass
        while home.log.committed(home.group) != home.ends and not ended.wait(0.05):
            pass
        if not ended.is_set():
            os.kill(os.getpid(), signal.SIGTERM)

    other = Thread(target=hold_then_stop)
    other.start()
    held.wait()
    result = otclog(home, "extract", "--every", "50ms")
    ended.set()
    other.join()
    assert result.exit_code == 0, result.output
    assert f"group {home.group} is being extracted by process {os.getpid()}" in caplog.text


@pytest.mark.parametrize("made", [True, False], ids=["until it comes", "until it is told to stop"])
def test_every_waits_for_a_log_that_is_not_there_yet(settings: conf.Settings, tmp_path: Path, *, made: bool) -> None:
    program = "import sys, pipelines.cli as it; print(it._log_comes(None, 0.01))"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"OTCLOG_CONFIG": str(tmp_path / "otclog.toml")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as waiting:
        assert waiting.stderr is not None
        assert "no log is here yet" in waiting.stderr.readline()
        if made:
            open_log(settings.log).close()
        else:
            waiting.send_signal(signal.SIGTERM)
        assert waiting.communicate(timeout=60)[0] == f"{made}\n"


@pytest.mark.slow
def test_every_goes_on_with_new_mails_until_it_is_told_to_stop(
    home: Home, settings: conf.Settings, tmp_path: Path, json_lines: JsonLines
) -> None:
    log = open_log(settings.log)
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"1", b"Subject: one\r\n\r\nnothing")])
    assert settings.tables.folder
    published = settings.tables.folder / "_published"

    def more_mail_then_stop() -> None:
        for number in (1, 2):
            while not (published / f"{number}.json").exists():
                time.sleep(0.05)
            log.append("mails", [Record(b"1", b"Subject: two\r\n\r\nnothing")])
        os.kill(os.getpid(), signal.SIGTERM)

    other = Thread(target=more_mail_then_stop)
    other.start()
    own = replace(home, settings=settings, log=log, file=tmp_path / "otclog.toml")
    summaries = json_lines(own, "extract", "--every", "100ms")
    other.join()
    log.close()
    assert [line["records"] for line in summaries][:2] == [1, 1]
