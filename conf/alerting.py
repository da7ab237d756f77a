"""`[alerts]`: what alarms there are, from when on they are told, and to whom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import Template
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from conf.values import LOOPBACK, MAX_PORT, STRICT_KEYS, Count, File, Name, Seconds, is_loopback

Kind = Literal[
    "process",
    "folder",
    "log",
    "topic",
    "records",
    "replica",
    "lag",
    "skew",
    "tables",
    "disk",
    "alerts",
    "rows",
    "groups",
    "claims",
    "silent",
    "quotes",
    "fill",
    "errors",
    "format",
    "messages",
]
LIMITS: dict[Kind, tuple[float, float, float]] = {  # of kinds that have one: the default, the least, the most
    "skew": (1.5, 1.0, 10_000.0),  # so many times the mean of its topic's partitions
    "quotes": (0.5, 0.0, 1.0),  # less than this share of what it was
    "fill": (0.8, 0.0, 1.0),  # the same
    "errors": (0.2, 0.0, 1.0),  # more than this share of the rows
    "messages": (20.0, 0.0, 1_000_000.0),  # more errors than this in an hour
}
FIELDS = frozenset({"state", "level", "kind", "subject", "text", "since", "host"})  # that a template may name


def _template(text: str) -> str:
    template = Template(text)
    if not template.is_valid():
        raise ValueError("a $ begins the name of a field; write $$ for one of its own")
    if unknown := sorted(set(template.get_identifiers()) - FIELDS):
        raise ValueError(
            f"there is no field ${unknown[0]}: there are {', '.join(f'${name}' for name in sorted(FIELDS))}"
        )
    return text


def _for_requests(url: str) -> str:
    """Raises ValueError unless what is sent there is sent to whom it is meant for."""
    if " " in url or not url.isprintable():
        raise ValueError("an URL has no spaces, and no control characters")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:  # whose words may show what is secret
        raise ValueError(f"its host or port cannot be: a port is {MAX_PORT} at most") from None
    if url and not (
        parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname)))
    ):
        raise ValueError(f"an URL https://…; http:// is for {LOOPBACK}")
    return url


def _host_and_port(server: str) -> str:
    """Raises ValueError for another form."""
    if not _SERVER.fullmatch(server):
        raise ValueError("write HOST:PORT, as mx.example:587")
    if int(server.rpartition(":")[2]) > MAX_PORT:
        raise ValueError(f"a port is {MAX_PORT} at most")
    return server


_SERVER = re.compile(r"(?:[^\s:]+|\[[0-9a-fA-F:]+\]):\d{1,5}", re.ASCII)
Server = Annotated[str, AfterValidator(_host_and_port)]
RequestUrl = Annotated[str, AfterValidator(_for_requests)]
Text = Annotated[str, AfterValidator(_template)]
Address = Annotated[str, Field(pattern=r"^[^\s@<>,]+@[^\s@<>,]+$")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """`[[alerts.rules]]`: what is otherwise than by default of alarms of a kind. The first rule that fits counts."""

    __pydantic_config__ = STRICT_KEYS
    kind: Kind
    subject: str = "*"  # a glob over whom or what it is about
    tell: bool = True
    limit: float | None = None
    looks: Count | None = None
    sinks: tuple[Name, ...] | None = None  # None: all

    def __post_init__(self) -> None:
        """Raises ValueError for a limit that the kind does not have."""
        if self.limit is None:
            return
        if self.kind not in LIMITS:
            raise ValueError(f"there is no limit of {self.kind}; of {', '.join(LIMITS)} there is")
        _, least, most = LIMITS[self.kind]
        if not least <= self.limit <= most:
            raise ValueError(f"limit = {self.limit}: of {self.kind} it is from {least:g} to {most:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkSettings:
    """`[[alerts.sinks]]`: somebody who is told."""

    __pydantic_config__ = STRICT_KEYS
    name: Name
    kind: Literal["stdout", "smtp", "webhook", "command"]
    text: Text = "$state: $kind $subject: $text"
    timeout_s: Annotated[Seconds, Field(le=300)] = 10.0
    server: Server | None = None  # smtp
    security: Literal["starttls", "tls", "plain"] = "starttls"
    sender: Address | None = None
    to: tuple[Address, ...] = ()
    url: RequestUrl = ""  # webhook
    ca: File | None = None  # smtp, webhook: who signed the certificate; None: whom the system trusts
    credentials: File | None = None  # smtp, webhook
    command: tuple[str, ...] = ()

    @property
    def host(self) -> str:
        """Of the mail server."""
        return (self.server or "").rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """Of the mail server."""
        return int((self.server or "0").rpartition(":")[2])

    def __post_init__(self) -> None:
        """Raises ValueError for what its kind lacks, and for passwords and mails that others could read."""
        needed = {"smtp": ("server", "sender", "to"), "webhook": ("url",), "command": ("command",)}.get(self.kind, ())
        if missing := [name for name in needed if not getattr(self, name)]:
            raise ValueError(f"a sink of kind {self.kind} needs {missing[0]}")
        if self.kind == "smtp" and self.security == "plain" and not is_loopback(self.host):
            raise ValueError(f'security is "starttls" or "tls"; "plain" is for {LOOPBACK}')


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """`[alerts]`."""

    __pydantic_config__ = STRICT_KEYS
    looks: Count
    accounts_every_s: Seconds
    state: File
    heartbeat: RequestUrl
    rules: tuple[RuleSettings, ...]
    sinks: tuple[SinkSettings, ...]
