from __future__ import annotations

from pathlib import Path

import pytest
from confluent_kafka import Producer

from conf.settings import KafkaSettings
from log import LogUnusable
from log.kafka.client import client_settings, opened, security_settings


def test_what_a_user_sets_reaches_the_client_and_what_promises_rest_on_cannot_be_set() -> None:
    given = KafkaSettings(bootstrap="a:1", client={"client.rack": "fra1"})
    assert client_settings(given, acks="all")["client.rack"] == "fra1"
    for name in ("acks", "isolation.level", "enable.idempotence", "bootstrap.servers"):
        with pytest.raises(LogUnusable, match=name):
            client_settings(KafkaSettings(bootstrap="a:1", client={name: "0"}))


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
    with pytest.raises(LogUnusable, match='set security = "kerberos"'):
        client_settings(KafkaSettings(bootstrap="a:1", client={"sasl.mechanism": "GSSAPI"}))
