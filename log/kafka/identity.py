"""Who we are to the brokers, by SASL: one table in the words of both clients, confluent-kafka's and Kafka's in Java."""

from __future__ import annotations

import base64
import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, quote_plus

from log.disk.credentials import read_credentials
from log.errors import LogUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MODULE = "org.apache.kafka.common.security"
_OAUTH = f"{_MODULE}.oauthbearer"
KEY_PASSWORD = "key_password"  # noqa: S105 -- the name of a line: of TLS, whatever is said by SASL
TOKEN_ENDPOINT = "token_endpoint"  # noqa: S105 -- the name of a line


class _Secret(NamedTuple):
    """A line of the credentials file. One that has a usual value, or none at all (""), may be left out."""

    name: str
    setting: str  # of confluent-kafka; of the Java client, too, but where it is an option of its login module
    option: str | None = None
    usual: str | None = None


class _Sasl(NamedTuple):
    """What a `security` over TLS says by SASL."""

    secrets: tuple[_Secret, ...]
    module: str  # that the Java client logs in by
    client: Mapping[str, str]
    java: Mapping[str, str]
    options: Mapping[str, str] = {}  # of the login module, always


_SASL = {
    "scram": _Sasl(
        (
            _Secret("mechanism", "sasl.mechanism", usual="SCRAM-SHA-512"),
            _Secret("username", "sasl.username", "username"),
            _Secret("password", "sasl.password", "password"),
        ),
        f"{_MODULE}.scram.ScramLoginModule",
        client={},
        java={},
    ),
    "oauth": _Sasl(
        (
            _Secret("client_id", "sasl.oauthbearer.client.id", "clientId"),
            _Secret("client_secret", "sasl.oauthbearer.client.secret", "clientSecret"),
            _Secret("scope", "sasl.oauthbearer.scope", "scope", usual=""),
            _Secret(TOKEN_ENDPOINT, "sasl.oauthbearer.token.endpoint.url"),
        ),
        f"{_OAUTH}.OAuthBearerLoginModule",
        client={"sasl.mechanism": "OAUTHBEARER", "sasl.oauthbearer.method": "oidc"},
        java={
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.login.callback.handler.class": f"{_OAUTH}.OAuthBearerLoginCallbackHandler",
        },
    ),
    "kerberos": _Sasl(
        (
            _Secret("principal", "sasl.kerberos.principal", "principal"),
            _Secret("keytab", "sasl.kerberos.keytab", "keyTab"),
            _Secret("service", "sasl.kerberos.service.name", usual="kafka"),  # what brokers are called, before the host
        ),
        "com.sun.security.auth.module.Krb5LoginModule",
        client={"sasl.mechanism": "GSSAPI"},
        java={"sasl.mechanism": "GSSAPI"},
        options={"useKeyTab": "true", "storeKey": "true"},
    ),
}
_NAMES = (KEY_PASSWORD, *(secret.name for sasl in _SASL.values() for secret in sasl.secrets))
_NAME = re.compile("|".join(_NAMES))


def secrets_of(file: Path | None, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Lines `username=…` of the file, over KAFKA_USERNAME and so on of the environment. Raises LogUnusable."""
    named = {name: environ[variable] for name in _NAMES if (variable := f"KAFKA_{name.upper()}") in environ}
    if file is None:
        return named
    try:
        return named | read_credentials(file, "[log.kafka] credentials", _NAME, f"is one of {', '.join(_NAMES)}")
    except ValueError as error:
        raise LogUnusable(str(error)) from error


def needed(secrets: Mapping[str, str], name: str) -> str:
    """Raises LogUnusable for one that is not there."""
    if name not in secrets:
        raise LogUnusable(f"[log.kafka] credentials: no line {name}=…, nor KAFKA_{name.upper()} in the environment")
    return secrets[name]


def without_secrets(settings: Mapping[str, str], text: str) -> str:
    """The text without the passwords and secrets of these settings of confluent-kafka, as they are sent or written."""
    client = settings.get("sasl.oauthbearer.client.id", "")
    forms = {
        form
        for name, value in settings.items()
        if name.endswith(("password", "secret")) and value
        for form in (
            *(value, quote(value), quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1]),
            *(_base64(value), _base64(f"{client}:{value}")),
        )
    }
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "***")
    return text


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")


def sasl_of_client(security: str, secrets: Mapping[str, str]) -> dict[str, str]:
    """Settings of confluent-kafka; none for `tls`. Raises LogUnusable for a secret that is missing."""
    if (sasl := _SASL.get(security)) is None:
        return {}
    return {**sasl.client, **{secret.setting: value for secret, value in _given(sasl, secrets)}}


def sasl_of_java(security: str, secrets: Mapping[str, str]) -> dict[str, str]:
    """The same of Kafka's Java client."""
    if (sasl := _SASL.get(security)) is None:
        return {}
    given = list(_given(sasl, secrets))
    settings = {secret.setting: value for secret, value in given if secret.option is None}
    options = {**sasl.options, **{secret.option: value for secret, value in given if secret.option is not None}}
    return {**sasl.java, **settings, "sasl.jaas.config": _jaas(sasl.module, options)}


def _given(sasl: _Sasl, secrets: Mapping[str, str]) -> Iterator[tuple[_Secret, str]]:
    for secret in sasl.secrets:
        value = needed(secrets, secret.name) if secret.usual is None else secrets.get(secret.name, secret.usual)
        if value:
            yield secret, value


def _jaas(module: str, options: Mapping[str, str]) -> str:
    said = " ".join(f'{name}="{_quoted(value)}"' for name, value in options.items())
    return f"{module} required {said};"


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
