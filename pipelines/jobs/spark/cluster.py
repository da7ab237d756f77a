"""What Spark is told where its executors are on other machines, and how long it may keep us waiting for them."""

from __future__ import annotations

import os
import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from log.disk.credentials import private_text
from log.kafka.spark import java_properties
from pipelines.errors import ClusterSilent, SparkUnusable
from pipelines.jobs.spark.master import masters
from pipelines.jobs.spark.pack import NAME, SHA256, pack_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

    from conf.settings import Settings, SparkSettings

CONNECT_S = 5.0
ANSWER_S = 10  # of a master; Spark itself would wait for a minute
EXECUTORS_S = 60.0
SECRET = "_SPARK_AUTH_SECRET"  # noqa: S105 -- the name of the variable that Spark's own processes read

# Spark's standalone driver asks that its configuration has a secret, and takes the environment's before that one.
_NO_SECRET = "in the environment"  # noqa: S105 -- what is shown in its place

_ON_EXECUTORS = ("spark-sql-kafka", "spark-token-provider-kafka", "commons-pool2", "kafka-clients", "jose4j")

_CONFIG = {
    "spark.authenticate": "true",
    "spark.authenticate.secret": _NO_SECRET,
    "spark.network.crypto.enabled": "true",
    "spark.network.crypto.saslFallback": "false",
    # What a task writes is named by it alone, and counts when its line is back: it may be done twice.
    "spark.speculation": "true",
    # One machine that fails all its tasks leaves them to others; where all fail that is told soon, not after minutes.
    "spark.excludeOnFailure.enabled": "true",
    "spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout": "10s",
}


def cluster_config(settings: Settings, jars: Sequence[Path]) -> dict[str, str]:
    """What a session on a cluster has besides, or instead. Raises SparkUnusable, LogUnusable; holds no secret."""
    spark = settings.spark
    if spark.pack is None:
        raise SparkUnusable("[spark] pack: name the archive that scripts/pack made")
    digest = pack_digest(spark.pack)
    shipped = [str(jar) for jar in jars if jar.name.startswith(_ON_EXECUTORS)]
    properties = [f"-D{name}={value}" for name, value in java_properties(settings.log.kafka).items()]
    return _CONFIG | {
        "spark.driver.host": spark.host,
        "spark.driver.bindAddress": spark.host,
        "spark.driver.port": str(spark.driver_port),
        "spark.blockManager.port": str(spark.block_manager_port),
        "spark.executor.instances": str(spark.executors),
        "spark.executor.cores": str(spark.executor_cores),
        "spark.cores.max": str(spark.executors * spark.executor_cores),
        "spark.default.parallelism": str(spark.executors * spark.executor_cores),
        "spark.executor.memory": spark.executor_memory,
        "spark.executor.extraJavaOptions": " ".join(properties),
        "spark.jars": ",".join(shipped),
        SHA256: digest,
    }


@contextmanager
def secret_in_environment(spark: SparkSettings, environ: Any = os.environ) -> Iterator[None]:
    """Within it the JVM that is started finds the secret in its environment: arguments are everybody's to read.

    Raises SparkUnusable where there is none, or others may read it.
    """
    before = environ.get(SECRET)
    environ[SECRET] = _secret(spark, environ)
    try:
        yield
    finally:
        if before is None:
            del environ[SECRET]


def _secret(spark: SparkSettings, environ: Mapping[str, str]) -> str:
    if spark.secret is None:
        if not environ.get(SECRET):
            raise SparkUnusable(f"[spark] secret: name a file with the cluster's secret, or set {SECRET}")
        return environ[SECRET]
    try:
        found = private_text(spark.secret, "[spark] secret").strip()
    except ValueError as error:
        raise SparkUnusable(f"[spark] secret: {error}") from error
    if not found:
        raise SparkUnusable(f"[spark] secret: {spark.secret} is empty")
    return found


def connect(spark: SparkSettings) -> None:
    """Return where a standalone master listens, or there is none to ask. Raises ClusterSilent."""
    refused = []
    for host, port in masters(spark):
        try:
            socket.create_connection((host, port), CONNECT_S).close()
        except OSError as error:
            refused.append(f"{host}:{port}: {error}")
        else:
            return
    if refused:
        raise ClusterSilent(f"no answer from {spark.master} ({'; '.join(refused)}): does it run, can it be reached?")


def ask_master(spark: SparkSettings) -> None:
    """Return when a standalone master has answered: a session that waits for one in vain is told so after a minute.

    The JVM must run. Raises ClusterSilent, and SparkUnusable for one that does not take our secret.
    """
    if not masters(spark):
        return
    from py4j.protocol import Py4JJavaError

    environment, address = _asking(spark)
    told = []
    try:
        for place in masters(spark):
            try:
                environment.setupEndpointRef(address(*place), "Master")
            except Py4JJavaError as error:
                told.append(str(error))
            else:
                return
    finally:
        environment.shutdown()
    if any("TimeoutException" in each for each in told):
        raise ClusterSilent(f"no answer from {spark.master} within {ANSWER_S} s: does it stand still?")
    raise SparkUnusable(f"{spark.master} does not speak with us: has it the same secret, and spark.authenticate true?")


def _asking(spark: SparkSettings) -> tuple[Any, Any]:
    """What Spark's own programs ask each other by, and its class of addresses."""
    from pyspark import SparkContext

    jvm: Any = SparkContext._jvm  # noqa: SLF001 -- PySpark has no public door to its JVM
    conf = jvm.org.apache.spark.SparkConf()
    for name in ("spark.rpc.lookupTimeout", "spark.rpc.askTimeout", "spark.network.auth.rpcTimeout"):
        conf.set(name, f"{ANSWER_S}s")
    manager = getattr(getattr(jvm.org.apache.spark, "SecurityManager$"), "MODULE$")
    defaults = [getattr(manager, f"$lessinit$greater$default${number}")() for number in (2, 3)]
    security = jvm.org.apache.spark.SecurityManager(conf, *defaults)
    rpc = jvm.org.apache.spark.rpc
    return rpc.RpcEnv.create("otclog", spark.host, 0, conf, security, True), rpc.RpcAddress


def supply_executors(session: SparkSession, spark: SparkSettings) -> None:
    """Give them the pack; return when the first is there. Raises ClusterSilent when that takes over EXECUTORS_S."""
    context: Any = session.sparkContext
    context.addArchive(f"{spark.pack}#{NAME}")  # not by `spark.archives`: the driver unpacks it, too, before it asks
    there = context._jsc.sc()  # noqa: SLF001 -- PySpark does not tell
    deadline = time.monotonic() + EXECUTORS_S
    while there.getExecutorMemoryStatus().size() < 2:  # the driver is one of them
        if time.monotonic() > deadline:
            session.stop()
            raise ClusterSilent(
                f"{spark.master} has given no executor within {EXECUTORS_S:g} s: have its workers "
                f"{spark.executor_cores} cores and {spark.executor_memory} each to give, and do executors start there?"
            )
        time.sleep(0.1)
