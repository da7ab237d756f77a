"""Which machines Spark's tasks run on, and whether the log, the tables and what Spark is told go together with that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conf.values import is_loopback
from pipelines.errors import SparkUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conf.settings import Settings, SparkSettings

_LOCAL = re.compile(r"local(\[(\*|\d+)(,\d+)?\])?")
_CLUSTER = re.compile(r"spark://(?P<hosts>[^\s,:/]+:\d{1,5}(,[^\s,:/]+:\d{1,5})*)|yarn|k8s://\S+")
_OURS = re.compile(
    r"spark\.(master|app\.name|jars|archives|authenticate|network\.crypto|pyspark|python|ui|redaction|speculation"
    r"|(scheduler\.)?excludeOnFailure|cores\.max|default\.parallelism|blockManager\.port|databricks|otclog|sql"
    r"|hadoop\.fs\.permissions|driver\.(host|bindAddress|port|memory|extraClassPath|extraJavaOptions)"
    r"|executor\.(instances|cores|memory|extraJavaOptions))(\..*)?"
)
_SECRET = re.compile(r"(?i)(?!.*file$).*(secret|password|token|key(?!tab))")


def is_local(spark: SparkSettings) -> bool:
    """Whether all tasks run on this machine, in one JVM with the driver."""
    return _LOCAL.fullmatch(spark.master) is not None


def masters(spark: SparkSettings) -> list[tuple[str, int]]:
    """Where standalone masters listen; none of another kind of cluster."""
    found = _CLUSTER.fullmatch(spark.master)
    hosts = found["hosts"].split(",") if found and found["hosts"] else []
    return [(host, int(port)) for host, _, port in (each.rpartition(":") for each in hosts)]


def check_master(settings: Settings) -> None:
    """Raises SparkUnusable where tasks would run on machines that could not do them, or nobody could reach them."""
    spark = settings.spark
    _check_passed_on(spark)
    if is_local(spark):
        return
    if not _CLUSTER.fullmatch(spark.master):
        raise SparkUnusable(
            f'[spark] master is {spark.master!r}: write "local[*]", or "local[2]" for two cores, or for a cluster '
            'spark://HOST:7077, "yarn" or k8s://…'
        )
    if wrong := list(_missing(settings)):
        raise SparkUnusable(f"[spark] master is {spark.master!r}, so workers are other machines: {'; '.join(wrong)}")


def _check_passed_on(spark: SparkSettings) -> None:
    for name in spark.conf:
        if not name.startswith("spark.") or _OURS.fullmatch(name):
            raise SparkUnusable(f"[spark] conf: {name} is otclog's own to set, or no setting of Spark's: leave it out")
        if _SECRET.match(name):
            raise SparkUnusable(f"[spark] conf: {name} may be a secret, and everybody could read it: leave it out")


def _missing(settings: Settings) -> Iterator[str]:
    """Of what workers on other machines need."""
    spark = settings.spark
    if settings.log.backend == "embedded":
        yield 'the embedded log is a folder of this machine, which they could not read: [log] backend = "kafka"'
    if settings.tables.folder is not None:
        yield "they could not write tables into a folder of this machine: [tables] root = s3://BUCKET/FOLDER"
    if any(not isinstance(place, str) for place in settings.log.claims):
        yield (
            "they could not read large mails out of a folder of this machine: [log] claims = s3://…, or file:///FOLDER "
            "of a file system that all of them mount"
        )
    if spark.pack is None:
        yield "they need otclog itself: [spark] pack, made by scripts/pack"
    if is_loopback(spark.host) and not all(is_loopback(host) for host, _ in masters(spark) or [("", 0)]):
        yield f"they could not reach this driver at {spark.host}: [spark] host, an address of this machine"
