"""`parse_mail`: raw bytes in, one outcome out. Knows neither clock nor history, and never raises on input."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from parsers.alternatives import readings_of
from parsers.codes import Code, MailState, PartState
from parsers.documents import kinds
from parsers.duplicates import marked
from parsers.mail.facts import Facts, read_facts
from parsers.mail.fields import split_header
from parsers.mail.part import Part
from parsers.mail.unpack import unpack
from parsers.outcome import MailOutcome, PartOutcome
from parsers.reading import Reader, Reading, dealer_of
from parsers.report import doubted, finished, outcome_of, part_rejects, untouched
from parsers.verdict import state_of, unread, without_quotes
from parsers.version import parser_version

if TYPE_CHECKING:
    from parsers.taught import Taught

logger = logging.getLogger(__name__)

MAX_MAIL_BYTES = 100 * 2**20  # spec 6.1
_NONE_BARRED: Mapping[str, Code] = MappingProxyType({})


def parse_mail(
    raw: bytes,
    taught: Taught | None = None,
    *,
    key: str | None = None,
    barred: Mapping[str, Code] = _NONE_BARRED,
    started: Callable[[str], None] = lambda _: None,
) -> MailOutcome:
    """The outcome of a mail: its state, its parts' states, its quotes and what was refused.

    Args:
        raw: the mail as it came.
        taught: what users teach; the packaged table of dealers by default.
        key: SHA-256 of `raw`, hex, of a caller who has it.
        barred: parts not to be touched, by path, with the code they end in; `*` is every part not named. What the
            sandbox says of parts that killed a child before.
        started: told the path of each part before it is touched, so that a watcher knows which part it was.
    """
    mail = _Mail(key or hashlib.sha256(raw).hexdigest(), len(raw), taught or _packaged())
    try:
        return _parse(raw, mail, barred, started)
    except Exception as error:
        logger.exception("mail %s", mail.key)
        return unparsed(mail.key, mail.size, mail.version, Code.PARSER_ERROR, f"{type(error).__name__}: {error}"[:200])


class _Mail(Struct, frozen=True):
    key: str  # SHA-256, hex
    size: int  # bytes
    taught: Taught

    @property
    def version(self) -> str:
        return parser_version(self.taught)


def unparsed(key: str, size: int, parser_version: str, code: Code, detail: str) -> MailOutcome:
    """The outcome of a mail that no parser got through: one part, with the code. Nothing in it is looked at.

    Args:
        key: SHA-256 of the mail, hex.
        size: of the mail, bytes.
        parser_version: as the outcome is to say it.
        code: of the one part.
        detail: for people.
    """
    part = PartOutcome(
        part_path="1", state=PartState.rejected, code=code, detail=detail, content_type=kinds.EML, size_bytes=size
    )
    return MailOutcome(
        message_key=key,
        message_id=f"sha256:{key}",
        state=MailState.rejected,
        size_bytes=size,
        parser_version=parser_version,
        parts=(part,),
        rejects=tuple(part_rejects([part])),
    )


@lru_cache(maxsize=1)
def _packaged() -> Taught:
    from parsers.taught import Taught

    return Taught.load(None)


def header_alone(head: bytes, key: str, size: int, code: Code, taught: Taught) -> MailOutcome:
    """The outcome of a mail of which nothing but its header is read: it is too large, or its bytes are gone.

    Args:
        head: its first bytes, as far as there are any.
        key: SHA-256 of the whole mail, hex.
        size: of the whole mail, bytes.
        code: the mail's.
        taught: what users teach.
    """
    fields, _ = split_header(head, 0, len(head))
    outcome = _header(_Mail(key, size, taught), read_facts(fields))
    return finished(replace(outcome, state=state_of(code), code=code), ())


def _parse(raw: bytes, mail: _Mail, barred: Mapping[str, Code], started: Callable[[str], None]) -> MailOutcome:
    if mail.size > MAX_MAIL_BYTES:
        return header_alone(raw, mail.key, mail.size, Code.MAIL_TOO_LARGE, mail.taught)
    found = unpack(raw, barred, started)
    code = unread(found)
    outcome = _header(mail, found.envelope.facts)
    is_sealed = code is Code.ENCRYPTED_MAIL  # or some of it: beside that there may be a run for all to read
    reader = Reader(mail.key, mail.taught, mail.version, found.envelope.facts.sender, found.budget)
    readings = _readings(found.parts, reader, started) if code is None or is_sealed else {}
    quotes = marked(readings.values())
    if code is not None and not quotes:
        parts = () if found.too_many else tuple(untouched(part) for part in found.parts)
        return finished(replace(outcome, state=state_of(code), code=code, parts=parts), ())
    code = None
    if not quotes:
        readings = {path: doubted(reading) for path, reading in readings.items()}
        decided = [part for part in found.parts if part.path not in readings]
        code = without_quotes(found.envelope, decided, list(readings.values()))
    read = [reading for reading in readings.values() if reading.state is not PartState.skipped]
    is_lone = len(read) == 1 and code is not None
    parts = tuple(
        outcome_of(reading, is_lone=is_lone) if (reading := readings.get(part.path)) else untouched(part)
        for part in found.with_codes()
    )
    state = MailState.parsed if quotes else state_of(code)
    return finished(replace(outcome, state=state, code=code, parts=parts, quotes=quotes), readings.values())


def _header(mail: _Mail, facts: Facts) -> MailOutcome:
    """What the outcome says of the mail itself."""
    dealer = dealer_of(facts.sender, mail.taught.dealers)
    return MailOutcome(
        message_key=mail.key,
        message_id=facts.message_id or f"sha256:{mail.key}",
        state=MailState.rejected,
        sender=facts.sender,
        sender_name=facts.sender_name,
        dealer=dealer.name if dealer else None,
        subject=facts.subject,
        sent_at=facts.sent_at,
        date_text=facts.date_text,
        size_bytes=mail.size,
        parser_version=mail.version,
    )


def _readings(parts: Sequence[Part], reader: Reader, started: Callable[[str], None]) -> dict[str, Reading]:
    """Every part that is to be read, read once; of alternatives those that are not used are skipped."""
    pending = [part for part in parts if part.state is None]

    def read(part: Part) -> Reading:
        started(part.path)
        return reader.read(part)

    readings = {reading.part.path: reading for reading in readings_of(pending, read)}
    return {part.path: readings[part.path] for part in pending}
