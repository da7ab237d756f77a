"""Parts that need no reading: signatures, invitations, images, programs (spec 6.1)."""

from __future__ import annotations

from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.documents import kinds
from parsers.mail.containers.smime import SIGNATURES
from parsers.mail.part import Part

_SMALL_IMAGE_BYTES = 20 * 1024  # less is a logo (spec 6.1)
_RECEIPTS = frozenset({"message/disposition-notification"})
_REPORTS = frozenset({"message/delivery-status", "text/rfc822-headers", "message/feedback-report"})


def settled(part: Part, *, is_inline: bool) -> Part | None:
    """The part with its end, if its kind alone decides it; None: look inside. `is_inline`: shown within the text."""
    declared, kind, name = part.declared_type or "", part.content_type, (part.file_name or "").lower()
    is_named = kind in {kinds.TEXT, kinds.UNKNOWN} and name.endswith((".p7s", ".asc", ".vcf"))
    if declared in SIGNATURES | _REPORTS or kind == kinds.VCARD or is_named:
        return replace(part, state=PartState.skipped)
    if kind == kinds.CALENDAR or declared in {kinds.CALENDAR, *_RECEIPTS}:
        return replace(part, state=PartState.rejected, code=Code.CALENDAR_INVITE)
    if kind.startswith("image/"):
        is_logo = is_inline or part.size < _SMALL_IMAGE_BYTES
        return replace(part, state=PartState.rejected, code=Code.INLINE_IMAGE if is_logo else Code.IMAGE_ONLY)
    if kind in {kinds.PROGRAM, kinds.UNKNOWN, kinds.OLE}:
        return replace(part, state=PartState.rejected, code=Code.UNSUPPORTED_TYPE, detail=declared or kind)
    return None
