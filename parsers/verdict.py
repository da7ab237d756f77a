"""The state a mail ends in, and its code (spec 6.5, rulings 6 and 26)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.codes import EXPECTED_CODES, Code, MailState, PartState
from parsers.documents import kinds
from parsers.mail import notices
from parsers.mail.found import Unpacked
from parsers.mail.part import Envelope, Part
from parsers.reading import Reading

_NOTHING_READ = frozenset({Code.UNSUPPORTED_TYPE, Code.CORRUPT_PART, Code.CHARSET_UNDECODABLE})
_SEALED = frozenset(
    {
        Code.ENCRYPTED_MAIL,
        Code.MAIL_TOO_LARGE,
        Code.TOO_MANY_PARTS,
        Code.MALFORMED_MIME,
        Code.EMPTY_MAIL,
        Code.CLAIM_MISSING,
    }
)
"""Mail codes that say nothing was read: rejected. The others are mails that were read, and are clean."""


def unread(found: Unpacked) -> Code | None:
    """The code of a mail whose parts need no reading; beside what is encrypted there may be some that do."""
    envelope = found.envelope
    if found.too_many:
        return Code.TOO_MANY_PARTS
    if notices.is_auto_reply(envelope.fields, envelope.facts):
        return Code.BOUNCE_OR_AUTOREPLY
    if notices.is_recall(envelope.facts.subject):
        return Code.RECALL_NOTICE
    return Code.ENCRYPTED_MAIL if found.encrypted else None


def state_of(code: Code | None) -> MailState:
    """The state that goes with a mail's own code."""
    return MailState.rejected if code is None or code in _SEALED else MailState.parsed_empty


def without_quotes(envelope: Envelope, decided: Sequence[Part], readings: Sequence[Reading]) -> Code | None:
    """The code of a mail that was read and has no quote; None when its parts' codes say it all."""
    codes = [part.code for part in decided if part.code] + [reading.code for reading in readings if reading.code]
    if not envelope.fields.items and codes and _NOTHING_READ.issuperset(codes):
        return Code.MALFORMED_MIME
    if any(code not in EXPECTED_CODES for code in codes):
        return None
    if any(reading.has_history for reading in readings):
        return Code.QUOTED_HISTORY_ONLY
    text = "\n".join(reading.text for reading in readings)
    if notices.speaks_of_recall(text):
        return Code.RECALL_NOTICE
    if _has_files(decided, readings):
        return Code.NO_QUOTE_CONTENT
    return _of_lone_text(text, readings)


def _has_files(decided: Sequence[Part], readings: Sequence[Reading]) -> bool:
    """There is more than a body and its logos."""
    return any(not reading.part.is_body for reading in readings) or any(
        part.state is PartState.rejected and part.code is not Code.INLINE_IMAGE for part in decided
    )


def _of_lone_text(text: str, readings: Sequence[Reading]) -> Code:
    if notices.is_empty(text) and not any(reading.has_table for reading in readings):
        return Code.EMPTY_MAIL
    if notices.holds_sealed_text(text):
        return Code.ENCRYPTED_MAIL
    has_link = any(reading.part.content_type == kinds.HTML and b"href" in reading.part.data for reading in readings)
    if notices.only_points_elsewhere(text, has_link=has_link):
        return Code.EXTERNAL_LINK_ONLY
    return Code.NO_QUOTE_CONTENT
