"""A part as the unpacker hands it on: decided already, or to be read."""

from __future__ import annotations

from msgspec import Struct, field

from parsers.codes import Code, PartState
from parsers.documents.readers import Hints
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields

Alternatives = tuple[tuple[int, int], ...]
"""The multipart/alternatives around a part, outermost first: the number of each, and of the alternative it is in."""


class Envelope(Struct, frozen=True, kw_only=True):
    """The message that a part belongs to: the outer mail, or one inside it."""

    fields: Fields
    facts: Facts
    depth: int = 0  # 0 for the outer mail


class Part(Struct, frozen=True, kw_only=True):
    """One MIME part or container member."""

    path: str  # spec 6.3
    envelope: Envelope
    content_type: str  # by content
    declared_type: str | None = None
    file_name: str | None = None
    data: bytes = b""  # decoded; kept only while the part is to be read
    size: int = 0  # decoded
    sha256: str | None = None
    hints: Hints = field(default_factory=Hints)
    state: PartState | None = None  # None: to be read
    code: Code | None = None
    detail: str = ""
    is_body: bool = False  # shown by a mail reader as the mail's text
    alternatives: Alternatives = ()
