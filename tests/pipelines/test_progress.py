from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conf.heartbeat import Heartbeat
from pipelines.progress import beating, tasks, working

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines, as they come."""
    lines: list[str] = []
    monkeypatch.setattr("pipelines.progress.typer.echo", lambda line, *, err: lines.append(line) if err else None)
    return lines


def test_a_file_is_told_now_and_then_how_long_it_takes(told: list[str]) -> None:
    with working("extracting", every_s=0.01, after_s=0):
        while len(told) < 3:
            time.sleep(0.01)
    first, *others = told
    assert first == "extracting …"
    assert all(re.fullmatch(r"extracting … \d+ s(, \d+ of \d+ tasks of this step done)?", line) for line in others)


def test_nothing_is_told_after_the_end_whatever_ends_it(told: list[str]) -> None:
    def work() -> None:
        while not told:
            time.sleep(0.01)
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), working("extracting", every_s=0.01, after_s=0):
        work()
    assert told[0] == "extracting …"
    assert threading.active_count() == before


def test_what_is_refused_at_once_was_not_said_to_be_under_way(told: list[str]) -> None:
    with pytest.raises(PermissionError), working("extracting"):
        raise PermissionError
    assert told == []


@pytest.mark.slow
def test_nothing_is_counted_while_spark_starts() -> None:
    """The context is known as the active one some seconds before it has what is asked."""
    script = """
import json
from pyspark import SparkContext
from pipelines.progress import tasks
said, started = [], SparkContext._do_init
def do_init(context, *told):
    assert SparkContext._active_spark_context is context
    said.append(tasks())
    started(context, *told)
SparkContext._do_init = do_init
SparkContext("local[1]").stop()
print(json.dumps([*said, tasks()]))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["[null, null]"]), done.stderr


@pytest.mark.slow
def test_the_tasks_of_the_stage_in_hand_are_counted(spark: SparkSession) -> None:
    slow = spark.range(0, 2, 1, 2).selectExpr("java_method('java.lang.Thread', 'sleep', 100L)")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slow.collect)
        seen = set()
        while not running.done():
            seen.add(tasks())
            time.sleep(0.005)
    assert {each[1] for each in seen if each} == {2}


class Beats(Heartbeat):
    """The steps with which it beat."""

    def __init__(self) -> None:
        self.steps: list[str | None] = []

    def beat(self, step: str | None = None) -> None:
        """See `Heartbeat`."""
        self.steps.append(step)


def test_a_run_beats_when_it_has_begun_and_whenever_a_task_is_done_and_else_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pipelines.progress.BEAT_S", 0.01)
    looked: list[tuple[int, int]] = []

    def done() -> tuple[int, int]:
        looked.append((min(len(looked) // 5, 3), 3))
        return looked[-1]

    monkeypatch.setattr("pipelines.progress.tasks", done)
    heartbeat = Beats()
    with beating(heartbeat):
        while len(looked) < 60:  # it hangs with the last task done
            time.sleep(0.01)
        assert heartbeat.steps == ["run"] * 4
    assert heartbeat.steps[4:] == [""]


def test_a_context_that_is_just_starting_has_no_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.SparkContext._active_spark_context", object())
    assert tasks() is None
