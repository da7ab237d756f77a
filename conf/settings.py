"""The settings: one frozen class a table of otclog.toml.

Defaults stand in the packaged otclog.toml alone; only what may be left out of a source or a route has them here.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainValidator

from conf.alerting import AlertSettings
from conf.values import STRICT_KEYS, Bytes, Count, File, Memory, Name, Port, Seconds, Share, Url, no_nul

JOURNAL_TOPIC = "ingest-journal"  # what befell mails beside becoming a record
OPS_TOPIC = "ops"  # what programs say: log.topic_rules.OPS_TOPIC, held to it by a test


IS_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # of one slash, too: it is no folder's name that anybody means
MISREAD = re.compile(r"[\[\]{}*?\\\x00-\x1f\x7f]|%[0-9A-Fa-f]{2}")


def _for_mail(topic: str) -> str:
    if topic in {JOURNAL_TOPIC, OPS_TOPIC} or topic.startswith("__"):
        raise ValueError("a topic of otclog's own: choose another name")
    return topic


MailTopic = Annotated[Name, AfterValidator(_for_mail)]


def _folder_or_url(given: object) -> Path | str:
    """By one validator: of a union of two pydantic names both in its message."""
    if not isinstance(given, Path | str):
        raise ValueError("name a folder, or the URL of a bucket")  # noqa: TRY004 -- as pydantic wants it
    if isinstance(given, str) and IS_URL.match(given):
        return given
    path = no_nul(Path(given))
    if MISREAD.search(str(path)):
        raise ValueError(
            "Spark and Delta take [ ] { } * ? and \\ for a pattern of names, and %20 and line ends for others: choose "
            "another folder"
        )
    return path


class ConfigError(Exception):
    """A setting that cannot be used; the message names file, line and key, and says what is allowed."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """`[log.kafka]`."""

    __pydantic_config__ = STRICT_KEYS
    bootstrap: Annotated[str, Field(pattern=r"^$|^[^\s,]+:\d{1,5}(,[^\s,]+:\d{1,5})*$")] = ""
    replication: Annotated[int, Field(ge=0, le=32767)] = 0
    security: Literal["plaintext", "tls", "scram", "oauth", "kerberos"] = "plaintext"
    ca: File | None = None
    certificate: File | None = None
    key: File | None = None
    credentials: File | None = None
    client: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """`[log]`. Sizes in bytes, times in seconds unless the name says ms."""

    __pydantic_config__ = STRICT_KEYS
    backend: Literal["embedded", "kafka"]
    root: File
    replicas: Annotated[tuple[File, ...], Field(min_length=1)]
    min_insync: Count
    segment_bytes: Annotated[int, Field(ge=1024)]
    segment_age_s: Seconds
    compression: Literal["none", "gzip", "snappy", "lz4", "zstd"]
    scrub_bytes_s: Annotated[int, Field(ge=0)]
    replica_timeout_s: Seconds
    lock_timeout_s: Seconds
    inline_max_bytes: Bytes
    claims: tuple[File | Url, ...]  # none: a folder `claims` in each replica
    claim_grace_s: Seconds
    kafka: KafkaSettings = field(default_factory=KafkaSettings)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the log lies on this machine: with brokers its root alone, for what is this machine's own."""
        return (self.root, *self.replicas) if self.backend == "embedded" else (self.root,)

    def __post_init__(self) -> None:
        """Raises ValueError for folders that would hold each other's files, and for brokers that nobody named."""
        if self.backend == "kafka" and not self.kafka.bootstrap:
            raise ValueError('backend = "kafka" needs the brokers: bootstrap = "HOST:PORT,…" in [log.kafka]')
        if self.backend == "kafka" and not self.claims:
            raise ValueError(
                'backend = "kafka" needs a place for large mails, which all hosts reach: claims = ["s3://…"] in [log], '
                "or a folder if there is one host"
            )
        root, *replicas = (Path(os.path.normpath(folder)) for folder in (self.root, *self.replicas))
        for folder in replicas:
            inside = [other for other in replicas if other != folder and folder.is_relative_to(other)]
            if inside or root.is_relative_to(folder):
                raise ValueError(f"{inside[0] if inside else root} and the replica {folder} need folders of their own")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """`[[ingest.sources]]`: one watched folder."""

    __pydantic_config__ = STRICT_KEYS
    path: File
    kind: Literal["maildir", "drop"]
    recursive: bool = False
    done: Literal["delete", "move", "keep"] | None = None  # None: as [ingest] says


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteSettings:
    """`[[ingest.routes]]`: one rule. A mail that meets every condition given goes to `topic`, or is dropped."""

    __pydantic_config__ = STRICT_KEYS
    name: Name
    topic: MailTopic | None = None
    drop: Annotated[str, Field(min_length=1)] | None = None  # the reason
    headers: dict[str, str] = field(default_factory=dict)  # field name to RE2 pattern, searched in the decoded value
    has_attachment: bool | None = None
    attachment_type: tuple[str, ...] = ()  # MIME types (`application/pdf`, `image/*`) or name endings (`.xlsx`)
    min_bytes: Annotated[int, Field(ge=0)] | None = None
    max_bytes: Annotated[int, Field(ge=0)] | None = None
    source: str | None = None  # a glob over the source's name, e.g. `maildir:*/axes`

    def __post_init__(self) -> None:
        """Raises ValueError unless the rule has exactly one end."""
        if (self.topic is None) == (self.drop is None):
            raise ValueError("a route has either a topic or a reason to drop")


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """`[ingest]`."""

    __pydantic_config__ = STRICT_KEYS
    topic: MailTopic
    partitions: Annotated[int, Field(ge=1, le=10_000)]
    done: Literal["delete", "move", "keep"]
    rescan_s: Seconds
    settle_s: Seconds
    batch_mails: Count
    batch_bytes: Bytes
    max_mail_bytes: Bytes
    ledger: File
    backfill_topic: MailTopic
    import_progress: File
    sources: tuple[SourceSettings, ...]
    routes: tuple[RouteSettings, ...]

    @property
    def topics(self) -> set[str]:
        """Where a mail may go."""
        return {self.topic, self.backfill_topic, *(rule.topic for rule in self.routes if rule.topic)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LmtpSettings:
    """`[lmtp]`: where the LMTP daemon listens, and whom it serves."""

    __pydantic_config__ = STRICT_KEYS
    socket: File | None
    group: str  # whose programs may use the socket besides its owner's; "" for none
    address: Annotated[str, Field(pattern=r"^$|^(localhost|[0-9a-fA-F.:\[\]]+):\d{1,5}$")]  # IP:PORT, or "" for none
    beyond_loopback: bool
    recipients: tuple[str, ...]
    connections: Count
    timeout_s: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserSettings:
    """`[parsers]`."""

    __pydantic_config__ = STRICT_KEYS
    sandbox: Literal["process", "limits", "off"]
    part_deadline_s: Seconds
    memory_bytes: Bytes
    dealers: File | None  # None: the table that comes with otclog
    securities: File | None  # None: no dictionary of instruments


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """`[tables]`."""

    __pydantic_config__ = STRICT_KEYS
    root: Annotated[Path | str, PlainValidator(_folder_or_url)]
    credentials: File | None  # of an object store: a file of lines NAME=value, its owner's alone
    keep_publications: Annotated[Count, Field(ge=2)]  # the newest, in case it is damaged, and the one before
    keep_s: Seconds

    @property
    def folder(self) -> Path | None:
        """The root, if it is a folder of this machine."""
        return self.root if isinstance(self.root, Path) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractSettings:
    """`[extract]`."""

    __pydantic_config__ = STRICT_KEYS
    group: Name
    max_mails: Count
    small_mails: Annotated[int, Field(ge=0)]
    backfill_lag: Annotated[int, Field(ge=0)]


def backfill_group(group: str) -> str:
    """The group that reads old mails beside this one."""
    return f"{group}.backfill"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReparseSettings:
    """`[reparse]`: what may change before somebody must say why, and how long a shadow is kept."""

    __pydantic_config__ = STRICT_KEYS
    lost_rows: Share
    changed_levels: Share
    swapped_sides: Share
    shadow_keep_s: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSettings:
    """`[spark]`."""

    __pydantic_config__ = STRICT_KEYS
    master: str
    driver_memory: Memory
    executors: Count  # this and what follows: of a master on other machines
    executor_cores: Count
    executor_memory: Memory
    host: Annotated[str, Field(pattern=r"^[\w.:-]+$")]  # of the driver, as workers reach it
    driver_port: Port
    block_manager_port: Port
    pack: File | None  # the archive of scripts/pack
    secret: File | None  # None: the environment has it
    conf: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSettings:
    """`[status]`: from when on `otclog status` says that something is wrong."""

    __pydantic_config__ = STRICT_KEYS
    heartbeat_after_s: Annotated[Seconds, Field(ge=5)]  # sooner, a beat may just be due
    step_after_s: Seconds
    oldest_file_after_s: Seconds
    oldest_unread_after_s: Seconds
    every_s: dict[Name, Seconds] = field(default_factory=dict, hash=False)  # by group, how often its job runs

    def patience_s(self, group: str) -> float:
        """How long a mail in the log may wait for a group: until its job's next run, and as long as that may take."""
        return self.every_s.get(group, 0.0) + self.oldest_unread_after_s


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggingSettings:
    """`[logging]`: where the messages of a process that writes go."""

    __pydantic_config__ = STRICT_KEYS
    format: Literal["text", "json"]
    level: Literal["info", "warning"]
    file: File | None  # None: stderr
    ops: Literal["off", "info", "warning"]  # from when on they go into the topic, too


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsSettings:
    """`[metrics]`: where the processes that write put what they count."""

    __pydantic_config__ = STRICT_KEYS
    folder: File | None  # None: nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All tables."""

    __pydantic_config__ = STRICT_KEYS
    log: LogSettings
    ingest: IngestSettings
    lmtp: LmtpSettings
    parsers: ParserSettings
    tables: TableSettings
    extract: ExtractSettings
    reparse: ReparseSettings
    spark: SparkSettings
    status: StatusSettings
    logging: LoggingSettings
    metrics: MetricsSettings
    alerts: AlertSettings
