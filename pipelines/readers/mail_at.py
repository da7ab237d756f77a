"""One mail, out of the log or a file, as its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from log.claims import claim_of, open_claims
from log.reading import record_at
from log.topic_rules import NAME
from log.types import TopicPartition
from pipelines.errors import BadSelection, NothingToRead
from pipelines.readers.selection import looked_up
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from conf import Settings
    from log.interface import CommitLog

_POSITION = re.compile(rf"({NAME.pattern})(?::(\d{{1,9}}):|-(\d{{1,9}})@)(\d{{1,18}})")
_MESSAGE_ID = re.compile(r"<[^<>]+>|[^\s<>]+@[^\s<>]+")


def require_place(text: str) -> None:
    """Raise BadSelection for what can be neither a position nor a Message-ID."""
    if not _MESSAGE_ID.fullmatch(text):
        position(text)


def place_of(settings: Settings, text: str) -> tuple[TopicPartition, int]:
    """Where the mail is that is named by its position, or by its Message-ID in the published tables.

    Raises:
        BadSelection: the text is neither, or several mails have this Message-ID.
        NothingToRead: no published mail has it.
        NothingPublished, TablesDamaged: nobody can look it up.
    """
    if _POSITION.fullmatch(text) or not _MESSAGE_ID.fullmatch(text):
        return position(text)
    found = looked_up(store_of(settings.tables), {"message_id": text})
    places = [(TopicPartition(each.topic, each.partition), at) for each in found for at in range(each.start, each.stop)]
    if not places:
        raise NothingToRead(f"{text}: no mail that was extracted has this Message-ID; name a position, as mails:0:17")
    if len(places) > 1:
        listed = ", ".join(f"{source.topic}:{source.partition}:{at}" for source, at in places[:5])
        raise BadSelection(f"{text}: {len(places)} mails have this Message-ID; name one: {listed}")
    return places[0]


def position(text: str) -> tuple[TopicPartition, int]:
    """`mails:0:17` as reparse takes it, or `mails-0@17` as prices shows it. Raises BadSelection."""
    match = _POSITION.fullmatch(text)
    if match is None:
        raise BadSelection(
            f"{text}: no such file, no position in the log (mails:0:17, mails-0@17), and no Message-ID (<a@b>)"
        )
    return TopicPartition(match[1], int(match[2] or match[3])), int(match[4])


def mail_at(settings: Settings, log: CommitLog, text: str) -> bytes:
    """The mail of a position or Message-ID, resolved where its record is a claim.

    Raises:
        BadSelection, NothingPublished, TablesDamaged: as `place_of`.
        NothingToRead: there is no such record, or it is no mail.
        ClaimMissing, ClaimUnavailable, LogError: its bytes cannot be had.
    """
    source, offset = place_of(settings, text)
    record = record_at(log, source, offset)
    if record is None or record.value is None:
        raise NothingToRead(f"{text}: no mail is there; `otclog topic describe {source.topic}` shows what is")
    try:
        claim = claim_of(record)
    except ValueError as error:
        raise NothingToRead(f"{text}: {error}") from error
    return open_claims(settings.log).read(claim) if claim else record.value
