"""What the search for quotes may know of the mail around a part."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from parsers.quotes.answers.told import Anew
from parsers.securities.dictionary import Dictionary

Words = tuple[tuple[str, str], ...]
"""A dealer's own words, in lower case, each with what it means in the lexicon's words."""


class Dealer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the dealer table: who stands behind a sender's domain or address, and how he writes.

    Of what holds where nothing in a mail says otherwise, None and False say nothing.
    """

    name: str
    region: str = "unknown"  # of the desk
    zone: str | None = None  # IANA time zone of the desk
    asset_class: str | None = None  # what this sender mails when nothing else says
    currency: str | None = None  # of his quotes
    measure: str | None = None  # a quote type: of levels that nothing measures
    unit: int | None = None  # that his sizes count
    sides: str | None = None  # of a line's bare pairs: `bid/ask`, `ask/bid`
    thirty_seconds: bool = False  # his prices are in 32nds
    words: Words = ()  # anywhere
    columns: Words = ()  # as whole cells, headings above all


class MailContext(Struct, frozen=True, kw_only=True, cache_hash=True):
    """Facts of one message: the outer mail, a nested one, or an inline forward's inner header."""

    message_key: str
    message_id: str
    dealer: Dealer | None = None
    sender: str | None = None
    sender_name: str | None = None
    forwarded_by: str | None = None
    subject: str | None = None
    sent_at: datetime | None = None  # UTC
    sent_offset: timedelta | None = None  # the sender's, from the Date header
    from_history: bool = False  # the quotes come from an inline forward
    parser_version: str = ""
    securities: Dictionary | None = None  # what the user's master file knows of instruments
    note: tuple[str, ...] = ()  # of an attachment: the lines of the body, where that holds no prices itself


class PartContext(Struct, frozen=True, kw_only=True, cache_hash=True):
    """Facts of one part, with its message's."""

    mail: MailContext
    part_path: str
    content_type: str
    file_name: str | None = None
    part_sha256: str | None = None
    anew: tuple[Anew, ...] = ()  # blocks that weighing found to be of other classes than they were read under

    @property
    def file_title(self) -> str | None:
        """The file's name as words, without its ending: `Trade confirmation 8812`."""
        return self.file_name.rsplit(".", 1)[0].replace("_", " ") if self.file_name else None
