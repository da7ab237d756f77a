"""What users teach the parsers beside their code and data: the dealer table.

A run reads it once; all its processes then have the same, and who does the run again after a crash has it, too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from parsers.dealers import Dealers
from parsers.quotes.context import Dealer


class Taught(Struct, frozen=True):
    """What users teach, as one reading of their files found it."""

    dealers: Dealers
    content: bytes  # all of it, as `decode` takes it: the same for equal tables, however they are written down
    digest: str  # SHA-256 of `content`, hex: the second of the parser version

    @classmethod
    def load(cls, dealers: Path | None) -> Taught:
        """What these files say; None: the table that comes with otclog. Raises DealerTableError, OSError."""
        return cls.of(Dealers.load(dealers))

    @classmethod
    def of(cls, dealers: Dealers) -> Taught:
        """With this dealer table."""
        content = msgspec.json.encode(_Content(dealers=dict(dealers.entries)), order="sorted")
        return cls(dealers, content, hashlib.sha256(content).hexdigest())

    @classmethod
    def decode(cls, content: bytes) -> Taught:
        """What `content` says. Raises msgspec.DecodeError for what is none."""
        return cls.of(Dealers(msgspec.json.decode(content, type=_Content).dealers))


class _Content(Struct, frozen=True):
    dealers: dict[str, Dealer]  # lower-case domain or address -> who stands behind it
