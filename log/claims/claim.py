"""A claim: what the record of a large mail carries instead of it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from log.types import Record, StoredRecord

CLAIM_HEADER = "claim"  # of a record; its value there is the version of this form
CLAIM_VERSION = b"1"
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Claim:
    """Names bytes in the claim store."""

    sha256: str  # hex, of the bytes
    size: int  # bytes

    def to_bytes(self) -> bytes:
        """As the value of a record."""
        return json.dumps(asdict(self)).encode("ascii")

    @classmethod
    def from_bytes(cls, value: bytes) -> Claim:
        """The claim that a record carries. Raises ValueError for what is none."""
        try:
            said = json.loads(value)
            claim = cls(said["sha256"], said["size"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"not a claim: {value[:100]!r}") from error
        named = isinstance(claim.sha256, str) and _SHA256.fullmatch(claim.sha256)
        if not (named and type(claim.size) is int and claim.size >= 0):
            raise ValueError(f"not a claim: {value[:100]!r}")
        return claim


def claim_of(record: Record | StoredRecord) -> Claim | None:
    """The record's claim; None if its value is the mail itself. Raises ValueError for a claim that cannot be read."""
    if not any(name == CLAIM_HEADER for name, _ in record.headers):
        return None
    return Claim.from_bytes(record.value or b"")
