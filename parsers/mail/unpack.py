"""A raw mail to its parts: the MIME tree walked, each part told what it is (spec 6.1, 6.3)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.sniff import sniff
from parsers.documents.unreadable import Unreadable
from parsers.mail.facts import read_facts
from parsers.mail.fields import split_header
from parsers.mail.found import SEALED, Found, Unpacked
from parsers.mail.mime import Entity, TooManyParts, mime_tree
from parsers.mail.opening import open_part
from parsers.mail.part import Envelope, Part
from parsers.mail.place import Place, leaf, skipped
from parsers.mail.transfer import MAX_PART_BYTES, decoded_size

logger = logging.getLogger(__name__)

_PGP_VERSION = "application/pgp-encrypted"  # stands before what is encrypted (RFC 3156)
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
        self.found = found
        self._barred = barred
        self._started = started
        self._groups = 0

    def walk(self, entity: Entity, place: Place) -> None:
        """An entity and what is inside."""
        if not entity.is_multipart:
            self._leaf(entity, place)
            return
        if entity.section:
            self.found.add(part := self.found.named(skipped(entity, place)))
            self.found.keep(part, entity.raw[entity.start : entity.end])
        kind = entity.content_type.partition("/")[2]
        self._groups += kind == "alternative"
        group = self._groups  # children may hold others
        for number, child in enumerate(entity.children):
            inner = place
            if kind == "alternative":
                inner = replace(place, alternatives=(*place.alternatives, (group, number)))
            if kind == "encrypted" or (kind == "signed" and number > 0):
                self._sealed(child, inner, is_encrypted=kind == "encrypted")
            else:
                self.walk(child, inner)

    def _sealed(self, entity: Entity, place: Place, *, is_encrypted: bool) -> None:
        """A signature, or a part of an encrypted mail: not looked into."""
        part = self.found.named(skipped(entity, place))
        self.found.keep(part, entity.content())
        part = replace(part, file_name=entity.fields.file_name, size=entity.end - entity.start)
        if not is_encrypted or entity.content_type == _PGP_VERSION:
            self.found.add(part)
        elif place.envelope.depth > 0:
            self.found.refuse(part, Code.PASSWORD_PROTECTED, SEALED)
        else:
            self.found.unpacked.sealed.append(part.path)
            self.found.add(part)

    def _leaf(self, entity: Entity, place: Place) -> None:
        part = leaf(entity, place)
        is_inline = entity.fields.disposition == "inline" or entity.fields.get("content-id") is not None

        def load() -> bytes:
            if entity.too_deep:
                raise Unreadable(Code.NESTING_TOO_DEEP, "multiparts inside multiparts")
            if entity.end - entity.start > MAX_PART_BYTES:
                _check_size(decoded_size(entity.raw[entity.start : entity.end], entity.encoding))
            return entity.content()

        self.file(part, load, place, is_inline=is_inline)

    def file(self, part: Part, load: Callable[[], bytes], place: Place, *, is_inline: bool = False) -> None:
        """Decide what becomes of a file."""
        self.guarded(part, partial(self._loaded, load=load, place=place, is_inline=is_inline))

    def _loaded(self, part: Part, load: Callable[[], bytes], place: Place, *, is_inline: bool) -> None:
        data = load()
        self.found.keep(part, data)
        _check_size(len(data))
        kind = sniff(data, part.content_type, part.file_name, part.hints.charset)
        part = replace(
            part,
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            content_type=kind,
            is_body=part.is_body and kind in _BODIES,
        )
        open_part(part, data, place, self, is_inline=is_inline)

    def guarded(self, part: Part, work: Callable[[Part], None]) -> None:
        """Do the work on a part; whatever goes wrong stays the part's own affair."""
        part = self.found.named(part)
        self._started(part.path)
        barred = self._barred.get(part.path) or self._barred.get("*")
        if barred is not None:
            self.found.refuse(part, barred, "its reader was stopped")
            return
        try:
            work(part)
        except TooManyParts:
            raise
        except Unreadable as error:
            self.found.refuse(part, error.code, str(error))
        except Exception as error:
            logger.debug("part %s", part.path, exc_info=True)
            self.found.refuse(part, Code.PARSER_ERROR, f"{type(error).__name__}: {error}"[:200])


def _check_size(size: int) -> None:
    if size > MAX_PART_BYTES:
        raise Unreadable(Code.PART_TOO_LARGE, f"{size} bytes")
