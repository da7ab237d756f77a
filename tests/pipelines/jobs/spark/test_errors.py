"""pipelines.jobs.spark.errors"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa
import pytest
from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from log.errors import CorruptRecord, LogError, OffsetOutOfRange, ReplicaFailed
from log.types import TopicPartition
from parsers.sandbox.failures import ParserChanged, StartFailed
from parsers.taught import Taught
from pipelines.errors import (
    JobCutOff,
    JobFailed,
    ParsersDiffer,
    PipelineError,
    RecordsUnreadable,
    StoreUnreachable,
    StoreUnusable,
)
from pipelines.jobs.plan import new_plan
from pipelines.jobs.run import run
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.taught import keep
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

TAUGHT = Taught.load(None)


def test_a_source_that_is_asked_for_what_the_log_does_not_have_says_so_in_one_line(home: Home) -> None:
    plan = new_plan("extract", home.group, [OffsetRange(home.topic, 0, 0, 10**6)], TAUGHT)
    keep(home.store, TAUGHT)
    with pytest.raises(JobFailed) as caught:
        run(home.settings, home.log, plan)
    end = home.log.span(TopicPartition(home.topic, 0)).stop
    first_slice = home.settings.extract.max_mails
    told = "nothing is published; retention deleted records since the run was planned"
    assert str(caught.value) == f"mails-0: offset {first_slice} is not in [0, {end}]: {told}"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ReplicaFailed("disk 2: input/output error"), JobCutOff),
        (StartFailed("no memory"), JobCutOff),
        (ParserChanged("the parsers on disk are now 2"), ParsersDiffer),
        (CorruptRecord(TopicPartition("mails", 0), 7, "bad CRC"), RecordsUnreadable),
        (OffsetOutOfRange(TopicPartition("mails", 0), 9, range(3)), JobFailed),
        (StoreUnreachable("s3://otclog/tables: no answer from 10.77.0.21:8333"), JobCutOff),
        (StoreUnusable("s3://otclog/tables: there are no credentials"), JobFailed),
    ],
)
def test_what_a_worker_raises_of_ours_is_raised_as_ours(
    spark: SparkSession, error: LogError | StartFailed | ParserChanged | PipelineError, kind: type[PipelineError]
) -> None:
    cls, said = type(error), error.args

    def fail(_: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        raise cls.__new__(cls, *said)

    with pytest.raises(kind) as caught, spark_errors_as_pipeline_errors():
        spark.range(1).mapInArrow(fail, "id long").collect()
    assert type(caught.value) is kind
    assert str(caught.value).partition(": nothing is published")[0] == str(error)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (": java.io.IOException: Broken pipe\n\tat java.base/sun.nio", "Broken pipe"),
        ("x\nCaused by: java.io.EOFException\n\tat java.base/java.io", "EOFException"),
        ("x\nCaused by: java.nio.file.FileSystemException: /t: No space left\n\tat java", "/t: No space left"),
        (
            ": org.apache.spark.SparkException: EOFException occurred while reading the port number from the daemon.\n",
            "EOFException occurred while reading the port number from the daemon.",
        ),
    ],
)
def test_a_process_that_plans_and_is_killed_is_told_and_may_be_tried_again(raised: str, told: str) -> None:
    with (
        pytest.raises(JobCutOff, match=f"nothing was published: {re.escape(told)}$"),
        spark_errors_as_pipeline_errors(),
    ):
        raise Py4JError(f"An error occurred while calling o117.load.\n{raised}")


_LOST = ": org.apache.spark.SparkException: Job aborted: Lost task 0.3 in stage 1.0 (TID 9) (10.77.0.41 executor 1): "
_RAISED = "Traceback (most recent call last):\nparsers.sandbox.failures.{name}: {said}\non host worker1\n"


@pytest.mark.parametrize(
    ("raised", "kind", "told"),
    [
        (_RAISED.format(name="StartFailed", said="no filter"), JobCutOff, r"^no filter \(on worker1\)$"),
        (
            _RAISED.format(name="ParserChanged", said="others"),
            ParsersDiffer,
            r"^others \(on worker1\): nothing is publ",
        ),
        (
            f'{_LOST}x\nCaused by: java.io.IOException: Cannot run program "./otclog/bin/python": error=2, No such file\n',
            JobCutOff,
            r"Cannot run program .*No such file \(on 10\.77\.0\.41\)$",
        ),
        (
            f"{_LOST}x\nError from python worker:\n  worker1 has no Python 3.11 at /x\njava.io.EOFException\n",
            JobCutOff,
            r"worker1 has no Python 3\.11 at /x \(on 10\.77\.0\.41\)$",
        ),
        (
            "x: Job aborted due to stage failure: Master removed our application: FAILED\n\tat org.apache.spark\n",
            JobCutOff,
            r"^Spark could not go on, nothing was published: Master removed our application: FAILED$",
        ),
    ],
)
def test_what_fails_on_another_machine_is_told_with_its_name(raised: str, kind: type[PipelineError], told: str) -> None:
    with pytest.raises(kind, match=told), spark_errors_as_pipeline_errors():
        raise Py4JError(f"An error occurred while calling o117.collect.\n{raised}")


def test_other_errors_of_spark_stay_what_they_are(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException), spark_errors_as_pipeline_errors():
        spark.sql("SELECT * FROM absent")
