"""What the embedded log needs to be told. `conf` has the class and the defaults; any object of this shape will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class LogOptions(Protocol):
    """`[log]`. Sizes in bytes, times in seconds unless the name says ms."""

    @property
    def backend(self) -> str: ...  # "embedded"
    @property
    def root(self) -> Path: ...  # state, locks, topic settings
    @property
    def replicas(self) -> tuple[Path, ...]: ...  # one folder a replica, on different disks
    @property
    def min_insync(self) -> int: ...
    @property
    def segment_bytes(self) -> int: ...
    @property
    def segment_age_s(self) -> float: ...
    @property
    def compression(self) -> str: ...
    @property
    def flush_messages(self) -> int: ...  # `written` appends are flushed after this many
    @property
    def flush_ms(self) -> int: ...  # or this long
    @property
    def replica_timeout_s(self) -> float: ...
    @property
    def lock_timeout_s(self) -> float: ...  # how long an appender waits before PartitionBusy
