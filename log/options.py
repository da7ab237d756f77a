"""What a log needs to be told. `conf` has the class and the defaults; any object of this shape will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class KafkaOptions(Protocol):
    """`[log.kafka]`: how the brokers are reached, and who we are to them."""

    @property
    def bootstrap(self) -> str:
        """HOST:PORT of some of the brokers, with commas between."""

    @property
    def replication(self) -> int:
        """Copies of a topic that is made; 0: as the brokers' default.replication.factor says."""

    @property
    def security(self) -> str:
        """`plaintext`, tls, scram, oauth or kerberos, the last three over TLS."""

    @property
    def ca(self) -> Path | None:
        """PEM file of the authorities that signed the brokers' certificates; None: the system's."""

    @property
    def certificate(self) -> Path | None:
        """PEM file of our own certificate, where the brokers ask for one."""

    @property
    def key(self) -> Path | None:
        """PEM file of its key."""

    @property
    def credentials(self) -> Path | None:
        """A file of lines NAME=value, its owner's alone: user and password, or what a token is had with."""

    @property
    def client(self) -> Mapping[str, str]:
        """Settings that are passed to the client as they are."""


class LogOptions(Protocol):
    """`[log]`. Sizes in bytes, times in seconds unless the name says ms."""

    @property
    def backend(self) -> str:
        """The kind of log: embedded or kafka."""

    @property
    def root(self) -> Path:
        """State, locks, topic settings; with Kafka what this machine alone needs."""

    @property
    def replicas(self) -> tuple[Path, ...]:
        """One folder a replica, on different disks."""

    @property
    def kafka(self) -> KafkaOptions:
        """Where the brokers are."""

    @property
    def inline_max_bytes(self) -> int:
        """A larger mail is a claim."""

    @property
    def min_insync(self) -> int:
        """So many replicas must have an append on disk before it is acknowledged."""

    @property
    def segment_bytes(self) -> int:
        """A segment is closed at this size."""

    @property
    def segment_age_s(self) -> float:
        """A segment is closed at this age."""

    @property
    def compression(self) -> str:
        """`none`, gzip, snappy, lz4 or zstd."""

    @property
    def scrub_bytes_s(self) -> int:
        """`tend` reads so many bytes a second of what all replicas have, to find damage; 0: none."""

    @property
    def replica_timeout_s(self) -> float:
        """A replica slower than this leaves the in-sync replicas."""

    @property
    def lock_timeout_s(self) -> float:
        """How long an appender waits before PartitionBusy."""
