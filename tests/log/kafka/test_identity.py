from __future__ import annotations

from pathlib import Path

import pytest

from log import LogUnusable
from log.kafka.identity import sasl_of_client, sasl_of_java, secrets_of


def credentials(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "kafka.credentials"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_secrets_come_from_a_file_of_its_owners_alone_or_the_environment(tmp_path: Path) -> None:
    path = credentials(tmp_path, "# of the desk\nusername = ann\npassword='a=b '\n")
    environ = {"KAFKA_USERNAME": "bob", "KAFKA_SCOPE": "logs", "KAFKA_HEAP_OPTS": "-Xmx1g", "HOME": "/"}
    assert secrets_of(path, environ) == {"username": "ann", "password": "a=b ", "scope": "logs"}
    assert secrets_of(None, environ) == {"username": "bob", "scope": "logs"}
    path.chmod(0o640)
    with pytest.raises(LogUnusable, match="chmod 600"):
        secrets_of(path, {})
    with pytest.raises(LogUnusable, match=r"No such file or directory; \[log.kafka\] credentials names this file"):
        secrets_of(tmp_path / "none", {})


@pytest.mark.parametrize("line", ["hidden", "pasword=hidden", "  ; password=hidden", "KAFKA_PASSWORD=hidden"])
def test_a_line_that_is_no_secret_of_ours_is_told_by_its_number_alone(tmp_path: Path, line: str) -> None:
    path = credentials(tmp_path, f"username=ann\n{line}\n")
    with pytest.raises(
        LogUnusable, match=r"line 2: a line is NAME=value, and NAME is one of .*username, password"
    ) as told:
        secrets_of(path, {})
    assert "hidden" not in str(told.value)


def test_a_secret_that_is_missing_is_named_and_none_is_shown() -> None:
    for sasl in (sasl_of_client, sasl_of_java):
        with pytest.raises(LogUnusable, match=r"username=…, nor KAFKA_USERNAME") as raised:
            sasl("scram", {"password": "hidden"})
        assert "hidden" not in str(raised.value)


def test_both_clients_are_told_the_same_in_their_own_words() -> None:
    scram = {"username": "ann", "password": "hidden", "mechanism": "SCRAM-SHA-256"}
    assert sasl_of_client("scram", scram) == {
        "sasl.mechanism": "SCRAM-SHA-256",
        "sasl.username": "ann",
        "sasl.password": "hidden",
    }
    assert sasl_of_java("scram", scram) == {
        "sasl.mechanism": "SCRAM-SHA-256",
        "sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required "
        'username="ann" password="hidden";',
    }
    token = {"client_id": "desk", "client_secret": "x", "token_endpoint": "https://id.example/token"}
    assert sasl_of_client("oauth", token) == {
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.client.id": "desk",
        "sasl.oauthbearer.client.secret": "x",
        "sasl.oauthbearer.token.endpoint.url": "https://id.example/token",
    }
    java = sasl_of_java("oauth", token | {"scope": "logs"})
    assert java["sasl.oauthbearer.token.endpoint.url"] == "https://id.example/token"
    assert java["sasl.jaas.config"].endswith('required clientId="desk" clientSecret="x" scope="logs";')
    ticket = {"principal": "etl@BANK.EXAMPLE", "keytab": "/etc/otclog/etl.keytab"}
    assert sasl_of_client("kerberos", ticket) == {
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.principal": "etl@BANK.EXAMPLE",
        "sasl.kerberos.keytab": "/etc/otclog/etl.keytab",
        "sasl.kerberos.service.name": "kafka",
    }
    java = sasl_of_java("kerberos", ticket)
    assert (java["sasl.mechanism"], java["sasl.kerberos.service.name"]) == ("GSSAPI", "kafka")
    assert 'keyTab="/etc/otclog/etl.keytab"' in java["sasl.jaas.config"]
    assert sasl_of_client("tls", {}) == sasl_of_java("tls", {}) == {}
