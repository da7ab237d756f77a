"""How the brokers are reached, and who we are to them: what each client of confluent-kafka is opened with."""

from __future__ import annotations

import logging
import os
import stat
from functools import partial
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaException

from log.errors import LogUnusable
from log.kafka.errors import note_refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from log.options import KafkaOptions

logger = logging.getLogger(__name__)

ANSWER_S = 10.0  # a cluster that does not answer is told as dead then
KERBEROS_SERVICE = "kafka"  # what brokers are called, before their host's name
_NO_GSSAPI = "No provider for SASL mechanism GSSAPI"
_KERBEROS = (
    "the client that otclog is installed with has no Kerberos (GSSAPI): use tls, scram or oauth, or build librdkafka "
    "with libsasl2 and confluent-kafka upon it (pip install --no-binary confluent-kafka); Spark's side has Kerberos"
)
_OURS = {"bootstrap.servers", "transactional.id", "group.id", "enable.idempotence", "acks", "isolation.level"}


def client_settings(options: KafkaOptions, **more: Any) -> dict[str, Any]:
    """What a client is opened with; `more` has `_` for `.` in its names. Raises LogUnusable."""
    settings: dict[str, Any] = {
        "bootstrap.servers": options.bootstrap,
        "socket.timeout.ms": int(ANSWER_S * 1000),
        "socket.connection.setup.timeout.ms": int(ANSWER_S * 1000),
        "reconnect.backoff.max.ms": 1000,
        "logger": logger,
        "error_cb": partial(note_refusal, options.bootstrap),
        "log_level": 3,  # errors: of what it tries again it says nothing
        **security_settings(options),
    }
    for name, value in options.client.items():
        if name in _OURS:
            raise LogUnusable(f"[log.kafka] client: {name} is what otclog's promises rest on: it cannot be set")
        if (name, value.upper()) in {("sasl.mechanism", "GSSAPI"), ("sasl.mechanisms", "GSSAPI")}:
            raise LogUnusable('[log.kafka] client: set security = "kerberos" instead, for Spark reads, too')
        settings[name] = value
    return settings | {name.replace("_", "."): value for name, value in more.items()}


def opened(kind: Any, options: KafkaOptions, **more: Any) -> Any:
    """A client of that class. Raises LogUnusable for settings that it does not take."""
    try:
        return kind(client_settings(options, **more))
    except (KafkaException, ValueError, TypeError) as error:
        said = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        raise LogUnusable(f"[log.kafka]: {_KERBEROS if _NO_GSSAPI in said else said}") from error


def security_settings(options: KafkaOptions) -> dict[str, str]:
    """TLS, and SCRAM, OAUTHBEARER or Kerberos in it, in the client's words.

    Raises LogUnusable; no message has a secret in it.
    """
    if options.security == "plaintext":
        return {}
    secrets = read_credentials(options.credentials)
    files = {
        "ssl.ca.location": options.ca,
        "ssl.certificate.location": options.certificate,
        "ssl.key.location": options.key,
    }
    settings = {name: str(path) for name, path in files.items() if path is not None}
    if "key_password" in secrets:
        settings["ssl.key.password"] = secrets["key_password"]
    if options.security == "tls":
        return settings | {"security.protocol": "SSL"}
    return settings | {"security.protocol": "SASL_SSL"} | _SASL[options.security](secrets)


def _scram(secrets: Mapping[str, str]) -> dict[str, str]:
    return {
        "sasl.mechanism": secrets.get("mechanism", "SCRAM-SHA-512"),
        "sasl.username": needed(secrets, "username"),
        "sasl.password": needed(secrets, "password"),
    }


def _oauth(secrets: Mapping[str, str]) -> dict[str, str]:
    return {
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.client.id": needed(secrets, "client_id"),
        "sasl.oauthbearer.client.secret": needed(secrets, "client_secret"),
        "sasl.oauthbearer.token.endpoint.url": needed(secrets, "token_endpoint"),
        **({"sasl.oauthbearer.scope": secrets["scope"]} if "scope" in secrets else {}),
    }


def _kerberos(secrets: Mapping[str, str]) -> dict[str, str]:
    return {
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.service.name": secrets.get("service", KERBEROS_SERVICE),
        "sasl.kerberos.principal": needed(secrets, "principal"),
        "sasl.kerberos.keytab": needed(secrets, "keytab"),
    }


_SASL = {"scram": _scram, "oauth": _oauth, "kerberos": _kerberos}


def read_credentials(path: Path | None, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """NAME=value lines of the file, over those of the environment (KAFKA_USERNAME …). Raises LogUnusable."""
    named = {name.removeprefix("KAFKA_").lower(): value for name, value in environ.items() if name.startswith("KAFKA_")}
    if path is None:
        return named
    try:
        status = path.stat()
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise LogUnusable(f"[log.kafka] credentials: {error}") from error
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise LogUnusable(f"{path}: others may read the secrets in it: chmod 600 it")
    pairs = (line.partition("=") for line in lines if line.strip() and not line.startswith("#"))
    return named | {name.strip(): value.strip() for name, _, value in pairs}


def needed(secrets: Mapping[str, str], name: str) -> str:
    """Raises LogUnusable for one that is not there."""
    if name not in secrets:
        raise LogUnusable(f"[log.kafka] credentials: no line {name}=…, nor KAFKA_{name.upper()} in the environment")
    return secrets[name]
