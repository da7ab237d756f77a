"""What users teach the parsers beside their code and data: the dealer table, and the dictionary of instruments.

A run reads them once; all its processes then have the same, and who does the run again after a crash has it, too.
"""

from __future__ import annotations

import hashlib
import logging
import mmap
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from parsers.dealers import Dealers
from parsers.quotes.context import Dealer
from parsers.securities.dictionary import Dictionary
from parsers.securities.errors import SecuritiesError

logger = logging.getLogger(__name__)

_told: list[str] = []
"""The slips that the last reading of a table told of, so that a run each second does not tell them each second."""
_DIVIDED = b"\n"
"""Stands before the dictionary; JSON as it is written here has none."""


class TeachingFiles(Protocol):
    """The users' files, as `[parsers]` of the settings names them."""

    @property
    def dealers(self) -> Path | None:
        """The dealer table; None is the packaged one."""

    @property
    def securities(self) -> Path | None:
        """The master file of instruments; None: there is none."""


class Taught(Struct, frozen=True):
    """What users teach, as one reading of their files found it."""

    dealers: Dealers
    securities: Dictionary | None  # its bytes are those of `content`
    content: bytes | mmap.mmap  # all of it, as `decode` takes it: the same for equal tables, however written down
    digest: str  # SHA-256 of `content`, hex: the second of the parser version

    @classmethod
    def load(cls, files: TeachingFiles | None, last: Taught | None = None) -> Taught:
        """What these files say; None: the dealer table that comes with otclog, and no dictionary.

        A slip in the dealer table is told, and what it is in does not hold. A table that as a whole is no TOML is one
        in writing: what was read `last` of it holds on, if anything was.

        Raises:
            DealerTableError: the dealer table cannot be read, or is no text.
            SecuritiesError: the master file of instruments is none, contradicts itself, or cannot be read.
        """
        found = Dealers.load(files.dealers if files is not None else None)
        stays = last if not found.is_whole else None
        is_so = "this does not hold until it is mended; all else does"
        for slip in found.slips:
            if slip not in _told:
                logger.warning(
                    "%s (%s)", slip, is_so if stays is None else "what was read before holds until it is mended"
                )
        _told[:] = found.slips
        return cls.of(stays.dealers if stays is not None else found, _securities(files))

    @classmethod
    def of(cls, dealers: Dealers, securities: Dictionary | None = None) -> Taught:
        """With this dealer table, of which nothing but the entries counts, and this dictionary."""
        content = msgspec.json.encode(_Content(dealers=dict(dealers.entries)), order="sorted")
        return cls.decode(content if securities is None else b"".join((content, _DIVIDED, securities.whole)))

    @classmethod
    def decode(cls, content: bytes | mmap.mmap) -> Taught:
        """What `content` says. Raises msgspec.DecodeError for what is none."""
        end = content.find(_DIVIDED)
        told = msgspec.json.decode(content[:end] if end >= 0 else content, type=_Content)
        securities = Dictionary.open(content, end + len(_DIVIDED)) if end >= 0 else None
        return cls(Dealers(told.dealers), securities, content, hashlib.sha256(content).hexdigest())


class _Content(Struct, frozen=True):
    dealers: dict[str, Dealer]  # lower-case domain or address -> who stands behind it


def _securities(files: TeachingFiles | None) -> Dictionary | None:
    """The dictionary of the file that is named; reading one takes what no child needs."""
    if files is None or files.securities is None:
        return None
    from parsers.securities.master import load

    try:
        return load(files.securities)
    except OSError as error:
        raise SecuritiesError(f"[parsers] securities: {files.securities}: {error.strerror or error}") from error
