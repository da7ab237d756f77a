"""What all ways to tell somebody have in common."""

from __future__ import annotations

import re
import ssl
from string import Template
from typing import TYPE_CHECKING

from conf.printable import printable
from log.disk.credentials import read_credentials

if TYPE_CHECKING:
    from pathlib import Path

    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Left, Told

_SECRETS = {"smtp": re.compile("username|password"), "webhook": re.compile("token")}


class NotTaken(Exception):
    """Somebody was not told, or it is not known whether he was. The message says why."""


class NotTakenByAll(NotTaken):
    """Some of those behind a sink were told, and these were not: to tell all again would tell the others twice."""

    def __init__(self, said: str, left: Left) -> None:
        super().__init__(said)
        self.left = left


def text_of(sink: SinkSettings, told: Told) -> str:
    """The event as the sink's template has it; no part of it can forge a line."""
    shown = {name: printable(value) for name, value in told.fields.items()}
    return Template(sink.text).substitute(shown)


def secrets_of(sink: SinkSettings) -> dict[str, str]:
    """Out of its file; none where it has none. Raises NotTaken."""
    if sink.credentials is None:
        return {}
    names = _SECRETS[sink.kind]
    try:
        return read_credentials(sink.credentials, f"credentials of sink {sink.name}", names, f"is {names.pattern}")
    except ValueError as error:
        raise NotTaken(str(error)) from error


def verified_by(ca: Path | None) -> ssl.SSLContext:
    """Who answers is whom we mean. Raises NotTaken for a file that is none of certificates."""
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise NotTaken(f"{ca}: {error.strerror or error}") from error
