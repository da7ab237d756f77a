"""One place that says how our Spark is set up."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

from pipelines.errors import SparkUnusable
from pipelines.jobs.spark.java import check_java
from pipelines.jobs.spark.worker_daemon import PARSE, READ, ROLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from conf.settings import SparkSettings

JARS = Path(__file__).resolve().parents[3] / ".jars" / "spark"
CLASSES = JARS.parent / "classes" / "session.jsa"  # made by pipelines/jobs/spark/class_archive.py
LOG4J = Path(__file__).resolve().parents[2] / "log4j2.properties"

_ENDING_S = 2.0
_LOCAL = re.compile(r"local(\[[^\]]+\])?")

# The JVM does little of the work, and a run is short: the optimizing compiler would take 15 s of CPU from the parsers
# in a session's first minute, to give back 0.15 ms a mail.
_JIT = "-XX:TieredStopAtLevel=1"

_CONFIG = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    # Everything stays on this machine: no port is open to others, and there is no web page.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Files are for their owner alone: Hadoop sets modes itself and does not ask the process's umask.
    "spark.hadoop.fs.permissions.umask-mode": "077",
    "spark.python.daemon.module": "pipelines.jobs.spark.worker_daemon",
    # Its default, which is deprecated, cannot tell the years before 1678 and after 2262 that a dealer may print.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Runs are small: more partitions would cost a task's overhead each.
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    # Mails are of very different sizes: a batch ends at the first of these two.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.execution.arrow.maxBytesPerBatch": "16m",
}


def spark_session(settings: SparkSettings) -> SparkSession:
    """The process's one session: Delta and the `otclog` source, quiet, on loopback, in UTC, with this very Python.

    Takes about 5 s the first time and nothing after that. Raises SparkUnusable.
    """
    check_master(settings)
    jars = sorted(JARS.glob("*.jar"))
    if not jars:
        raise SparkUnusable(f"no jars in {JARS}; run scripts/setup once")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    from log.embedded.spark import register

    if SparkContext._gateway is None:  # noqa: SLF001 -- there is no other way to ask whether its JVM was started
        check_java()
    builder = SparkSession.builder.appName("otclog").master(settings.master)
    builder = builder.config("spark.driver.memory", settings.driver_memory)
    # Not by `spark.jars`: each session would copy them, and load them by a class loader that no archive serves.
    builder = builder.config("spark.driver.extraClassPath", ":".join(map(str, jars)))
    builder = builder.config("spark.driver.extraJavaOptions", " ".join(java_options()))
    for key, value in _CONFIG.items():
        builder = builder.config(key, value)
    with uninterrupted():
        session = builder.getOrCreate()
    # A task needs a worker that reads and one that parses. From one pool each of them would do either in turn, and keep
    # a sandbox: with two cores four warm children more, which take their time to start and their memory.
    environment = session.sparkContext.environment
    environment[ROLE] = READ
    register(session)
    environment[ROLE] = PARSE
    return session


def check_master(settings: SparkSettings) -> None:
    """Raises SparkUnusable for a master that is not on this machine."""
    if not _LOCAL.fullmatch(settings.master):
        raise SparkUnusable(
            f"[spark] master is {settings.master!r}: the embedded log is a folder of this machine, which workers on "
            'others could not read; write "local[*]", or "local[2]" for two cores'
        )


@contextmanager
def uninterrupted() -> Iterator[None]:
    """A Ctrl-C amid the start of a JVM waits for its end: Python alone would go, and the JVM stay behind for good."""
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before is signal.SIG_IGN:
        yield
        return
    caught: list[int] = []

    def noted(number: int, _: object) -> None:
        caught.append(number)

    signal.signal(signal.SIGINT, noted)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is noted:  # else Spark has put its own, which cancels its jobs first
            signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def java_options() -> list[str]:
    """Of the JVM."""
    options = [f"-Dlog4j2.configurationFile={LOG4J.as_uri()}", _JIT]
    if CLASSES.exists():  # halves the CPU time of a session's start; one that does not fit is left aside
        options += [f"-XX:SharedArchiveFile={CLASSES}", "-Xlog:disable"]
    return options


def jvm_ended() -> bool:
    """Whether the JVM of this process's session is gone: killed, or crashed. It will have no other."""
    from pyspark import SparkContext

    process = getattr(SparkContext._gateway, "proc", None)  # noqa: SLF001 -- there is no other way to ask
    with suppress(subprocess.TimeoutExpired):  # its connections go before it does
        return process is not None and process.wait(_ENDING_S) is not None
    return False
