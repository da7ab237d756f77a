from __future__ import annotations

from pathlib import Path

import pytest

from conf.settings import KafkaSettings
from log import LogUnusable
from log.kafka.spark import spark_options


def test_nothing_may_be_missing_and_nothing_uncommitted_is_read() -> None:
    told = spark_options(KafkaSettings(bootstrap="a:1,b:1", client={"client.rack": "fra1"}))
    assert told == {
        "kafka.bootstrap.servers": "a:1,b:1",
        "kafka.isolation.level": "read_committed",
        "kafka.request.timeout.ms": "10000",
        "kafka.default.api.timeout.ms": "10000",
        "failOnDataLoss": "true",
        "includeHeaders": "true",
        "kafka.client.rack": "fra1",
    }


def test_a_password_cannot_end_the_line_that_it_is_in(tmp_path: Path) -> None:
    secrets, ca = tmp_path / "secrets", tmp_path / "ca.pem"
    secrets.write_text('username=ann\npassword=a"; b\\\n')
    secrets.chmod(0o600)
    ca.write_text("PEM")
    told = spark_options(KafkaSettings(bootstrap="a:1", security="scram", ca=ca, credentials=secrets))
    assert told["kafka.sasl.jaas.config"].endswith('ScramLoginModule required username="ann" password="a\\"; b\\\\";')
    assert (told["kafka.security.protocol"], told["kafka.ssl.truststore.certificates"]) == ("SASL_SSL", "PEM")


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogUnusable, match=r"ca\.pem"):
        spark_options(KafkaSettings(bootstrap="a:1", security="tls", ca=tmp_path / "ca.pem"))
