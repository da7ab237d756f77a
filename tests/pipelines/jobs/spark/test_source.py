from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import SparkSession

import conf
from conf.settings import KafkaSettings
from pipelines.jobs.spark.source import MAX_READS, records
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


@pytest.mark.parametrize("step", [1, 2], ids=["every record", "every other record"])
def test_exactly_the_records_asked_for_are_read_once(spark: SparkSession, home: Home, step: int) -> None:
    wanted = [
        OffsetRange("mails", source.partition, at, at + 1)
        for source, end in home.ends.items()
        for at in range(0, end, step)
    ]
    rows = records(spark, home.settings.log, wanted).select("topic", "log_partition", "log_offset").collect()
    assert sorted(map(tuple, rows)) == sorted((each.topic, each.partition, each.start) for each in wanted)


def test_the_plan_is_as_long_for_many_ranges_as_for_few(spark: SparkSession, home: Home) -> None:
    def plan(count: int) -> str:
        rows: Any = records(
            spark, home.settings.log, [OffsetRange("mails", 0, 3 * at, 3 * at + 2) for at in range(count)]
        )
        return str(rows.select("value")._jdf.queryExecution().analyzed().toString())

    assert len(plan(2000)) < 2 * len(plan(MAX_READS + 1))


def test_many_scattered_ranges_are_read_in_few_reads_over_the_narrow_gaps() -> None:
    from pipelines.jobs.spark.source import _spans

    crowd = [OffsetRange("a", 0, at, at + 1) for at in range(0, 400, 4)]
    far = [OffsetRange("a", 0, at, at + 2) for at in (10_000, 20_000)]
    spans = _spans([*crowd, *far])
    assert len(spans) == MAX_READS
    assert spans[-2:] == far
    covered = [at for span in spans for at in range(span.start, span.stop)]
    assert set(covered) >= {at for each in [*crowd, *far] for at in range(each.start, each.stop)}
    assert len(covered) < 500


@pytest.mark.parametrize("security", ["scram", "tls"])
def test_no_plan_shows_who_we_are_to_the_brokers(
    spark: SparkSession, settings: conf.Settings, tmp_path: Path, security: Any
) -> None:
    secrets, key = tmp_path / "secrets", tmp_path / "key.pem"
    secrets.touch(0o600)
    secrets.write_text(
        "username=otclog\npassword=hush-password\n" if security == "scram" else "key_password=hush-key\n"
    )
    key.write_text("-----BEGIN PRIVATE KEY-----\nhush-hush\n-----END PRIVATE KEY-----\n")
    kafka = KafkaSettings(bootstrap="127.0.0.1:1", security=security, credentials=secrets, certificate=key, key=key)
    rows: Any = records(
        spark,
        replace(settings.log, kafka=kafka, backend="kafka", claims=("s3://a/b",)),
        [OffsetRange("mails", 0, 0, 9)],
    )
    execution = rows._jdf.queryExecution()
    shown = [execution.logical(), execution.analyzed(), execution.optimizedPlan()]  # what follows asks the brokers
    assert not [each for each in shown if "hush" in each.toString()]
    assert "hush" not in str(spark.sparkContext.getConf().getAll())
