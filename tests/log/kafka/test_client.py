from __future__ import annotations

from pathlib import Path

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient

from conf.settings import KafkaSettings
from log import LogUnusable
from log.kafka.client import client_settings, opened, security_settings


def test_what_a_user_sets_reaches_the_client_and_what_promises_rest_on_cannot_be_set() -> None:
    given = KafkaSettings(bootstrap="a:1", client={"client.rack": "fra1"})
    assert client_settings(given, acks="all")["client.rack"] == "fra1"
    for name in ("acks", "isolation.level", "enable.idempotence", "bootstrap.servers"):
        with pytest.raises(LogUnusable, match=name):
            client_settings(KafkaSettings(bootstrap="a:1", client={name: "0"}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("security.protocol", "plaintext"),
        ("sasl.mechanism", "GSSAPI"),
        ("sasl.mechanisms", "PLAIN"),
        ("sasl.password", "geheim"),
        ("sasl.oauthbearer.client.secret", "geheim"),
        ("ssl.key.pem", "geheim"),
        ("ssl.ca.location", "/tmp/another.pem"),
    ],
)
def test_who_we_are_to_the_brokers_is_not_said_to_one_client_alone_and_no_secret_is_a_setting(
    name: str, value: str
) -> None:
    with pytest.raises(LogUnusable, match=f"not {name}: .* security.* and credentials") as refused:
        client_settings(KafkaSettings(bootstrap="a:1", security="tls", client={name: value}))
    assert "geheim" not in str(refused.value)


def test_what_otclog_sets_itself_is_refused_and_not_dropped_without_a_word() -> None:
    given = KafkaSettings(bootstrap="a:1", client={"compression.type": "none"})
    assert client_settings(given)["compression.type"] == "none"
    with pytest.raises(LogUnusable, match=r"compression\.type is otclog's own to set"):
        client_settings(given, compression_type="zstd")


def test_a_setting_that_the_client_does_not_know_is_named() -> None:
    with pytest.raises(LogUnusable, match=r'\[log.kafka\].*"no.such.thing"'):
        opened(Producer, KafkaSettings(bootstrap="a:1", client={"no.such.thing": "1"}))


def credentials(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "kafka.credentials"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_tls_scram_and_tokens_are_set_in_the_clients_words(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    assert security_settings(KafkaSettings()) == {}
    tls = security_settings(KafkaSettings(security="tls", ca=ca, certificate=ca, key=ca))
    assert (tls["security.protocol"], tls["ssl.key.location"]) == ("SSL", str(ca))
    path = credentials(tmp_path, "username=ann\npassword=secret\n")
    scram = security_settings(KafkaSettings(security="scram", ca=ca, credentials=path))
    assert (scram["security.protocol"], scram["sasl.mechanism"]) == ("SASL_SSL", "SCRAM-SHA-512")
    path = credentials(tmp_path, "client_id=desk\nclient_secret=x\ntoken_endpoint=https://id.example/token\n")
    oauth = security_settings(KafkaSettings(security="oauth", credentials=path))
    assert oauth["sasl.oauthbearer.token.endpoint.url"] == "https://id.example/token"


def test_a_client_without_kerberos_says_so_with_the_way_out(tmp_path: Path) -> None:
    path = credentials(tmp_path, "principal=etl@BANK.EXAMPLE\nkeytab=/etc/otclog/etl.keytab\n")
    given = KafkaSettings(bootstrap="a:1", security="kerberos", credentials=path)
    settings = security_settings(given)
    assert (settings["sasl.mechanism"], settings["sasl.kerberos.principal"]) == ("GSSAPI", "etl@BANK.EXAMPLE")
    with pytest.raises(LogUnusable, match=r"no Kerberos.*use tls, scram or oauth.*libsasl2"):
        opened(Producer, given)


def test_a_client_says_nothing_of_brokers_that_it_will_try_again(caplog: pytest.LogCaptureFixture) -> None:
    client = opened(AdminClient, KafkaSettings(bootstrap="127.0.0.1:1"))
    with pytest.raises(KafkaException):
        client.list_topics(timeout=2.0)
    client.poll(0.5)  # what it noted is handed on here
    assert caplog.records == []
