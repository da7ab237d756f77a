from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyspark.sql import SparkSession

from pipelines.progress import tasks, working


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines, as they come."""
    lines: list[str] = []
    monkeypatch.setattr("pipelines.progress.typer.echo", lambda line, *, err: lines.append(line) if err else None)
    return lines


def test_a_file_is_told_now_and_then_how_long_it_takes(told: list[str]) -> None:
    with working("extracting", every_s=0.01):
        while len(told) < 3:
            time.sleep(0.01)
    first, *others = told
    assert first == "extracting …"
    assert all(re.fullmatch(r"extracting … \d+ s(, \d+ of \d+ tasks of this step done)?", line) for line in others)


def test_nothing_is_told_after_the_end_whatever_ends_it(told: list[str]) -> None:
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), working("extracting", every_s=0.01):
        raise KeyboardInterrupt
    assert told[0] == "extracting …"
    assert threading.active_count() == before


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
