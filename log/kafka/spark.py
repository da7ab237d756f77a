"""What Spark's own Kafka source is told: the brokers, who we are to them, and that nothing may be missing.

Its rows are those that `log/embedded/spark.py` gives. No Spark is loaded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.kafka.client import read_credentials

if TYPE_CHECKING:
    from pathlib import Path

    from log.options import KafkaOptions

ANSWER_MS = "10000"  # Spark asks three times, and would wait for three minutes else
_MODULE = "org.apache.kafka.common.security"
_OAUTH = f"{_MODULE}.oauthbearer"


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
    if options.security == "scram":
        told["sasl.mechanism"] = secrets.get("mechanism", "SCRAM-SHA-512")
        named = {"username": secrets.get("username", ""), "password": secrets.get("password", "")}
        told["sasl.jaas.config"] = _jaas(f"{_MODULE}.scram.ScramLoginModule", named)
    if options.security == "oauth":
        told["sasl.mechanism"] = "OAUTHBEARER"
        told["sasl.oauthbearer.token.endpoint.url"] = secrets.get("token_endpoint", "")
        told["sasl.login.callback.handler.class"] = f"{_OAUTH}.OAuthBearerLoginCallbackHandler"
        named = {"clientId": secrets.get("client_id", ""), "clientSecret": secrets.get("client_secret", "")}
        told["sasl.jaas.config"] = _jaas(f"{_OAUTH}.OAuthBearerLoginModule", named)
    return told


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
