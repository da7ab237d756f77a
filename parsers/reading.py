"""One part read: its document, its own words, its quotes, and the state it ends in."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.document import Document, Grid, Line
from parsers.documents.budget import Budget
from parsers.documents.readers import read_document
from parsers.documents.unreadable import Unreadable
from parsers.mail.facts import Facts
from parsers.mail.history import Message, Parted, is_forward, part_history
from parsers.mail.inner import inner_facts, sender_of
from parsers.mail.part import Envelope, Part
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.context import Dealer, MailContext, PartContext
from parsers.quotes.work import MOST, Work

if TYPE_CHECKING:
    from parsers.dealers import Dealers
    from parsers.taught import Taught

MAX_NOTED = 12
"""Lines of a covering note; what is behind them is a signature."""
MAX_NOTED_LINE = 160
"""Characters of such a line; what is longer is talk."""

logger = logging.getLogger(__name__)


class Reading(Struct, frozen=True, kw_only=True):
    """What a part turned out to hold."""

    part: Part
    state: PartState
    code: Code | None = None
    detail: str = ""
    quotes: tuple[Quote, ...] = ()
    rejects: tuple[Reject, ...] = ()  # of rows
    text: str = ""  # the sender's own words, to judge a mail without quotes by
    unread: str | None = None  # what looks like a quote where none was found
    has_history: bool = False
    has_table: bool = False
    parser: str = "mail"


class Reader:
    """Reads the parts of one mail."""

    def __init__(
        self, message_key: str, taught: Taught, parser_version: str, outer_sender: str | None, budget: Budget
    ) -> None:
        self._message_key = message_key
        self._dealers, self._securities = taught.dealers, taught.securities
        self._version = parser_version
        self._outer_sender = outer_sender
        self._budget = budget
        self._work = Work()
        self._noted: tuple[Envelope | None, tuple[str, ...]] = (None, ())  # the last body without prices, of which mail

    def read(self, part: Part) -> Reading:
        """Never raises on what is in the part."""
        try:
            return self._read(part)
        except Unreadable as error:
            return Reading(part=part, state=PartState.rejected, code=error.code, detail=str(error))
        except Exception as error:
            logger.debug("part %s", part.path, exc_info=True)
            detail = f"{type(error).__name__}: {error}"[:200]
            return Reading(part=part, state=PartState.rejected, code=Code.PARSER_ERROR, detail=detail)

    def _read(self, part: Part) -> Reading:
        self._work = Work(looks_up=self._securities is not None)  # each part's own: none takes from its siblings
        document = read_document(part.data, part.content_type, part.hints, self._budget)
        is_text = part.is_body or bool(part.alternatives)
        parted = part_history(document.blocks) if is_text else Parted(document.blocks, ())
        facts = part.envelope.facts
        own = replace(document, blocks=parted.own)
        context = self._context(part, facts, forwarded_by=self._outer_sender if part.envelope.depth else None)
        found = self._find(own, context)
        if not found.quotes and parted.older and (parted.is_passed_on or is_forward(facts.subject)):
            found = self._forwarded(part, document, parted.older, _note(own)) or found
        if part.is_body:
            self._noted = (part.envelope, () if found.quotes else _note(own))
        code, detail, rejects = found.code, "; ".join(filter(None, (found.detail, document.note))), found.rejects
        if document.truncated:  # what was read stays, the rest is refused (spec 6.1)
            code, detail = Code.PART_TOO_LARGE, "the part goes on beyond the limits"
            if found.quotes:
                rest = Reject(level="part", code=code, detail=detail, part_path=part.path, parser=document.parser)
                rejects = (rest, *rejects)
        return Reading(
            part=part,
            state=PartState.parsed if found.quotes else PartState.rejected,
            code=None if found.quotes else code,
            detail=detail,
            quotes=found.quotes,
            rejects=rejects,
            text="\n".join(block.text for block in parted.own if isinstance(block, Line) and not block.quoted),
            unread=found.unread,
            has_history=bool(parted.older),
            has_table=any(isinstance(block, Grid) for block in parted.own),
            parser=document.parser,
        )

    def _forwarded(
        self, part: Part, document: Document, older: Iterable[Message], note: tuple[str, ...]
    ) -> FoundIn | None:
        """The newest forwarded mail that holds quotes, below the note of who passed it on."""
        for message in older:
            address, _ = sender_of(message.header.get("from", ""))
            dealer = dealer_of(address, self._dealers)
            facts = inner_facts(message.header, dealer.zone if dealer else None, part.envelope.facts)
            context = self._context(part, facts, forwarded_by=part.envelope.facts.sender, from_history=True, note=note)
            found = self._find(replace(document, blocks=message.blocks), context)
            if found.quotes:
                return found
        return None

    def _find(self, document: Document, context: PartContext) -> FoundIn:
        from parsers.quotes.finding import find_quotes

        found = find_quotes(document, context, self._work)
        rows = tuple(reject for reject in found.rejects if reject.level == "row")
        ended = next((row for row in rows if row.code is Code.PART_TOO_LARGE), None)
        if ended is not None and not found.quotes:  # no row stands to go with it: the part itself is refused
            others = tuple(row for row in rows if row is not ended)
            return FoundIn((), others, ended.code, f"reading ended at {ended.locator}: {MOST} units of work were done")
        code = Code.NO_QUOTE_CONTENT if found.recognised else Code.TABLE_NOT_RECOGNISED
        detail = "" if found.recognised else "a table whose columns nobody knows"
        return FoundIn(found.quotes, rows, code, detail, found.unread)

    def _context(
        self,
        part: Part,
        facts: Facts,
        *,
        forwarded_by: str | None,
        from_history: bool = False,
        note: tuple[str, ...] = (),
    ) -> PartContext:
        mail = MailContext(
            message_key=self._message_key,
            message_id=facts.message_id or f"sha256:{self._message_key}",
            dealer=dealer_of(facts.sender, self._dealers),
            sender=facts.sender,
            sender_name=facts.sender_name,
            forwarded_by=forwarded_by,
            subject=facts.subject,
            sent_at=facts.sent_at,
            sent_offset=facts.sent_offset,
            from_history=from_history,
            parser_version=self._version,
            securities=self._securities,
            note=self._noted[1] if self._noted[0] is part.envelope and not part.is_body else note,
        )
        return PartContext(
            mail=mail,
            part_path=part.path,
            content_type=part.content_type,
            file_name=part.file_name,
            part_sha256=part.sha256,
        )


def _note(document: Document) -> tuple[str, ...]:
    """The first lines of a covering note, which may say what holds for all attachments: `all USD, indicative`."""
    texts = [block.text.strip() for block in document.blocks if isinstance(block, Line) and not block.quoted]
    return tuple([text for text in texts if text and len(text) <= MAX_NOTED_LINE][:MAX_NOTED])


class FoundIn(Struct, frozen=True):
    """What the search found in one document."""

    quotes: tuple[Quote, ...]
    rejects: tuple[Reject, ...]
    code: Code
    detail: str
    unread: str | None = None  # as of `Found`


def dealer_of(address: str | None, dealers: Dealers) -> Dealer | None:
    """Who stands behind an address: an entry of the table, else the domain itself (spec 2.3)."""
    return dealers.lookup(address) if address else None
