from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyspark.sql import SparkSession

from pipelines.progress import tasks, working


def test_a_file_is_told_now_and_then_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    with working("extracting", every_s=0.01):
        time.sleep(0.1)
    first, *others = capsys.readouterr().err.splitlines()
    assert first == "extracting …"
    assert others
    assert all(re.fullmatch(r"extracting … 0 s(, \d+ of \d+ tasks of this step done)?", line) for line in others)


def test_nothing_is_told_after_the_end_whatever_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), working("extracting", every_s=0.01):
        raise KeyboardInterrupt
    capsys.readouterr()
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


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
