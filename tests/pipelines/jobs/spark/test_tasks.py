from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from pipelines.jobs.spark.tasks import attempt, on_tasks


def told(number: int) -> list[str]:
    return [f"{number}: line {line}" for line in range(number)] + [f"attempt {attempt()}"]


def test_each_number_has_a_task_of_its_own_whose_lines_come_back(spark: SparkSession) -> None:
    lines = on_tasks(spark, told, 3)
    assert sorted(line for line in lines if "line" in line) == ["1: line 0", "2: line 0", "2: line 1"]
    assert len({line for line in lines if line.startswith("attempt")}) == 3


def test_outside_of_a_task_there_is_no_attempt() -> None:
    with pytest.raises(RuntimeError, match="outside of a task"):
        attempt()
