"""One place that says how our Spark is set up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from pipelines.errors import SparkLost, SparkUnusable
from pipelines.jobs.spark.cluster import ask_master, cluster_config, connect, secret_in_environment, supply_executors
from pipelines.jobs.spark.java import check_java
from pipelines.jobs.spark.master import check_master, is_local
from pipelines.jobs.spark.pack import PYTHON
from pipelines.jobs.spark.worker_daemon import PARSE, READ, ROLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession

    from conf.settings import Settings, SparkSettings

    Session = Callable[[], SparkSession]  # starts it when it is asked for: a small run never does

JARS = Path(__file__).resolve().parents[3] / ".jars" / "spark"
CLASSES = JARS.parent / "classes" / "session.jsa"  # made by pipelines/jobs/spark/class_archive.py
LOG4J = Path(__file__).resolve().parents[2] / "log4j2.properties"

_ENDING_S = 2.0
# The JVM does little of the work, and a run is short: the optimizing compiler would take 15 s of CPU from the parsers
# in a session's first minute, to give back 0.15 ms a mail.
_JIT = "-XX:TieredStopAtLevel=1"

_CONFIG = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    # Everything stays on this machine, unless its master is on others; there is no web page in any case.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Files are for their owner alone: Hadoop sets modes itself and does not ask the process's umask.
    "spark.hadoop.fs.permissions.umask-mode": "077",
    "spark.python.daemon.module": "pipelines.jobs.spark.worker_daemon",
    # What a source is told stands in plans and their pages: who we are to the brokers, and by what secret, is hidden.
    "spark.sql.redaction.options.regex": "(?i)url|jaas|key|secret|password|token",
    # Its default, which is deprecated, cannot tell the years before 1678 and after 2262 that a dealer may print.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Runs are small: more partitions would cost a task's overhead each.
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    # Mails are of very different sizes: a batch ends at the first of these two.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.execution.arrow.maxBytesPerBatch": "16m",
}


def spark_session(settings: Settings) -> SparkSession:
    """The process's one session: Delta and the `otclog` source, quiet, in UTC.

    Its tasks run on loopback in this very Python, or on a cluster in the pack's. Takes about 5 s the first time and
    nothing after that. Raises SparkUnusable, SparkLost, ClusterSilent, LogUnusable.
    """
    check_master(settings)
    jars = sorted(JARS.glob("*.jar"))
    if not jars:
        raise SparkUnusable(f"no jars in {JARS}; run scripts/setup once")

    from pyspark.sql import SparkSession

    from log.embedded.spark import register

    if _goes_on():
        return SparkSession.builder.getOrCreate()
    config = _config(settings, jars)
    os.environ |= {"PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": config["spark.driver.host"]}
    if is_local(settings.spark):
        session = _on_this_machine(config)
    else:
        session = _on_cluster(settings.spark, config)
        supply_executors(session, settings.spark)
    # A task needs a worker that reads and one that parses. From one pool each of them would do either in turn, and keep
    # a sandbox: with two cores four warm children more, which take their time to start and their memory.
    environment = session.sparkContext.environment
    environment[ROLE] = READ
    register(session)
    environment[ROLE] = PARSE
    return session


def _on_this_machine(config: Mapping[str, str]) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with uninterrupted():
        _start_jvm(config)
        return _started(config)


def _on_cluster(spark: SparkSettings, config: Mapping[str, str]) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = PYTHON
    connect(spark)
    with uninterrupted():
        with secret_in_environment(spark):
            _start_jvm(config)
        ask_master(spark)
        return _started(config)


def _goes_on() -> bool:
    """Whether this process has a session that Spark has not ended, as it does where a cluster's master is lost."""
    from pyspark import SparkContext

    context: Any = SparkContext._active_spark_context  # noqa: SLF001 -- there is no other way to ask, and make none
    if context is None:
        return False
    gateway: Any = SparkContext._gateway  # noqa: SLF001
    if gateway.proc.poll() is not None or not context._jsc.sc().isStopped():  # noqa: SLF001
        return True  # of a JVM that has ended the first job tells
    context.stop()
    return False


def _config(settings: Settings, jars: Sequence[Path]) -> Mapping[str, str]:
    local = is_local(settings.spark)
    return _CONFIG | {
        "spark.app.name": "otclog",
        "spark.master": settings.spark.master,
        "spark.driver.memory": settings.spark.driver_memory,
        # Not by `spark.jars`: each session would copy them, and load them by a class loader that no archive serves.
        "spark.driver.extraClassPath": ":".join(map(str, jars)),
        "spark.driver.extraJavaOptions": " ".join(java_options(local=local)),
        **({} if local else cluster_config(settings, jars)),
        **settings.spark.conf,
    }


def _start_jvm(config: Mapping[str, str]) -> None:
    """Unless there is one. All of `config` becomes its arguments, which everybody may read. Raises SparkLost."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException

    if SparkContext._gateway is None:  # noqa: SLF001 -- there is no other way to ask
        check_java()
        conf = SparkConf().setAll(list(config.items()))
        try:
            SparkContext._ensure_initialized(conf=conf)  # noqa: SLF001 -- nor to start one
        except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
            raise SparkLost(
                "Spark's process ended as it began (killed? out of memory? if it said why, that stands above): "
                "run the command again"
            ) from error


def _started(config: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    return SparkSession.builder.config(map=dict(config)).getOrCreate()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """A Ctrl-C amid the start of a JVM waits for its end: Python alone would go, and the JVM stay behind for good.

    Who hears it otherwise than by KeyboardInterrupt goes on so, though Spark's start takes it for itself.
    """
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
        is_sparks = signal.getsignal(signal.SIGINT) is not noted  # which cancels its jobs before it raises
        if not is_sparks or before is not signal.default_int_handler:
            signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def java_options(*, local: bool = True) -> list[str]:
    """Of the JVM."""
    options = [f"-Dlog4j2.configurationFile={LOG4J.as_uri()}"]
    if local:
        options.append(_JIT)  # else a pack is shipped in cipher, and the optimizing compiler alone makes that fast
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
