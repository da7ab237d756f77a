"""conf.metrics"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import REGISTRY, Counter, Gauge

import conf
from conf import metrics
from conf.families import from_text
from conf.metrics import Writer
from conf.private import check_private

MAILS = Counter("otclog_test_mails_total", "Mails of this test.")


def counted(path: Path) -> float:
    return sample(path, "otclog_test_mails_total")


def sample(path: Path, name: str) -> float:
    (found,) = [each for family in from_text(path.read_text()) for each in family.samples if each.name == name]
    return found.value


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[], Writer]]:
    """Begins as another process would: with nothing counted. All end with the test."""
    begun: list[Writer] = []

    def begin() -> Writer:
        MAILS.reset()
        begun.append(Writer(tmp_path / "metrics", "otclog watch"))
        begun[-1].begin()
        return begun[-1]

    yield begin
    for each in begun:
        each.end()


def test_a_file_of_the_command_says_what_its_process_counts(begin: Callable[[], Writer], tmp_path: Path) -> None:
    writer = begin()
    path = tmp_path / "metrics" / "otclog-watch-0.prom"
    assert (counted(path), sample(path, "otclog_process_running")) == (0.0, 1.0)
    MAILS.inc(3)
    writer.end()
    assert (counted(path), sample(path, "otclog_process_running")) == (3.0, 0.0)
    labels = [each.labels for family in from_text(path.read_text()) for each in family.samples]
    assert {(each["unit"], each["slot"]) for each in labels} == {("otclog watch", "0")}


def test_counts_go_on_where_the_process_before_left_them(begin: Callable[[], Writer], tmp_path: Path) -> None:
    path = tmp_path / "metrics" / "otclog-watch-0.prom"
    for total in (2.0, 4.0, 6.0):
        writer = begin()
        MAILS.inc(2)
        writer.end()
        assert counted(path) == total


def test_a_second_process_at_once_has_a_file_of_its_own(begin: Callable[[], Writer], tmp_path: Path) -> None:
    first, second = begin(), begin()
    MAILS.inc()
    second.end()
    assert counted(tmp_path / "metrics" / "otclog-watch-1.prom") == 1.0
    first.end()
    begin()
    assert sorted(path.name for path in (tmp_path / "metrics").glob("*.prom")) == [
        "otclog-watch-0.prom",
        "otclog-watch-1.prom",
    ]


@pytest.mark.parametrize("left", [b"", b"otclog_test_mails_total{", b"\xff\xfe", b"otclog_test_mails_total 1"])
def test_a_file_that_a_power_cut_spoiled_is_begun_anew(
    begin: Callable[[], Writer], tmp_path: Path, left: bytes
) -> None:
    (tmp_path / "metrics").mkdir(mode=0o750)
    path = tmp_path / "metrics" / "otclog-watch-0.prom"
    path.write_bytes(left)
    begin()
    assert counted(path) == 0.0


def test_the_group_may_read_and_nobody_else(begin: Callable[[], Writer], tmp_path: Path) -> None:
    os.umask(0o077)
    begin()
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "metrics").iterdir()}
    assert modes == {".prom": 0o640, ".lock": 0o600}
    assert stat.S_IMODE((tmp_path / "metrics").stat().st_mode) == 0o750


def test_a_folder_that_others_may_write_into_is_refused(settings: conf.Settings, tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    used = replace(settings, metrics=replace(settings.metrics, folder=folder))
    folder.mkdir(mode=0o750)
    check_private(used)
    folder.chmod(0o770)
    with pytest.raises(conf.ConfigError, match=f"may write into {folder} .mode 770.: chmod 750"):
        check_private(used)


def test_a_folder_that_cannot_be_made_is_told_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "metrics").write_text("a file")
    writer = Writer(tmp_path / "metrics", "otclog watch")
    writer.write()
    writer.write()
    assert [record.getMessage() for record in caplog.records] == [
        f"what is counted is not written now: {tmp_path}/metrics/otclog-watch-0.lock: Not a directory"
    ]
    (tmp_path / "metrics").unlink()
    writer.write()
    assert (tmp_path / "metrics" / "otclog-watch-0.prom").exists()


def test_a_process_that_ends_does_not_wait_for_a_disk_that_hangs(
    begin: Callable[[], Writer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "EVERY_S", 0.001)
    monkeypatch.setattr(metrics, "END_S", 0.01)
    writer = begin()
    with writer._writing:  # as long as a write hangs
        writer.end()
        assert sample(tmp_path / "metrics" / "otclog-watch-0.prom", "otclog_process_running") == 1.0


def test_whatever_is_wrong_with_what_is_counted_fails_no_process(
    begin: Callable[[], Writer], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer = begin()
    broken = Gauge("otclog_test_broken", "Of this test.")
    try:
        broken.set_function(lambda: int("no number"))
        writer.write()
    finally:
        REGISTRY.unregister(broken)
    assert "what is counted is not written now: " in caplog.text
    MAILS.inc()
    writer.write()
    assert counted(tmp_path / "metrics" / "otclog-watch-0.prom") == 1.0


def test_a_forked_child_that_ends_leaves_the_file_to_its_parent(begin: Callable[[], Writer], tmp_path: Path) -> None:
    writer = begin()
    if (child := os.fork()) == 0:
        MAILS.inc(100)
        writer.end()
        os._exit(0)
    os.waitpid(child, 0)
    path = tmp_path / "metrics" / "otclog-watch-0.prom"
    assert (counted(path), sample(path, "otclog_process_running")) == (0.0, 1.0)


COUNT = """
import pathlib, sys
from prometheus_client import Counter
from conf.metrics import Writer
writer = Writer(pathlib.Path(sys.argv[1]), "otclog watch")
Counter("otclog_test_mails_total", "Mails of this test.").inc(5)
writer.begin()
print("begun", flush=True)
sys.stdin.read()
"""


def test_after_a_kill_counts_go_on_in_the_same_file(
    begin: Callable[[], Writer], tmp_path: Path, spawn: Callable[..., subprocess.Popen[bytes]]
) -> None:
    command = [sys.executable, "-c", COUNT, tmp_path / "metrics"]
    killed = spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert killed.stdout is not None
    assert killed.stdout.readline() == b"begun\n"
    killed.kill()
    killed.wait()
    path = tmp_path / "metrics" / "otclog-watch-0.prom"
    assert (counted(path), sample(path, "otclog_process_running")) == (5.0, 1.0)
    writer = begin()
    MAILS.inc(2)
    writer.end()
    assert (counted(path), sample(path, "otclog_process_running")) == (7.0, 0.0)


@pytest.mark.slow
def test_a_command_counts_what_it_did_and_one_without_the_setting_writes_nothing(
    settings: conf.Settings, tmp_path: Path
) -> None:
    new = settings.ingest.sources[0].path / "new"
    new.mkdir(parents=True)
    config = tmp_path / "otclog.toml"
    command: list[str | Path] = [Path(sys.executable).with_name("otclog"), "watch", "--once", "--config", config]
    for number in range(3):
        (new / str(number)).write_bytes(b"From: a@b.example\n\nrun %d\n" % number)
        subprocess.run(command, check=True, capture_output=True)
        if not number:
            assert list(tmp_path.rglob("*.prom")) == []
            config.write_text(config.read_text() + '[metrics]\nfolder = "metrics"\n')
    (path,) = tmp_path.rglob("*.prom")
    assert path == tmp_path / "metrics" / "otclog-watch-0.prom"
    (mails,) = [each for each in from_text(path.read_text()) if each.name == "otclog_ingest_mails"]
    assert {each.labels["outcome"]: each.value for each in mails.samples} == {
        "published": 2.0,
        "known": 0.0,
        "dropped": 0.0,
        "failed": 0.0,
    }


def test_promtool_finds_nothing_wrong_with_a_file(
    needs: Callable[..., str], begin: Callable[[], Writer], tmp_path: Path
) -> None:
    begin().end()
    text = (tmp_path / "metrics" / "otclog-watch-0.prom").read_bytes()
    done = subprocess.run([needs("promtool"), "check", "metrics"], input=text, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
