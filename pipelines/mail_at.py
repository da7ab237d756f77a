"""One mail, out of the log or a file, as its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from log.claims import claim_of, open_claims
from log.types import TopicPartition
from pipelines.errors import BadSelection, NothingToRead

if TYPE_CHECKING:
    from conf import Settings
    from log.interface import CommitLog

_POSITION = re.compile(r"([A-Za-z0-9._-]{1,249})(?::(\d{1,9}):|-(\d{1,9})@)(\d{1,18})")


def position(text: str) -> tuple[TopicPartition, int]:
    """`mails:0:17` as reparse takes it, or `mails-0@17` as prices shows it. Raises BadSelection."""
    match = _POSITION.fullmatch(text)
    if match is None:
        raise BadSelection(f"{text}: no such file, and no position in the log: write mails:0:17 or mails-0@17")
    return TopicPartition(match[1], int(match[2] or match[3])), int(match[4])


def mail_at(settings: Settings, log: CommitLog, text: str) -> bytes:
    """The mail at a position, resolved where its record is a claim.

    Raises:
        BadSelection: the text is no position.
        NothingToRead: there is no such record, or it is no mail.
        ClaimMissing, ClaimUnavailable, LogError: its bytes cannot be had.
    """
    source, offset = position(text)
    records = log.read(source, offset, 1)
    if not records or records[0].offset != offset or records[0].value is None:
        raise NothingToRead(f"{text}: no mail is there; `otclog topic describe {source.topic}` shows what is")
    try:
        claim = claim_of(records[0])
    except ValueError as error:
        raise NothingToRead(f"{text}: {error}") from error
    return open_claims(settings.log).read(claim) if claim else records[0].value
