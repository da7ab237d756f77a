"""ops.metrics.cli: the command beside the processes that count, read by what reads Prometheus' format."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from urllib.request import urlopen

import pytest

from conf.families import from_text
from conf.home import make_home
from ops.metrics.state import GAUGES

ROOT = Path(__file__).parents[3]
OTCLOG = Path(sys.executable).with_name("otclog")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The settings of a home that counts, with a mail that waits."""
    file = make_home(tmp_path / "home")
    file.write_text(f'{file.read_text()}\n[metrics]\nfolder = "metrics"\n')
    shutil.copy(ROOT / "samples" / "ust_run_text.eml", tmp_path / "home" / "mail" / "new" / "one")
    return file


def otclog(file: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [OTCLOG, *words, "--config", file]
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    return done


def line(stream: IO[str] | None) -> str:
    assert stream
    return stream.readline()


@pytest.mark.slow
def test_a_prometheus_on_this_machine_reads_what_all_processes_count(
    needs: Callable[..., str], file: Path, spawn: Callable[..., subprocess.Popen[Any]]
) -> None:
    otclog(file, "watch", "--once")
    otclog(file, "extract")
    command: list[str | Path] = [OTCLOG, "ops", "metrics", "--listen", "127.0.0.1:0", "--config", file]
    serving = spawn(command, text=True, stderr=subprocess.PIPE)
    url = line(serving.stderr).split()[-1]
    with urlopen(url) as answer:
        text = answer.read()
    checked = subprocess.run([needs("promtool"), "check", "metrics"], input=text, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")
    families = {each.name: each for each in from_text(text.decode())}
    assert {each.labels["unit"] for family in families.values() for each in family.samples} >= {
        "otclog watch",
        "otclog extract",
    }
    found = {
        (each.name, *(each.labels.get(name) for name in ("outcome", "kind", "state"))): each.value
        for family in families.values()
        for each in family.samples
    }
    assert found["otclog_ingest_mails_total", "published", None, None] == 1.0
    assert found["otclog_runs_total", None, "extract", "published"] == 1.0
    assert found["otclog_parsed_mails_total", None, "extract", "parsed"] == 1.0
    assert found["otclog_parsed_quotes_total", None, "extract", None] > 0.0
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(60) == 0
    written = from_text((file.parent / "metrics" / "otclog-ops-metrics-0.prom").read_text())
    assert {each.name for each in written} >= set(GAUGES)
    (lag,) = [each for each in written if each.name == "otclog_group_lag_records"]
    assert {each.value for each in lag.samples} == {0.0}


def test_a_look_is_left_in_the_folder_when_the_command_has_ended(file: Path) -> None:
    otclog(file, "ops", "metrics", "--once")
    (waiting,) = [
        each
        for each in from_text((file.parent / "metrics" / "otclog-ops-metrics-0.prom").read_text())
        if each.name == "otclog_folder_waiting_files"
    ]
    assert [each.value for each in waiting.samples] == [1.0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--listen", "0.0.0.0:9464"), "is for this machine alone"),
        (("--listen", "127.0.0.1:0", "--once"), "not with --once"),
    ],
)
def test_what_would_serve_others_or_cannot_be_is_refused(file: Path, words: tuple[str, ...], says: str) -> None:
    assert says in " ".join(otclog(file, "ops", "metrics", *words, code=2).stderr.replace("│", " ").split())


def test_without_a_folder_it_is_told_which_setting_is_missing(tmp_path: Path) -> None:
    assert "[metrics] folder is not set" in otclog(make_home(tmp_path / "home"), "ops", "metrics", code=2).stderr
