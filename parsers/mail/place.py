"""Where in a mail the unpacker is, and the part that a MIME entity is there (spec 6.1, 6.3)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.documents.readers import Hints
from parsers.documents.unreadable import Unreadable
from parsers.mail.mime import Entity
from parsers.mail.part import Alternatives, Envelope, Part

MAX_NESTED = 5  # mails inside mails (spec 6.1)
_MAX_WRAPPED = 5  # signatures and winmail.dats around a part: each mail of a chain may have one


class Place(Struct, frozen=True):
    """Where in the mail the walk is."""

    envelope: Envelope
    prefix: str  # of paths: `` or `2/msg:`
    alternatives: Alternatives = ()
    archives: int = 0  # around us
    wrapped: int = 0  # signatures and winmail.dats around us
    container: str = ""  # the path that members of the archive around us append to: `2/zip:runs.zip`


def deeper(place: Place) -> int:
    """The depth of a mail inside this one."""
    depth = place.envelope.depth + 1
    if depth > MAX_NESTED:
        raise Unreadable(Code.NESTING_TOO_DEEP, f"more than {MAX_NESTED} mails inside each other")
    return depth


def inside(place: Place) -> Place:
    """The place inside a signature or a winmail.dat there, which is the mail's own."""
    if place.wrapped >= _MAX_WRAPPED:
        raise Unreadable(Code.NESTING_TOO_DEEP, f"more than {_MAX_WRAPPED} wrappings inside each other")
    return replace(place, alternatives=(), wrapped=place.wrapped + 1)


def leaf(entity: Entity, place: Place) -> Part:
    """The part of an entity that is no multipart, before its bytes are looked at."""
    fields = entity.fields
    name, disposition = fields.file_name, fields.disposition
    return Part(
        path=place.prefix + entity.section,
        envelope=place.envelope,
        content_type=entity.content_type,
        declared_type=fields.content_type,
        file_name=name,
        hints=Hints(
            charset=fields.parameter("charset"),
            flowed=(fields.parameter("format") or "").lower() == "flowed",
            delsp=(fields.parameter("delsp") or "").lower() == "yes",
        ),
        is_body=disposition != "attachment" and not name and entity.content_type.startswith("text/"),
        alternatives=place.alternatives,
    )


def skipped(entity: Entity, place: Place) -> Part:
    """The part of an entity that only holds others, or that is not looked into."""
    return Part(
        path=place.prefix + entity.section,
        envelope=place.envelope,
        content_type=entity.content_type,
        declared_type=entity.content_type,
        state=PartState.skipped,
    )
