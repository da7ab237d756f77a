"""The settings: one frozen class a table of otclog.toml. Defaults stand in the packaged otclog.toml alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


class ConfigError(Exception):
    """A setting that cannot be used; the message names file, line and key, and says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """`[log]`. Sizes in bytes, times in seconds unless the name says ms."""

    backend: Literal["embedded"]
    root: Path
    replicas: tuple[Path, ...]
    min_insync: int
    segment_bytes: int
    segment_age_s: float
    compression: Literal["none", "gzip", "snappy", "lz4", "zstd"]
    flush_messages: int
    flush_ms: int
    replica_timeout_s: float
    lock_timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """`[[ingest.sources]]`: one watched folder."""

    path: Path
    kind: Literal["maildir", "drop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """`[ingest]`."""

    topic: str
    partitions: int
    done: Literal["delete", "move"]
    rescan_s: float
    settle_s: float
    batch_mails: int
    batch_bytes: int
    max_mail_bytes: int
    ledger: Path
    sources: tuple[SourceSettings, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserSettings:
    """`[parsers]`."""

    sandbox: Literal["process", "off"]
    part_deadline_s: float
    memory_bytes: int
    dealers: Path  # the packaged table when the setting is ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """`[tables]`."""

    root: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractSettings:
    """`[extract]`."""

    group: str
    max_mails: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSettings:
    """`[spark]`."""

    master: str
    driver_memory: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All tables, and the files they came from."""

    log: LogSettings
    ingest: IngestSettings
    parsers: ParserSettings
    tables: TableSettings
    extract: ExtractSettings
    spark: SparkSettings
    source: Path | None  # the user's file; None when only the defaults hold
