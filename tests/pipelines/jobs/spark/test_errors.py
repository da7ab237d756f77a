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
from pipelines.errors import JobCutOff, JobFailed, ParsersDiffer, PipelineError, RecordsUnreadable
from pipelines.jobs.plan import new_plan
from pipelines.jobs.run import run
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.taught import keep
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import Home

TAUGHT = Taught.load(None)


def test_a_source_that_is_asked_for_what_the_log_does_not_have_says_so_in_one_line(home: Home) -> None:
    plan = new_plan("extract", home.group, [OffsetRange(home.topic, 0, 0, 10**6)], TAUGHT)
    keep(home.store, TAUGHT)
    with pytest.raises(JobFailed) as caught:
        run(home.settings, plan)
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
    ],
)
def test_what_a_worker_raises_of_ours_is_raised_as_ours(
    spark: SparkSession, error: LogError | StartFailed | ParserChanged, kind: type[PipelineError]
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


def test_other_errors_of_spark_stay_what_they_are(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException), spark_errors_as_pipeline_errors():
        spark.sql("SELECT * FROM absent")
