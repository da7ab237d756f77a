"""A raw mail to its parts: the MIME tree walked, containers opened, each part told what it is (spec 6.1, 6.3)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.documents import kinds
from parsers.documents.sniff import sniff
from parsers.documents.unreadable import Unreadable
from parsers.mail.archive import CONTAINERS, MAX_DEPTH
from parsers.mail.budget import Budget
from parsers.mail.containers import archive_parts, outlook_body, outlook_files, tnef_parts
from parsers.mail.facts import read_facts
from parsers.mail.fields import split_header
from parsers.mail.found import Found, Unpacked
from parsers.mail.mime import MAX_PARTS, Entity, TooManyParts, mime_tree
from parsers.mail.msg import Msg, read_msg
from parsers.mail.part import Envelope, Part
from parsers.mail.paths import label
from parsers.mail.place import Place, deeper, inside, leaf, skipped
from parsers.mail.settled import settled
from parsers.mail.smime import TYPES, Encrypted, signed_content
from parsers.mail.tnef import read_tnef
from parsers.mail.transfer import MAX_PART_BYTES, decoded_size

logger = logging.getLogger(__name__)

_BODIES = frozenset({kinds.TEXT, kinds.HTML, kinds.RTF, kinds.EMPTY, kinds.PGP_MESSAGE})


def unpack(
    raw: bytes, barred: Mapping[str, Code], started: Callable[[str], None], wanted: str | None = None
) -> Unpacked:
    """The parts of a mail, up to the limits.

    Args:
        raw: the mail.
        barred: codes of parts that must not be touched, by path; `*` is every part not named.
        started: told each part's path before the part is touched.
        wanted: the path of a part whose bytes are to be kept whatever becomes of it.
    """
    fields, _ = split_header(raw, 0, len(raw))
    envelope = Envelope(fields=fields, facts=read_facts(fields))
    found = Found(Unpacked(envelope), wanted)
    try:
        _Unpacker(found, barred, started).walk(mime_tree(raw), Place(envelope, ""))
    except TooManyParts:
        found.unpacked.too_many = True
    return found.unpacked


class _Unpacker:
    def __init__(self, found: Found, barred: Mapping[str, Code], started: Callable[[str], None]) -> None:
        self._found = found
        self._barred = barred
        self._started = started
        self._budget = Budget()
        self._groups = 0

    def walk(self, entity: Entity, place: Place) -> None:
        """An entity and what is inside."""
        if not entity.is_multipart:
            self._leaf(entity, place)
            return
        if entity.section:
            self._found.add(part := self._found.named(skipped(entity, place)))
            self._found.keep(part, entity.raw[entity.start : entity.end])
        kind = entity.content_type.partition("/")[2]
        if kind == "alternative":
            self._groups += 1
        for number, child in enumerate(entity.children):
            inner = replace(place, group=self._groups, branch=number) if kind == "alternative" else place
            if kind == "encrypted" or (kind == "signed" and number > 0):
                self._sealed(child, inner, is_encrypted=kind == "encrypted")
            else:
                self.walk(child, inner)

    def _sealed(self, entity: Entity, place: Place, *, is_encrypted: bool) -> None:
        """A signature, or a part of an encrypted mail: not looked into."""
        self._found.unpacked.encrypted |= is_encrypted and place.envelope.depth == 0
        part = self._found.named(skipped(entity, place))
        self._found.keep(part, entity.content())
        self._found.add(replace(part, file_name=entity.fields.file_name, size=entity.end - entity.start))

    def _leaf(self, entity: Entity, place: Place) -> None:
        part = leaf(entity, place)
        is_inline = entity.fields.disposition == "inline" or entity.fields.get("content-id") is not None

        def load() -> bytes:
            if entity.too_deep:
                raise Unreadable(Code.NESTING_TOO_DEEP, "multiparts inside multiparts")
            if entity.end - entity.start > MAX_PART_BYTES:
                _check_size(decoded_size(entity.raw[entity.start : entity.end], entity.encoding))
            return entity.content()

        self._file(part, load, place, is_inline=is_inline)

    def _file(self, part: Part, load: Callable[[], bytes], place: Place, *, is_inline: bool = False) -> None:
        """Decide what becomes of a file."""
        self._guarded(part, partial(self._loaded, load=load, place=place, is_inline=is_inline))

    def _loaded(self, part: Part, load: Callable[[], bytes], place: Place, *, is_inline: bool) -> None:
        data = load()
        self._found.keep(part, data)
        _check_size(len(data))
        kind = sniff(data, part.content_type, part.file_name, part.hints.charset)
        part = replace(
            part,
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            content_type=kind,
            is_body=part.is_body and kind in _BODIES,
        )
        self._classified(part, data, place, is_inline=is_inline)

    def _guarded(self, part: Part, work: Callable[[Part], None]) -> None:
        """Do the work on a part; whatever goes wrong stays the part's own affair."""
        part = self._found.named(part)
        self._started(part.path)
        barred = self._barred.get(part.path) or self._barred.get("*")
        if barred is not None:
            self._found.refuse(part, barred, "its reader was stopped")
            return
        try:
            work(part)
        except TooManyParts:
            raise
        except Unreadable as error:
            self._found.refuse(part, error.code, str(error))
        except Exception as error:
            logger.debug("part %s", part.path, exc_info=True)
            self._found.refuse(part, Code.PARSER_ERROR, f"{type(error).__name__}: {error}"[:200])

    def _classified(self, part: Part, data: bytes, place: Place, *, is_inline: bool) -> None:
        declared, kind = part.declared_type or "", part.content_type
        if declared in TYPES or (part.file_name or "").lower().endswith(".p7m"):
            self._smime(part, data, place)
        elif kind == kinds.PGP_MESSAGE:
            self._encrypted(part, is_whole=part.is_body and not self._found.unpacked.parts)
        elif (end := settled(part, is_inline=is_inline)) is not None:
            self._found.add(end)
        elif (original := self._found.original(part)) is not None:
            self._found.add(replace(part, state=PartState.rejected, code=Code.DUPLICATE_PART, detail=original))
        elif kind == kinds.EML or declared == "message/rfc822":
            self._message(replace(part, content_type=kinds.EML), data, place)
        elif kind == kinds.MSG:
            self._outlook(part, read_msg(data), place)
        elif kind == kinds.TNEF:
            self._tnef(part, data, place)
        elif kind in CONTAINERS:
            self._archive(part, data, place)
        else:
            self._found.add(replace(part, data=data))

    def _smime(self, part: Part, data: bytes, place: Place) -> None:
        try:
            content = signed_content(data)
        except Encrypted:
            self._encrypted(part, is_whole=True)
            return
        inner = replace(inside(place), prefix=f"{part.path}/p7m:")
        self._found.add(replace(part, state=PartState.skipped))
        self.walk(mime_tree(content), inner)

    def _encrypted(self, part: Part, *, is_whole: bool) -> None:
        """The mail is sealed where this is the whole of it; else the part is."""
        if part.envelope.depth > 0 or not is_whole:
            raise Unreadable(Code.PASSWORD_PROTECTED, "encrypted for its recipients")
        self._found.unpacked.encrypted = True
        self._found.add(replace(part, state=PartState.skipped))

    def _message(self, part: Part, data: bytes, place: Place) -> None:
        depth = deeper(place)
        self._found.add(replace(part, state=PartState.skipped))
        tree = mime_tree(data)
        envelope = Envelope(fields=tree.fields, facts=read_facts(tree.fields), depth=depth)
        self.walk(tree, Place(envelope, f"{part.path}/msg:", archives=place.archives, wrapped=place.wrapped))

    def _outlook(self, part: Part, message: Msg, place: Place) -> None:
        """An MSG file, its parts numbered as if it were a multipart/mixed of body and files."""
        envelope = Envelope(fields=message.fields, facts=message.facts, depth=deeper(place))
        self._found.add(replace(part, state=PartState.skipped))
        inner = Place(envelope, f"{part.path}/msg:", archives=place.archives, wrapped=place.wrapped)
        if (body := outlook_body(message, inner.prefix, envelope)) is not None:
            self._file(body[0], partial(bytes, body[1]), inner)
        for file, item in outlook_files(message, inner.prefix, envelope):
            if item.message is None:
                self._file(file, partial(bytes, item.data), inner, is_inline=item.is_inline)
            else:
                self._guarded(file, partial(self._outlook, message=item.message, place=inner))

    def _tnef(self, part: Part, data: bytes, place: Place) -> None:
        found = read_tnef(data)
        inner = replace(inside(place), container="")
        self._found.add(replace(part, state=PartState.skipped))
        for file, content in tnef_parts(part, found):
            self._file(file, partial(bytes, content), inner)

    def _archive(self, part: Part, data: bytes, place: Place) -> None:
        if place.archives >= MAX_DEPTH:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_DEPTH} archives inside each other")
        name = label(part.file_name or "archive")
        base = part.path if place.container else f"{part.path}/{CONTAINERS[part.content_type]}:{name}"
        inner = replace(place, archives=place.archives + 1, container=base, group=None)
        self._found.add(replace(part, state=PartState.skipped))
        first = len(self._found.unpacked.parts)
        try:
            for file, member in archive_parts(part, data, base, self._budget):
                self._file(file, member.content, inner)
        except TooManyParts:  # the archive's fault, and not the mail's
            self._found.forget_from(first)
            raise Unreadable(Code.ARCHIVE_LIMIT, f"with its members the mail has more than {MAX_PARTS} parts") from None


def _check_size(size: int) -> None:
    if size > MAX_PART_BYTES:
        raise Unreadable(Code.PART_TOO_LARGE, f"{size} bytes")
