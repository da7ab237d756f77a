"""What Spark's own Kafka source is told: the brokers, who we are to them, and that nothing may be missing.

Its rows are those that `log/embedded/spark.py` gives. No Spark is loaded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.kafka.client import KERBEROS_SERVICE, needed, read_credentials

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from log.options import KafkaOptions

ANSWER_MS = "10000"  # Spark asks three times, and would wait for three minutes else
_MODULE = "org.apache.kafka.common.security"
_OAUTH = f"{_MODULE}.oauthbearer"
_ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed"
_KRB5 = "com.sun.security.auth.module.Krb5LoginModule"


def spark_options(options: KafkaOptions) -> dict[str, str]:
    """Options of `spark.read.format("kafka")`; which records, is the caller's to add. Raises LogUnusable."""
    return {
        "kafka.bootstrap.servers": options.bootstrap,
        "kafka.isolation.level": "read_committed",
        "kafka.request.timeout.ms": ANSWER_MS,
        "kafka.default.api.timeout.ms": ANSWER_MS,
        "failOnDataLoss": "true",
        "includeHeaders": "true",
        **{f"kafka.{name}": value for name, value in _security(options).items()},
        **({"kafka.client.rack": options.client["client.rack"]} if "client.rack" in options.client else {}),
    }


def java_properties(options: KafkaOptions) -> dict[str, str]:
    """What its Java must be told besides: it asks no address for a token that is not named so (CVE-2025-27817)."""
    if options.security != "oauth":
        return {}
    return {f"{_ALLOWED}.urls": needed(read_credentials(options.credentials), "token_endpoint")}


def _security(options: KafkaOptions) -> dict[str, str]:
    """In the words of Kafka's Java client. PEM texts, not files: a task may run where the files are not."""
    if options.security == "plaintext":
        return {}
    told = {"security.protocol": "SSL" if options.security == "tls" else "SASL_SSL"}
    if options.ca is not None:
        told |= {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": _pem(options.ca)}
    if options.certificate is not None and options.key is not None:
        told |= {"ssl.keystore.type": "PEM", "ssl.keystore.certificate.chain": _pem(options.certificate)}
        told["ssl.keystore.key"] = _pem(options.key)
    secrets = read_credentials(options.credentials)
    if "key_password" in secrets:
        told["ssl.key.password"] = secrets["key_password"]
    return told | _SASL[options.security](secrets)


def _scram(secrets: Mapping[str, str]) -> dict[str, str]:
    named = {"username": needed(secrets, "username"), "password": needed(secrets, "password")}
    return {
        "sasl.mechanism": secrets.get("mechanism", "SCRAM-SHA-512"),
        "sasl.jaas.config": _jaas(f"{_MODULE}.scram.ScramLoginModule", named),
    }


def _oauth(secrets: Mapping[str, str]) -> dict[str, str]:
    named = {"clientId": needed(secrets, "client_id"), "clientSecret": needed(secrets, "client_secret")}
    named |= {"scope": secrets["scope"]} if "scope" in secrets else {}
    return {
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.oauthbearer.token.endpoint.url": needed(secrets, "token_endpoint"),
        "sasl.login.callback.handler.class": f"{_OAUTH}.OAuthBearerLoginCallbackHandler",
        "sasl.jaas.config": _jaas(f"{_OAUTH}.OAuthBearerLoginModule", named),
    }


def _kerberos(secrets: Mapping[str, str]) -> dict[str, str]:
    named = {"useKeyTab": "true", "storeKey": "true"}
    named |= {"keyTab": needed(secrets, "keytab"), "principal": needed(secrets, "principal")}
    return {
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.service.name": secrets.get("service", KERBEROS_SERVICE),
        "sasl.jaas.config": _jaas(_KRB5, named),
    }


_SASL = {"tls": lambda _: {}, "scram": _scram, "oauth": _oauth, "kerberos": _kerberos}


def _jaas(module: str, named: dict[str, str]) -> str:
    said = " ".join(f'{name}="{_quoted(value)}"' for name, value in named.items())
    return f"{module} required {said};"


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _pem(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise LogUnusable(f"[log.kafka]: {error}") from error
