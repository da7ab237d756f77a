"""How the brokers are reached, and who we are to them: what each client of confluent-kafka is opened with."""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaException

from log.errors import LogUnusable
from log.kafka.errors import note_refusal
from log.kafka.identity import KEY_PASSWORD, sasl_of_client, secrets_of

if TYPE_CHECKING:
    from log.options import KafkaOptions

logger = logging.getLogger(__name__)

ANSWER_S = 10.0  # a cluster that does not answer is told as dead then
_NO_GSSAPI = "No provider for SASL mechanism GSSAPI"
_KERBEROS = (
    "the client that otclog is installed with has no Kerberos (GSSAPI): use tls, scram or oauth, or build librdkafka "
    "with libsasl2 and confluent-kafka upon it (pip install --no-binary confluent-kafka); Spark's side has Kerberos"
)
_OURS = {"bootstrap.servers", "transactional.id", "group.id", "enable.idempotence", "acks", "isolation.level"}
_IDENTITY = re.compile(
    r"security\.protocol|sasl\.mechanisms?|sasl\.oauthbearer\.config|ssl\.(ca|certificate|key)\.location"
    r"|.*(username|password|passphrase|secret|\.pem)"
)


def client_settings(options: KafkaOptions, **more: Any) -> dict[str, Any]:
    """What a client is opened with; `more` has `_` for `.` in its names. Raises LogUnusable."""
    settings: dict[str, Any] = {
        "bootstrap.servers": options.bootstrap,
        "socket.timeout.ms": int(ANSWER_S * 1000),
        "socket.connection.setup.timeout.ms": int(ANSWER_S * 1000),
        "reconnect.backoff.max.ms": 1000,
        "logger": logger,
        "error_cb": partial(note_refusal, options.bootstrap),
        "log_level": 2,  # of brokers that it tries again, several times a second, it says nothing
        **security_settings(options),
    }
    own = {name.replace("_", "."): value for name, value in more.items()}
    for name in options.client:
        if name in _OURS:
            raise LogUnusable(f"[log.kafka] client: {name} is what otclog's promises rest on: it cannot be set")
        if name in own:
            raise LogUnusable(f"[log.kafka] client: {name} is otclog's own to set: leave it out")
        if _IDENTITY.fullmatch(name):
            raise LogUnusable(
                f"[log.kafka] client: not {name}: who we are to the brokers is said by security, ca, certificate, key "
                "and credentials, for Spark's source, too"
            )
    return {**settings, **options.client, **own}


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
    secrets = secrets_of(options.credentials)
    files = {
        "ssl.ca.location": options.ca,
        "ssl.certificate.location": options.certificate,
        "ssl.key.location": options.key,
    }
    settings = {name: str(path) for name, path in files.items() if path is not None}
    if KEY_PASSWORD in secrets:
        settings["ssl.key.password"] = secrets[KEY_PASSWORD]
    sasl = sasl_of_client(options.security, secrets)
    return settings | {"security.protocol": "SASL_SSL" if sasl else "SSL"} | sasl
