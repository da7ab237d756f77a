"""conf.heartbeat"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conf.heartbeat import FOLDER, Heartbeat, Process, beats

PROGRAM = """
import sys, time
from pathlib import Path
from conf.heartbeat import Heartbeat
with Heartbeat(Path(sys.argv[1]), sys.argv[2], "a folder") as heartbeat:
    print("begun", flush=True)
    sys.stdin.read()
"""
ROOT = Path(__file__).parent.parent.parent


@contextmanager
def process(root: Path, program: str = "watch") -> Iterator[subprocess.Popen[str]]:
    """One that has begun to beat, and ends when its stdin does."""
    command = [sys.executable, "-c", PROGRAM, str(root), program]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            assert started.stdout.readline() == "begun\n"
            yield started
        finally:
            started.kill()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def left(root: Path) -> list[str]:
    return sorted(path.name for path in (root / FOLDER).iterdir())


def test_a_process_says_who_it_is_since_when_and_what_it_did_for_its_owner_alone(tmp_path: Path) -> None:
    with Heartbeat(tmp_path, "watch", "mail") as heartbeat:
        heartbeat.count(mails=2, failed=1)
        heartbeat.count(mails=3)
        heartbeat.beat("step")
        (beat,) = beats(tmp_path)
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / FOLDER, *(tmp_path / FOLDER).iterdir())]
    assert (beat.program, beat.serves, beat.pid, beat.step) == ("watch", "mail", os.getpid(), "step")
    assert beat.did == {"mails": 5, "failed": 1}
    assert beat.did_last is not None
    assert time.time() - 60 < beat.started <= beat.did_last <= beat.beat <= time.time()
    assert beat.age_s < 60
    assert beat.process.vitality == "runs"
    assert modes == [0o700, 0o600]


def test_a_clean_end_leaves_nothing_and_so_does_an_error_that_was_told(tmp_path: Path) -> None:
    with process(tmp_path) as running:
        assert len(left(tmp_path)) == 1
        running.communicate("")
    assert running.returncode == 0
    assert left(tmp_path) == []
    with pytest.raises(ValueError, match="told"), Heartbeat(tmp_path, "watch", ""):
        raise ValueError("told")
    assert left(tmp_path) == []


def test_one_that_is_stopped_and_one_that_was_killed_are_told_apart_and_the_next_of_its_program_clears_it(
    tmp_path: Path,
) -> None:
    with process(tmp_path) as running:
        (beat,) = beats(tmp_path)
        assert beat.process.vitality == "runs"
        running.send_signal(signal.SIGSTOP)
        until(lambda: beat.process.vitality == "stopped")
        running.send_signal(signal.SIGCONT)
        until(lambda: beat.process.vitality == "runs")
        running.kill()
        until(lambda: beat.process.vitality == "gone")
    (tmp_path / FOLDER / f"watch-{beat.pid}-{beat.start_ticks}-{beat.boot}.tmp").touch()  # it died amid a beat
    with Heartbeat(tmp_path, "lmtp", ""):
        assert [each.program for each in beats(tmp_path)] == ["lmtp", "watch"]
    with Heartbeat(tmp_path, "watch", ""):
        assert [each.pid for each in beats(tmp_path)] == [os.getpid()]
    assert left(tmp_path) == []


def test_another_process_that_has_the_number_now_is_not_taken_for_it() -> None:
    own = Process.own()
    assert own.vitality == "runs"
    assert own._replace(start_ticks=own.start_ticks + 1).vitality == "gone"
    assert own._replace(boot="00000000").vitality == "gone"
    assert own._replace(boot="").vitality == "runs"  # a unit with ProcSubset=pid cannot tell it


def test_it_writes_seldom_but_at_once_when_a_step_begins_or_ends(tmp_path: Path) -> None:
    with Heartbeat(tmp_path, "extract", "") as heartbeat:
        (file,) = (tmp_path / FOLDER).iterdir()
        first = file.stat().st_ino
        for _ in range(100):
            heartbeat.beat()
        assert file.stat().st_ino == first
        heartbeat.beat("run")
        assert [each.step for each in beats(tmp_path)] == ["run"]
        heartbeat.beat("")
        assert [each.step for each in beats(tmp_path)] == [""]


def test_a_rest_is_over_when_it_is_told_and_no_longer_than_said(tmp_path: Path) -> None:
    waited: list[float] = []
    with Heartbeat(tmp_path, "extract", "") as heartbeat:
        heartbeat.rest(3600, waited.append, lambda: len(waited) == 3)
        assert len(waited) == 3
        assert max(waited) <= 2
        heartbeat.rest(0.01, time.sleep, lambda: False)


def test_no_root_is_made_for_it_and_where_one_comes_it_is_seen(tmp_path: Path) -> None:
    with Heartbeat(tmp_path / "log", "extract", "") as heartbeat:
        assert not (tmp_path / "log").exists()
        (tmp_path / "log").mkdir()
        heartbeat.beat("run")
        assert len(beats(tmp_path / "log")) == 1


def test_where_it_cannot_be_written_that_is_told_once_and_nothing_is_held_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FOLDER).touch()
    with Heartbeat(tmp_path, "watch", "") as heartbeat:
        for step in ("a", "b"):
            heartbeat.beat(step)
    assert len(caplog.records) == 1
    assert "`otclog status` cannot see this process" in caplog.text
    assert FOLDER in caplog.text


def test_a_file_without_content_as_a_power_cut_leaves_it_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "watch-1-1-00000000.json").touch()
    (tmp_path / FOLDER / "watch-1-2-00000000.json").write_text('{"of": "another version"}')
    assert beats(tmp_path) == []
