from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import conf
from pipelines.errors import SparkUnusable
from pipelines.jobs.spark.session import java_options, spark_session, uninterrupted


def test_a_process_has_one_session_that_knows_the_log_and_talks_to_this_machine_alone(spark: SparkSession) -> None:
    assert spark_session(conf.defaults()) is spark
    assert spark.conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None
    with pytest.raises(Exception, match='needs the option "path"'):
        spark.read.format("otclog").load().collect()


def test_times_are_read_in_utc_wherever_the_machine_is(spark: SparkSession) -> None:
    (row,) = spark.sql("SELECT cast(timestamp_seconds(0) AS string) AS epoch").collect()
    assert row.epoch == "1970-01-01 00:00:00"


def test_without_jars_the_message_says_what_fetches_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.jobs.spark.session.JARS", tmp_path)
    with pytest.raises(SparkUnusable, match="scripts/setup"):
        spark_session(conf.defaults())


@pytest.mark.parametrize("content", [None, b"", b"of another JVM" * 1000])
def test_a_jvm_goes_without_a_class_archive_that_does_not_fit_and_says_nothing(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Callable[..., str]
) -> None:
    monkeypatch.setattr("pipelines.jobs.spark.session.CLASSES", tmp_path / "session.jsa")
    if content is not None:
        (tmp_path / "session.jsa").write_bytes(content)
    done = subprocess.run([needs("java"), *java_options(), "--version"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "[" not in done.stdout.splitlines()[0]  # as the JVM's own messages begin


def test_a_ctrl_c_amid_the_start_waits_for_its_end() -> None:
    before, done = signal.getsignal(signal.SIGINT), []

    def start() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("the JVM knows whose it is")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert done
    assert signal.getsignal(signal.SIGINT) is before


def test_who_is_not_to_hear_a_ctrl_c_does_not() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
    finally:
        assert signal.signal(signal.SIGINT, before) is signal.SIG_IGN
