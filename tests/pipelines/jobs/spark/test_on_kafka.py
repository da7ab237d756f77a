"""Jobs on a log of brokers, read by Spark's own source."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import conf
from conf.settings import KafkaSettings
from log import CommitLog, Record, TopicConfig, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim
from log.claims.claim import CLAIM_VERSION
from log.journal import move
from log.rewind import to_earliest, to_listed
from pipelines.errors import JobCutOff, JobFailed, NothingToRead, OtherLog, RecordsDamaged
from pipelines.jobs.committing import Summary
from pipelines.jobs.extract import _advance, extract
from pipelines.jobs.plan import Plan
from pipelines.jobs.run import run
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.source import records
from pipelines.tables.locks import lease
from pipelines.tables.ranges import OffsetRange
from tests.brokers import emptied, on_kafka
from tests.log.kafka import bare
from tests.pipelines.conftest import NO_DATE, TOPIC, Home, in_order

_numbers = itertools.count()


@pytest.fixture
def kafka_home(tmp_path: Path, brokers: Path, mails: list[bytes]) -> Iterator[Home]:
    """The mails of `home`, in the same partitions of a log of brokers, and tables of its own."""
    emptied(brokers)
    file = tmp_path / "kafka" / "otclog.toml"
    file.parent.mkdir()
    file.write_text("[log]\n[[ingest.sources]]\npath = 'mail'\nkind = 'maildir'\n[extract]\nsmall_mails = 0\n")
    settings = conf.load(file, {})
    settings = replace(settings, log=on_kafka(settings.log, brokers))
    with closing(open_log(settings.log)) as log:
        log.create_topic(TOPIC, 3, TopicConfig(mail=True))
        log.append(TOPIC, [Record(key=str(number).encode(), value=mail) for number, mail in enumerate(mails)])
        yield Home(settings, log, f"kafka-{next(_numbers)}", file)


def outcomes(home: Home) -> dict[str, list[dict[str, Any]]]:
    """Without what tells when a mail was appended: in a mail without a date its quotes are of then, too."""
    return {table: in_order(map(without_receipt, rows)) for table, rows in home.outcomes().items()}


def without_receipt(row: dict[str, Any]) -> dict[str, Any]:
    names = {"received_ts", "received_date", "received_day"}
    if row.get("quote_ts_source") == "received":
        names |= {"quote_ts", "quote_date", "dedupe_key"}
    return {name: value for name, value in row.items() if name not in names and value != row.get("received_ts")}


@pytest.mark.slow
def test_the_rows_are_those_of_the_embedded_log_but_for_append_times(
    spark: SparkSession, home: Home, kafka_home: Home
) -> None:
    assert spark is not None
    for each in (home, kafka_home):
        summary = extract(each.settings, each.log, each.group, TOPIC, 10**6)
        assert summary is not None
        assert summary.row["records"] == sum(each.ends.values()) == 12
        assert each.log.committed(each.group) == each.ends
    assert outcomes(kafka_home) == outcomes(home)


@pytest.mark.slow
def test_a_rewound_group_reads_again_and_leaves_the_same_rows(spark: SparkSession, kafka_home: Home) -> None:
    assert spark is not None
    home = kafka_home
    extract(home.settings, home.log, home.group, TOPIC, 10**6)
    before = home.outcomes()
    assert extract(home.settings, home.log, home.group, TOPIC, 10**6) is None
    move(home.log, home.group, list(home.ends), to_earliest)
    extract(home.settings, home.log, home.group, TOPIC, 10**6)
    assert home.outcomes() == before
    assert home.log.committed(home.group) == home.ends


@pytest.mark.slow
def test_exactly_the_records_asked_for_are_read_and_a_claim_is_known(spark: SparkSession, kafka_home: Home) -> None:
    log, settings = kafka_home.log, kafka_home.settings
    source = TopicPartition(TOPIC, 0)
    at = log.append(TOPIC, [Record(None, Claim("0" * 64, 1).to_bytes(), ((CLAIM_HEADER, CLAIM_VERSION),))], 0)[0].offset
    wanted = [OffsetRange(TOPIC, 0, offset, offset + 1) for offset in range(0, at + 1, 2)]
    wanted += [OffsetRange(TOPIC, 0, at, at + 1)] if at % 2 else []
    rows = records(spark, settings.log, wanted).collect()
    assert sorted(row.log_offset for row in rows) == sorted(each.start for each in wanted)
    assert {row.log_offset for row in rows if row.is_claim} == {at}
    told = {each.offset: each.timestamp_ms for each in log.read(source, 0, 2**24)}
    assert all(round(row.received_ts.timestamp() * 1000) == told[row.log_offset] for row in rows)


@pytest.mark.slow
def test_records_that_retention_took_meanwhile_are_told(spark: SparkSession, kafka_home: Home) -> None:
    home = kafka_home
    source, end = max(home.ends.items(), key=lambda each: each[1])
    wanted = [OffsetRange(TOPIC, source.partition, 0, end)]
    home.log.delete_records(source, end)
    with (
        pytest.raises(JobFailed, match="not available in Kafka any more: nothing is published; retention deleted"),
        spark_errors_as_pipeline_errors(),
    ):
        records(spark, home.settings.log, wanted).collect()


@pytest.mark.slow
def test_an_unknown_topic_and_an_offset_that_is_gone_are_each_a_line(spark: SparkSession, kafka_home: Home) -> None:
    assert spark is not None
    home = kafka_home
    with pytest.raises(NothingToRead, match=r"^there is no topic 'no-such' yet[^\n]*$"):
        extract(home.settings, home.log, home.group, "no-such", 10)
    source, end = max(home.ends.items(), key=lambda each: each[1])
    home.log.commit(home.group, dict.fromkeys(home.starts, 0))
    home.log.delete_records(source, end)
    with pytest.raises(NothingToRead, match=rf"^group {home.group} is at offset 0 of {source}, but [^\n]*rewind`$"):
        extract(home.settings, home.log, home.group, TOPIC, 10)


def made_anew(home: Home, mails: int) -> None:
    home.log.delete_topic(TOPIC)
    home.log.create_topic(TOPIC, 3, TopicConfig(mail=True))
    home.log.append(TOPIC, [Record(b"%d" % number, NO_DATE) for number in range(mails)])


@pytest.mark.slow
def test_a_topic_that_is_made_anew_amid_a_run_is_told_and_the_new_one_is_read_from_its_start(
    spark: SparkSession, kafka_home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert spark is not None
    home = kafka_home

    def run_late(settings: conf.Settings, log: CommitLog, plan: Plan) -> Summary:
        made_anew(home, 30)
        return run(settings, log, plan)

    monkeypatch.setattr("pipelines.jobs.extract.run", run_late)
    with pytest.raises(NothingToRead, match="made anew, since the run was planned: nothing is published"):
        extract(home.settings, home.log, home.group, TOPIC, 10**6)
    monkeypatch.setattr("pipelines.jobs.extract.run", run)
    summary = extract(home.settings, home.log, home.group, TOPIC, 10**6)
    assert summary is not None
    assert summary.row["records"] == 30
    made_anew(home, 40)
    with pytest.raises(OtherLog, match="or of one that was deleted and made anew"):
        extract(home.settings, home.log, home.group, TOPIC, 10**6)
    with caplog.at_level(logging.WARNING), lease(home.store, home.group) as held:
        _advance(home.log, held, home.group, summary.plan)
    assert f"rows of run {summary.plan.run_id} are published, but its group stays where it was put" in caplog.text
    assert "its topic was deleted, or made anew" in caplog.text
    assert home.log.committed(home.group) == {}


@pytest.mark.soak
def test_brokers_that_do_not_answer_are_told_in_a_line_and_tried_again(spark: SparkSession, kafka_home: Home) -> None:
    gone = replace(kafka_home.settings.log, kafka=KafkaSettings(bootstrap="127.0.0.1:1"))
    with pytest.raises(JobCutOff, match="the brokers did not let Spark read"), spark_errors_as_pipeline_errors():
        records(spark, gone, [OffsetRange(TOPIC, 0, 0, 1)]).collect()


@pytest.mark.slow
def test_behind_what_another_program_wrote_in_a_transaction_a_partition_waits_and_the_command_that_passes_it_is_told(
    spark: SparkSession, kafka_home: Home
) -> None:
    assert spark is not None
    home = kafka_home
    source = TopicPartition(TOPIC, 0)
    gap = home.log.span(source).stop
    bare.in_transaction(home.settings.log.kafka.bootstrap, TOPIC, b"aborted", is_kept=False)
    bare.await_end(home.log, source, gap + 2)
    home.log.append(TOPIC, [Record(b"key", NO_DATE)], 0)
    extract(home.settings, home.log, home.group, TOPIC, 10**6)
    assert home.log.committed(home.group) == {**home.ends, source: gap}
    with pytest.raises(
        RecordsDamaged, match=rf"{gap} to {gap + 1} hold no record.*{source.topic}:0 --to-offset {gap + 2}"
    ):
        extract(home.settings, home.log, home.group, TOPIC, 10**6)
    move(home.log, home.group, [source], to_listed({source: gap + 2}))
    extract(home.settings, home.log, home.group, TOPIC, 10**6)
    assert home.log.committed(home.group) == {**home.ends, source: gap + 3}
    assert sum(1 for row in home.outcomes()["mails"] if row["log_partition"] == 0) == gap + 1
