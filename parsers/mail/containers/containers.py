"""Files inside a container as parts of the mail: of archives, of winmail.dat, of messages Outlook saved (spec 6.3)."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.documents.readers import Hints
from parsers.mail.containers.archive import members
from parsers.mail.containers.member import Member
from parsers.mail.containers.msg import Attached, Msg
from parsers.mail.containers.outlookbody import Body
from parsers.mail.containers.tnef import Tnef
from parsers.mail.part import Envelope, Part
from parsers.mail.paths import label


def archive_parts(part: Part, data: bytes, base: str, budget: Budget) -> Iterator[tuple[Part, Member]]:
    """The members of an archive, unpacked one at a time. `base` is the path they append to: `2/zip:runs.zip`.

    Raises:
        Unreadable: as `archive.members`; parts before stay valid.
    """
    declared = kinds.EML if part.content_type == kinds.MBOX else None
    for member in members(data, part.content_type, part.file_name, budget):
        name = member.name.replace("\\", "/").rpartition("/")[2]
        found = Part(
            path=f"{base}!{label(member.name)}",
            envelope=part.envelope,
            content_type=declared or kinds.UNKNOWN,
            declared_type=declared,
            file_name=name,
        )
        yield found, member


def tnef_parts(part: Part, found: Tnef) -> Iterator[tuple[Part, bytes]]:
    """Body and files of a winmail.dat."""
    if found.body is not None:
        yield _body_part(f"{part.path}/tnef:{found.body.name}", part.envelope, found.body), found.body.data
    for name, content in found.files:
        path = f"{part.path}/tnef:{label(name)}"
        yield Part(path=path, envelope=part.envelope, content_type=kinds.UNKNOWN, file_name=name), content


def outlook_body(message: Msg, prefix: str, envelope: Envelope) -> tuple[Part, bytes] | None:
    """The body of an MSG file: its part 1, whether there is one or not."""
    return (_body_part(f"{prefix}1", envelope, message.body), message.body.data) if message.body is not None else None


def outlook_files(message: Msg, prefix: str, envelope: Envelope) -> Iterator[tuple[Part, Attached]]:
    """What is attached to an MSG file, numbered from 2 on as in a multipart/mixed of body and files."""
    for number, item in enumerate(message.attached(), 2):
        part = Part(
            path=f"{prefix}{number}",
            envelope=envelope,
            content_type=kinds.MSG if item.message is not None else item.declared_type or kinds.UNKNOWN,
            declared_type=item.declared_type,
            file_name=item.name,
        )
        yield part, item


def _body_part(path: str, envelope: Envelope, body: Body) -> Part:
    return Part(path=path, envelope=envelope, content_type=body.kind, hints=Hints(charset=body.charset), is_body=True)
