"""What becomes of a part whose bytes are there: it ends, is to be read, or holds other parts (spec 6.1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.archive import CONTAINERS, MAX_DEPTH
from parsers.mail.containers.containers import archive_parts, outlook_body, outlook_files, tnef_parts
from parsers.mail.containers.msg import Msg, read_msg
from parsers.mail.containers.smime import TYPES, Encrypted, signed_content
from parsers.mail.containers.tnef import read_tnef
from parsers.mail.facts import read_facts
from parsers.mail.found import SEALED, Found
from parsers.mail.mime import MAX_PARTS, Entity, TooManyParts, mime_tree
from parsers.mail.part import Envelope, Part
from parsers.mail.paths import label
from parsers.mail.place import Place, deeper, inside
from parsers.mail.settled import settled


class Walker(Protocol):
    """Walks on with what is inside."""

    found: Found

    def walk(self, entity: Entity, place: Place) -> None:
        """A MIME entity and all in it."""

    def file(self, part: Part, load: Callable[[], bytes], place: Place, *, is_inline: bool = False) -> None:
        """A file."""

    def guarded(self, part: Part, work: Callable[[Part], None]) -> None:
        """Do the work on a part; whatever goes wrong stays the part's own affair."""


def open_part(part: Part, data: bytes, place: Place, walker: Walker, *, is_inline: bool) -> None:
    """Take the part, and have the walker take what is in it.

    Args:
        part: its type is known by its bytes.
        data: these.
        place: where it stands.
        walker: goes on with what is inside.
        is_inline: shown within the text.

    Raises:
        Unreadable: with the part's code.
        TooManyParts: the mail has more than it may.
    """
    declared, kind = part.declared_type or "", part.content_type
    if declared in TYPES or (kind == kinds.UNKNOWN and (part.file_name or "").lower().endswith(".p7m")):
        _open_smime(part, data, place, walker)
    elif kind == kinds.PGP_MESSAGE:
        _take_encrypted(part, walker.found, is_whole=part.is_body and not walker.found.unpacked.parts)
    elif (end := settled(part, is_inline=is_inline)) is not None:
        walker.found.add(end)
    elif (original := walker.found.original(part)) is not None:
        walker.found.add(replace(part, state=PartState.rejected, code=Code.DUPLICATE_PART, detail=original))
    elif kind == kinds.EML or declared == "message/rfc822":
        _open_message(replace(part, content_type=kinds.EML), data, place, walker)
    elif kind == kinds.MSG:
        _open_outlook(part, read_msg(data), place, walker)
    elif kind == kinds.TNEF:
        _open_tnef(part, data, place, walker)
    elif kind in CONTAINERS:
        _open_archive(part, data, place, walker)
    else:
        walker.found.add(replace(part, data=data))


def _open_smime(part: Part, data: bytes, place: Place, walker: Walker) -> None:
    try:
        content = signed_content(data)
    except Encrypted:
        _take_encrypted(part, walker.found, is_whole=True)
        return
    inner = replace(inside(place), prefix=f"{part.path}/p7m:")
    walker.found.add(replace(part, state=PartState.skipped))
    walker.walk(mime_tree(content), inner)


def _take_encrypted(part: Part, found: Found, *, is_whole: bool) -> None:
    """The mail is sealed where this is the whole of it; else the part is."""
    if part.envelope.depth > 0 or not is_whole:
        raise Unreadable(Code.PASSWORD_PROTECTED, SEALED)
    found.unpacked.sealed.append(part.path)
    found.add(replace(part, state=PartState.skipped))


def _open_message(part: Part, data: bytes, place: Place, walker: Walker) -> None:
    depth = deeper(place)
    walker.found.add(replace(part, state=PartState.skipped))
    tree = mime_tree(data)
    envelope = Envelope(fields=tree.fields, facts=read_facts(tree.fields), depth=depth)
    walker.walk(tree, Place(envelope, f"{part.path}/msg:", archives=place.archives, wrapped=place.wrapped))


def _open_outlook(part: Part, message: Msg, place: Place, walker: Walker) -> None:
    """An MSG file, its parts numbered as if it were a multipart/mixed of body and files."""
    envelope = Envelope(fields=message.fields, facts=message.facts, depth=deeper(place))
    walker.found.add(replace(part, state=PartState.skipped))
    inner = Place(envelope, f"{part.path}/msg:", archives=place.archives, wrapped=place.wrapped)
    if (body := outlook_body(message, inner.prefix, envelope)) is not None:
        walker.file(body[0], partial(bytes, body[1]), inner)
    for file, item in outlook_files(message, inner.prefix, envelope):
        if item.message is None:
            walker.file(file, partial(bytes, item.data), inner, is_inline=item.is_inline)
        else:
            walker.guarded(file, partial(_open_outlook, message=item.message, place=inner, walker=walker))


def _open_tnef(part: Part, data: bytes, place: Place, walker: Walker) -> None:
    found = read_tnef(data)
    inner = replace(inside(place), container="")
    walker.found.add(replace(part, state=PartState.skipped))
    for file, content in tnef_parts(part, found):
        walker.file(file, partial(bytes, content), inner)


def _open_archive(part: Part, data: bytes, place: Place, walker: Walker) -> None:
    if place.archives >= MAX_DEPTH:
        raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_DEPTH} archives inside each other")
    name = label(part.file_name or "archive")
    base = part.path if place.container else f"{part.path}/{CONTAINERS[part.content_type]}:{name}"
    inner = replace(place, archives=place.archives + 1, container=base, alternatives=())
    found = walker.found
    found.add(replace(part, state=PartState.skipped))
    first = len(found.unpacked.parts)
    try:
        for file, member in archive_parts(part, data, base, found.unpacked.budget):
            walker.file(file, member.content, inner)
    except TooManyParts:  # the archive's fault, and not the mail's
        found.forget_from(first)
        raise Unreadable(Code.ARCHIVE_LIMIT, f"with its members the mail has more than {MAX_PARTS} parts") from None
