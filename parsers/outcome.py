"""What becomes of a mail: its state, its parts' states, its quotes, and what was refused, with the place (spec 6.5)."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from parsers.codes import Code, MailState, PartState
from parsers.quote import Quote


class Reject(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One refusal, of the mail, a part, or a row."""

    level: str  # mail, part or row
    code: Code
    detail: str = ""  # for people; never scored
    part_path: str | None = None
    locator: str | None = None  # "EUR IG!D17", "page 2 row 31", "line 8"
    raw_text: str | None = None  # at most 500 characters
    parser: str = "mail"


class PartOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One MIME part or container member."""

    part_path: str  # spec 6.3
    state: PartState
    code: Code | None = None
    detail: str = ""
    content_type: str  # detected by content
    declared_type: str | None = None
    file_name: str | None = None
    part_sha256: str | None = None  # of the decoded bytes
    size_bytes: int = 0  # decoded
    quotes: int = 0


class MailOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Everything known of one mail. A function of its bytes, the parser version and the dealer table alone."""

    message_key: str  # SHA-256 of the raw mail, hex
    message_id: str  # header without <>, or `sha256:` + message_key
    state: MailState
    code: Code | None = None
    sender: str | None = None  # addr-spec, lower case
    sender_name: str | None = None
    dealer: str | None = None
    subject: str | None = None
    sent_at: datetime | None = None  # the Date header, UTC; None when absent or unreadable
    date_text: str | None = None  # the Date header as written
    size_bytes: int = 0
    parser_version: str = ""
    parts: tuple[PartOutcome, ...] = ()
    quotes: tuple[Quote, ...] = ()
    rejects: tuple[Reject, ...] = ()
