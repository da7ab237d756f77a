"""What the embedded log needs to be told. `conf` has the class and the defaults; any object of this shape will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class LogOptions(Protocol):
    """`[log]`. Sizes in bytes, times in seconds unless the name says ms."""

    @property
    def backend(self) -> str:
        """The kind of log: embedded."""

    @property
    def root(self) -> Path:
        """State, locks, topic settings."""

    @property
    def replicas(self) -> tuple[Path, ...]:
        """One folder a replica, on different disks."""

    @property
    def min_insync(self) -> int:
        """So many replicas must have an append on disk before it is acknowledged."""

    @property
    def segment_bytes(self) -> int:
        """A segment is closed at this size."""

    @property
    def segment_age_s(self) -> float:
        """Or at this age."""

    @property
    def compression(self) -> str:
        """`none`, gzip, snappy, lz4 or zstd."""

    @property
    def flush_messages(self) -> int:
        """`written` appends are flushed after this many."""

    @property
    def flush_ms(self) -> int:
        """Or after this long."""

    @property
    def scrub_bytes_s(self) -> int:
        """`tend` reads so many bytes a second of what all replicas have, to find damage; 0: none."""

    @property
    def replica_timeout_s(self) -> float:
        """A replica slower than this leaves the in-sync replicas."""

    @property
    def lock_timeout_s(self) -> float:
        """How long an appender waits before PartitionBusy."""
