"""What Spark's own Kafka source is told: the brokers, who we are to them, and that nothing may be missing.

Its rows are those that `log/embedded/spark.py` gives. No Spark is loaded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.kafka.identity import KEY_PASSWORD, TOKEN_ENDPOINT, needed, sasl_of_java, secrets_of

if TYPE_CHECKING:
    from pathlib import Path

    from log.options import KafkaOptions

ANSWER_MS = "10000"  # Spark asks three times, and would wait for three minutes else
_ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed"


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
    return {f"{_ALLOWED}.urls": needed(secrets_of(options.credentials), TOKEN_ENDPOINT)}


def _security(options: KafkaOptions) -> dict[str, str]:
    """In the words of Kafka's Java client. PEM texts, not files: a task may run where the files are not."""
    if options.security == "plaintext":
        return {}
    secrets = secrets_of(options.credentials)
    sasl = sasl_of_java(options.security, secrets)
    told = sasl | {"security.protocol": "SASL_SSL" if sasl else "SSL"}
    if options.ca is not None:
        told |= {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": _pem(options.ca)}
    if options.certificate is not None and options.key is not None:
        told |= {"ssl.keystore.type": "PEM", "ssl.keystore.certificate.chain": _pem(options.certificate)}
        told["ssl.keystore.key"] = _pem(options.key)
    if KEY_PASSWORD in secrets:
        told["ssl.key.password"] = secrets[KEY_PASSWORD]
    return told


def _pem(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise LogUnusable(f"[log.kafka]: {error}") from error
