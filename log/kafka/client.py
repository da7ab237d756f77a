"""How the brokers are reached, and who we are to them: what each client of confluent-kafka is opened with."""

from __future__ import annotations

import atexit
import logging
import re
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaException

from log.errors import LogUnusable
from log.kafka.errors import note_refusal
from log.kafka.identity import KEY_PASSWORD, sasl_of_client, secrets_of, without_secrets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.options import KafkaOptions

logger = logging.getLogger(__name__)

ANSWER_S = 10.0  # a cluster that does not answer is told as dead then
_NO_GSSAPI = "No provider for SASL mechanism GSSAPI"
_KERBEROS = (
    "the client that otclog is installed with has no Kerberos (GSSAPI): use tls, scram or oauth, or build librdkafka "
    "with libsasl2 and confluent-kafka upon it (pip install --no-binary confluent-kafka); Spark's side has Kerberos"
)
_CUT = " \t\n\v\f\r"  # what the client takes off before a value
_OPEN = (  # but for times of sockets, which those of transactions rest on
    *("client.dns.", "client.rack", "connections.", "fetch.", "queued.", "reconnect.", "retry."),
    *("socket.keepalive.", "socket.max.", "socket.nagle.", "socket.receive.", "socket.send."),
)
_IDENTITY = re.compile(r"(enable\.)?(sasl|security|ssl)\.")

_let_go: list[tuple[float, object]] = []  # until when, and a client
_letting_go = threading.Lock()
atexit.register(_let_go.clear)  # while their threads can still take part


def client_settings(options: KafkaOptions, **more: Any) -> dict[str, Any]:
    """What a client is opened with; `more` has `_` for `.` in its names, but for callbacks. Raises LogUnusable."""
    security = security_settings(options)
    settings: dict[str, Any] = {
        "bootstrap.servers": options.bootstrap,
        "socket.timeout.ms": int(ANSWER_S * 1000),
        "socket.connection.setup.timeout.ms": int(ANSWER_S * 1000),
        "reconnect.backoff.max.ms": 1000,
        "logger": logger,
        "error_cb": partial(note_refusal, options.bootstrap, partial(without_secrets, security)),
        "log_level": 2,  # of brokers that it tries again, several times a second, it says nothing
        **security,
    }
    own = {name if name.endswith("_cb") else name.replace("_", "."): value for name, value in more.items()}
    for name in options.client:
        _check(name, own)
    return {**settings, **options.client, **own}


def _check(name: str, own: Mapping[str, Any]) -> None:
    """Raises LogUnusable for a setting that is not a user's.

    Families of names are open, and all else is closed: promises can be broken by settings that have two names, or that
    a later client brings, and no list of those is whole.
    """
    if _IDENTITY.match(name):
        raise LogUnusable(
            f"[log.kafka] client: not {name}: who we are to the brokers, and whom we trust, is said by security, ca, "
            "certificate, key and credentials, for Spark's source, too"
        )
    if name in own:
        raise LogUnusable(f"[log.kafka] client: {name} is otclog's own to set: leave it out")
    if not name.startswith(_OPEN):
        raise LogUnusable(
            f'[log.kafka] client: "{name}" cannot be set: otclog\'s promises may rest on it; open is what begins with '
            f"{', '.join(_OPEN)}"
        )


def opened(kind: Any, options: KafkaOptions, **more: Any) -> Any:
    """A client of that class. Raises LogUnusable for settings that it does not take."""
    try:
        return kind(client_settings(options, **more))
    except (KafkaException, ValueError, TypeError) as error:
        said = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        raise LogUnusable(f"[log.kafka]: {_KERBEROS if _NO_GSSAPI in said else said}") from error


def let_go(admin: object) -> None:
    """Let go of an AdminClient, when its last answer has come or is out of time.

    Answers are given to Python in a thread of the client's own. Were the client garbage by then, it could be collected
    right there, and a client that ends within its own thread aborts the process.
    """
    now = time.monotonic()
    with _letting_go:
        _let_go[:] = [each for each in _let_go if each[0] > now]
        _let_go.append((now + 3 * ANSWER_S, admin))


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
    told = settings | {"security.protocol": "SASL_SSL" if sasl else "SSL"} | sasl
    for name, value in told.items():
        if value != value.lstrip(_CUT):
            raise LogUnusable(
                f"[log.kafka]: what is to be {name} begins with a space, which the client (librdkafka) leaves out: we "
                "would be refused; have another one given"
            )
    return told
