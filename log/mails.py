"""The mail in a record: what it says of itself for people to read, and whether it is the mail that its record names.

A mail is hostile: nothing in it may raise, and what is shown of it is bounded.
"""

from __future__ import annotations

import hashlib
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from typing import TYPE_CHECKING, Any

from log.claims.claim import claim_of
from log.types import SHA256_HEADER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import Message

    from log.claims.claim import Claim
    from log.types import StoredRecord

FIELD_CHARACTERS = 998  # shown of a field; RFC 5322 allows no longer line
MOST_PARTS = 100  # shown of a mail


def mail_row(record: StoredRecord) -> dict[str, Any]:
    """What the mail says of itself: from, subject, date; its leaf parts, each with type, name and size in bytes.

    A large mail shows its claim instead. What cannot be read is None, and `unreadable` says why.
    """
    try:
        claim = claim_of(record)
        if claim is not None:
            return {"claim": {"sha256": claim.sha256, "size": claim.size}}
        message = message_from_bytes(record.value or b"")
        head = {name: _shown(message.get(name)) for name in ("from", "subject", "date")}
        return {**head, "parts": list(_parts(message))}
    except Exception as error:  # noqa: BLE001  whatever a mail does to the library, the next one is to be shown
        return {
            "from": None,
            "subject": None,
            "date": None,
            "parts": None,
            "unreadable": repr(error)[:FIELD_CHARACTERS],
        }


def wrong_with(record: StoredRecord, resolve: Callable[[Claim], str | None]) -> str | None:
    """Why the record is not the mail that its header names; None when it is. `resolve` says what a claim lacks."""
    named = dict(record.headers).get(SHA256_HEADER, b"").decode("ascii", "replace")
    if not named:
        return f"no header {SHA256_HEADER}"
    if record.value is None:
        return "a tombstone among mails"
    try:
        claim = claim_of(record)
    except ValueError as error:
        return str(error)
    found = hashlib.sha256(record.value).hexdigest() if claim is None else claim.sha256
    if found != named:
        return f"SHA-256 {found}, but its header says {named}"
    return None if claim is None else resolve(claim)


def _parts(message: Message) -> Iterator[dict[str, Any]]:
    for number, part in enumerate(each for each in message.walk() if not each.is_multipart()):
        if number == MOST_PARTS:
            yield {"type": f"more than {MOST_PARTS} parts", "name": None, "size": None}
            return
        body = part.get_payload(decode=True)
        name = part.get_filename()
        size = len(body) if isinstance(body, bytes) else None
        yield {"type": part.get_content_type(), "name": _shown(name), "size": size}


def _shown(value: Any) -> str | None:
    """As a reader sees it: encoded words (RFC 2047) decoded where they can be."""
    if value is None:
        return None
    text = str(value)[:FIELD_CHARACTERS]
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        return text
