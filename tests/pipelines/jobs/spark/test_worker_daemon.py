from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from pipelines.jobs.extract import extract
from pipelines.jobs.spark.worker_daemon import PARSE, READ, ROLE
from tests.pipelines.conftest import Home


def test_a_worker_that_parses_is_forked_with_all_it_needs(spark: SparkSession) -> None:
    def seen(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        there = [name for name in ("pipelines.jobs.outcome_batch", "parsers.sandbox.process") if name in sys.modules]
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"seen": [f"{os.environ[ROLE]}: {' '.join(there)}"]})

    (row,) = spark.range(1, numPartitions=1).mapInArrow(seen, "seen string").collect()
    assert row.seen == f"{PARSE}: pipelines.jobs.outcome_batch parsers.sandbox.process"


@pytest.mark.slow
def test_there_are_no_more_sandboxes_than_tasks_at_once(spark: SparkSession, home: Home) -> None:
    extract(home.settings, home.log, home.group, home.topic, 20)
    children = [pid for pid in pids() if "sandbox/child.py" in command(pid) and is_in_jvm_of(os.getpid(), pid)]
    workers = {parent(child) for child in children}
    assert 1 <= len(workers) <= spark.sparkContext.defaultParallelism
    assert 2 * len(workers) <= len(children) <= 3 * len(workers)  # each has a spare, and may have a second behind it


@pytest.mark.parametrize("role", [READ, PARSE])
def test_what_is_forked_has_no_thread_but_the_one_that_expects_it(role: str) -> None:
    code = (
        "import sys; from pathlib import Path; from pipelines.jobs.spark.worker_daemon import preload; "
        "preload(sys.argv[1]); "
        "print({file.read_text().strip() for file in Path('/proc/self/task').glob('*/comm')} - {'jemalloc_bg_thd'})"
    )
    as_spark_has_it = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, role], capture_output=True, text=True, check=True, env=as_spark_has_it
    )
    assert len(ast.literal_eval(done.stdout)) == 1, done.stdout


@pytest.mark.parametrize(("hangs_up", "left"), [(True, ""), (False, "PySpark daemon failed to flush")])
def test_a_worker_says_nothing_of_an_answer_that_its_ended_task_does_not_take(hangs_up: bool, left: str) -> None:
    code = (
        "import os, socket, sys, pyspark.worker; from pyspark import daemon; "
        "from pipelines.jobs.spark.worker_daemon import report; daemon.print = report; "
        "jvm, sock = socket.socketpair(); answer = lambda _, out: "
        f"(out.write(b'x'), {'jvm.close()' if hangs_up else 'os.close(out.fileno())'}); "
        "pyspark.worker.main = answer; daemon.worker(sock, authenticated=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[:1] == ([f"{left} the output to the worker process:"] if left else [])


def pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()]


def is_in_jvm_of(driver: int, child: int) -> bool:
    """A sandbox's child, its worker, the worker's daemon, the JVM, and then the driver."""
    return parent(parent(parent(parent(child)))) == driver


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:  # it has just ended
        return ""


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
