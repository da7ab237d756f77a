"""Work for Spark's Python tasks whose results are lines of text: they write files, and say which."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.types import StringType, StructField, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

LINES = StructType([StructField("line", StringType(), nullable=False)])


def on_tasks(spark: SparkSession, work: Callable[[int], list[str]], number: int) -> list[str]:
    """What `work` returns for 0, 1, … below `number`, each called in a task of its own, or twice where one is lost."""
    found = spark.range(0, number, 1, number).mapInArrow(partial(_one, work), LINES).collect()
    return [row["line"] for row in found]


def _one(work: Callable[[int], list[str]], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for number in batch.column("id").to_pylist():
            with telling_host():
                lines = work(number)
            yield as_lines(lines)


@contextmanager
def telling_host() -> Iterator[None]:
    """Within it an error has a note of the machine that it came up on: `errors.py` reads it on another one."""
    try:
        yield
    except Exception as error:
        error.add_note(f"on host {socket.gethostname()}")
        raise


def as_lines(lines: Sequence[str]) -> pa.RecordBatch:
    """A batch of schema LINES."""
    return pa.RecordBatch.from_arrays([pa.array(lines, pa.string())], names=LINES.names)


def attempt() -> int:
    """A number that no other attempt of any task of this session has."""
    context = TaskContext.get()
    if context is None:
        raise RuntimeError("outside of a task of Spark's")
    return context.taskAttemptId()
