"""What users teach the parsers beside their code and data: the dealer table.

A run reads it once; all its processes then have the same, and who does the run again after a crash has it, too.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import msgspec
from msgspec import Struct

from parsers.dealers import Dealers
from parsers.quotes.context import Dealer

logger = logging.getLogger(__name__)

_told: list[str] = []
"""The slips that the last reading of a table told of, so that a run each second does not tell them each second."""


class Taught(Struct, frozen=True):
    """What users teach, as one reading of their files found it."""

    dealers: Dealers
    content: bytes  # all of it, as `decode` takes it: the same for equal tables, however they are written down
    digest: str  # SHA-256 of `content`, hex: the second of the parser version

    @classmethod
    def load(cls, dealers: Path | None, last: Taught | None = None) -> Taught:
        """What these files say; None: the table that comes with otclog. Raises DealerTableError, OSError.

        A slip is told, and what it is in does not hold. A table that as a whole is no TOML is one in writing: what was
        read `last` holds on, if anything was.
        """
        found = Dealers.load(dealers)
        stays = last if not found.is_whole else None
        is_so = "this does not hold until it is mended; all else does"
        for slip in found.slips:
            if slip not in _told:
                logger.warning(
                    "%s (%s)", slip, is_so if stays is None else "what was read before holds until it is mended"
                )
        _told[:] = found.slips
        return stays or cls.of(found)

    @classmethod
    def of(cls, dealers: Dealers) -> Taught:
        """With this dealer table, of which nothing but the entries counts."""
        dealers = Dealers(dealers.entries)
        content = msgspec.json.encode(_Content(dealers=dict(dealers.entries)), order="sorted")
        return cls(dealers, content, hashlib.sha256(content).hexdigest())

    @classmethod
    def decode(cls, content: bytes) -> Taught:
        """What `content` says. Raises msgspec.DecodeError for what is none."""
        return cls.of(Dealers(msgspec.json.decode(content, type=_Content).dealers))


class _Content(Struct, frozen=True):
    dealers: dict[str, Dealer]  # lower-case domain or address -> who stands behind it
