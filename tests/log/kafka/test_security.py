"""A broker that wants TLS, and a password or a certificate of its CA's."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conf.settings import KafkaSettings, LogSettings
from log import LogError, LogUnusable, Record, TopicConfig, TopicPartition
from log.kafka import KafkaLog, errors
from log.kafka.spark import spark_options
from tests.brokers import ROOT, addresses, cluster, on_kafka

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def secure(needs: Callable[..., str]) -> Iterator[Path]:
    """The folder of the cluster."""
    needs("openssl")
    with cluster(1, "--secure") as home:
        yield home


@pytest.fixture(autouse=True)
def nothing_is_noted_before() -> None:
    errors._noted.clear()


@pytest.fixture
def by_password(secure: Path) -> KafkaSettings:
    """As the user `admin`."""
    keys = secure / "secure"
    return KafkaSettings(
        bootstrap=addresses(secure), security="scram", ca=keys / "ca.pem", credentials=keys / "credentials"
    )


@pytest.fixture
def by_certificate(secure: Path) -> KafkaSettings:
    """By mutual TLS."""
    keys = secure / "secure"
    there = (secure / "addresses.tls").read_text().strip()
    return KafkaSettings(
        bootstrap=there, security="tls", ca=keys / "ca.pem", certificate=keys / "admin.pem", key=keys / "admin.key"
    )


@pytest.fixture
def open_as(options: LogSettings, secure: Path) -> Callable[[KafkaSettings], KafkaLog]:
    """A log of somebody who is known so to the broker."""
    return lambda known: KafkaLog(replace(on_kafka(options, secure), kafka=known))


def test_a_password_and_a_certificate_each_open_the_whole_log(
    by_password: KafkaSettings, by_certificate: KafkaSettings, open_as: Callable[[KafkaSettings], KafkaLog]
) -> None:
    source = TopicPartition("mails", 0)
    with closing(open_as(by_password)) as one, closing(open_as(by_certificate)) as two:
        one.create_topic("mails", 1, TopicConfig(mail=True))
        two.append("mails", [Record(b"desk", b"mail")])
        assert [each.value for each in one.read(source, 0, 100)] == [b"mail"]
        one.commit("extract", {source: 1})
        assert two.committed("extract") == {source: 1}


def test_sparks_source_is_known_by_either(
    spark: SparkSession,
    by_password: KafkaSettings,
    by_certificate: KafkaSettings,
    open_as: Callable[[KafkaSettings], KafkaLog],
) -> None:
    with closing(open_as(by_password)) as log:
        log.create_topic("for-spark", 1)
        log.append("for-spark", [Record(b"desk", b"mail") for _ in range(3)])
    for known in (by_password, by_certificate):
        reader = spark.read.format("kafka").options(**spark_options(known)).option("subscribe", "for-spark")
        assert reader.option("startingOffsets", json.dumps({"for-spark": {"0": 1}})).load().count() == 2


def stranger(
    secure: Path, tmp_path: Path, by_password: KafkaSettings, by_certificate: KafkaSettings
) -> Iterator[KafkaSettings]:
    """Settings that the broker, or we, must refuse."""
    wrong = tmp_path / "credentials"
    wrong.write_text("username=admin\npassword=wrong\n")
    wrong.chmod(0o600)
    yield replace(by_password, credentials=wrong)
    other = tmp_path / "other.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", os.devnull, "-out", str(other)]
    subprocess.run([*request, "-days", "2", "-subj", "/CN=other"], check=True, capture_output=True)
    yield replace(by_password, ca=other)
    yield KafkaSettings(bootstrap=by_password.bootstrap)
    expire = '. scripts/lib/kafka.sh; certify "$1" late -1'
    if subprocess.run(["sh", "-c", expire, "sh", str(secure)], cwd=ROOT, check=False).returncode == 0:
        late = secure / "secure"
        yield replace(by_certificate, certificate=late / "late.pem", key=late / "late.key")


def test_who_is_not_known_is_told_within_fifteen_seconds_and_no_secret_is_shown(
    secure: Path,
    tmp_path: Path,
    by_password: KafkaSettings,
    by_certificate: KafkaSettings,
    open_as: Callable[[KafkaSettings], KafkaLog],
) -> None:
    told = []
    for known in stranger(secure, tmp_path, by_password, by_certificate):
        errors._noted.clear()
        began = time.monotonic()
        with closing(open_as(known)) as log, pytest.raises(LogError) as raised:
            log.append("mails", [Record(b"desk", b"mail")])
        assert time.monotonic() - began < 15
        assert "wrong" not in str(raised.value)
        told.append(raised.value)
    for error, said in zip(told, ("invalid credentials", "certificate could not be verified"), strict=False):
        assert isinstance(error, LogUnusable)
        assert said in str(error)
    assert len(told) >= 3
