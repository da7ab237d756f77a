"""The account of one quote: its source as it was read, with the place marked, and what decided.

The part is read once more, with an eye on the quote's line: reading mails keeps none of this, and costs nothing for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parsers.alternatives import readings_of
from parsers.codes import Flag
from parsers.document import Document, Grid, Line
from parsers.mail.unpack import unpack
from parsers.quotes.answers.knowing import known_of
from parsers.quotes.context import Dealer, PartContext
from parsers.quotes.finding import drafts_of, trusted_of
from parsers.quotes.runs.account import account as of_line
from parsers.quotes.spoken import Spoken, words_of
from parsers.quotes.tables.account import account as of_cell
from parsers.quotes.tables.account import rows_around
from parsers.quotes.weighing.weighing import anew_of, reasons, weigh
from parsers.reading import FoundIn, Reader
from parsers.version import parser_version

if TYPE_CHECKING:
    from parsers.quote import Quote
    from parsers.securities.dictionary import Dictionary
    from parsers.taught import Taught

REACH = 2
"""Rows or lines shown before and behind the quote's."""
_LONGEST = 400  # characters of a line shown


class Account(Struct, frozen=True):
    """Lines for people; they hold text of the mail."""

    source: tuple[str, ...]  # the lines or rows around, the quote's marked
    decided: tuple[str, ...]  # the words that decided, a sentence each


def account(raw: bytes, part_path: str, record_id: str, taught: Taught) -> Account | None:
    """The account of a quote of this mail; None where today's parser finds none of this record_id there."""
    found = unpack(raw, {}, lambda _: None)
    part = next((one for one in found.parts if one.path == part_path), None)
    if part is None:
        return None
    key = hashlib.sha256(raw).hexdigest()
    reader = _Watched(key, taught, parser_version(taught), found.envelope.facts.sender, found.budget)
    if not part.is_body:  # a covering note may say what holds for its attachments
        before = found.parts[: found.parts.index(part)]
        noting = [one for one in before if one.is_body and one.state is None and one.envelope is part.envelope]
        readings_of(noting, reader.read)
        reader.seen = None
    quote = next((quote for quote in reader.read(part).quotes if quote.record_id == record_id), None)
    if quote is None or reader.seen is None:
        return None
    return _of(quote, *reader.seen)


def to_bytes(found: Account | None) -> bytes | None:
    """As a child sends it."""
    return None if found is None else msgspec.json.encode(found)


def from_bytes(data: bytes) -> Account:
    """What a child sent. Raises msgspec.DecodeError: it is something else."""
    return msgspec.json.decode(data, type=Account)


class _Watched(Reader):
    """The reader of parts, which remembers the document that held the quotes."""

    seen: tuple[Document, PartContext] | None = None

    def _find(self, document: Document, context: PartContext) -> FoundIn:
        found = super()._find(document, context)
        if found.quotes:
            self.seen = document, context
        return found


def _of(quote: Quote, printed: Document, context: PartContext) -> Account:
    document, dealer = printed, context.mail.dealer
    trusted = trusted_of(quote.record_id, printed, context)
    weighed, context = _weighed(quote, printed, context)
    taught = [*_of_dictionary(quote, context.mail.securities), *(_of_dealer(dealer) if dealer is not None else ())]
    words = words_of(dealer)
    if words is not None:
        spoken = Spoken(words, printed, context)
        document, context = spoken.document, spoken.context
        taught += [f"`{own}` is the dealer's word for `{meant}`" for own, meant in spoken.heard]
    told = (*weighed, *taught, *trusted)
    if quote.line is not None:
        lines = [block for block in document.blocks if isinstance(block, Line)]
        shown = [block for block in printed.blocks if isinstance(block, Line)]
        return Account(tuple(_lines_around(shown, quote)), (*of_line(lines, context, quote.line), *told))
    for at, (block, shown_as) in enumerate(zip(document.blocks, printed.blocks, strict=True)):
        if isinstance(block, Grid) and isinstance(shown_as, Grid) and quote.row is not None and _is_of(quote, block):
            decided = of_cell(block, context, document.blocks[:at], (quote.row, quote.col))
            return Account(tuple(rows_around(shown_as, quote.row, quote.col, REACH)), (*decided, *told))
    return Account((), ())


def _of_dictionary(quote: Quote, securities: Dictionary | None) -> Iterator[str]:
    """What the user's dictionary knows of the instrument."""
    currency = quote.currency if Flag.ccy_assumed not in quote.flags else None
    known = known_of(securities, quote, currency) if securities is not None else None
    if known is not None:
        further = {"class": known.asset_class, "currency": known.currency, "unit": known.unit}
        told = (f"{name} {value}" for name, value in further.items() if value is not None)
        yield f"the dictionary of instruments knows it: {', '.join((known.security_id, *told))}"


def _weighed(quote: Quote, document: Document, context: PartContext) -> tuple[list[str], PartContext]:
    """What made the class of a quote's block another than was read first, and the context that it is read again in."""
    if quote.class_source != "weighed":
        return [], context
    drafts = drafts_of(document, context)
    blocks = weigh(drafts)
    place = (quote.sheet, quote.page, quote.table_idx, quote.row, quote.line)
    here = {
        (draft.told, draft.asset_class)
        for draft in drafts
        if (draft.sheet, draft.page, draft.table_idx, draft.row, draft.line) == place
    }
    others = [block for block in blocks if block.best != block.read and (block.told, block.read) in here]
    return [reason for block in others for reason in reasons(block)], replace(context, anew=anew_of(blocks))


def _of_dealer(dealer: Dealer) -> Iterator[str]:
    """What the dealer table says of his quotes, beside the class."""
    said = {name: getattr(dealer, name) for name in ("currency", "measure", "unit", "sides", "thirty_seconds")}
    told = ", ".join(f"{name} {value}" for name, value in said.items() if value)
    if told:
        yield f"by the dealer table, where nothing else is said: {told}"


def _is_of(quote: Quote, grid: Grid) -> bool:
    return (grid.sheet, grid.table_idx) == (quote.sheet, quote.table_idx) and any(
        row.number == quote.row and row.page == quote.page for row in grid.rows
    )


def _lines_around(lines: Sequence[Line], quote: Quote) -> Iterator[str]:
    """The lines near the quote's, each with its number, carets below its level."""
    at = next((index for index, line in enumerate(lines) if line.number == quote.line), None)
    if at is None:
        return
    for line in lines[max(at - REACH, 0) : at + REACH + 1]:
        is_it = line.number == quote.line
        text = line.text[:_LONGEST].replace("\t", " ")
        yield f"{'>' if is_it else ' '} {line.number:>5}  {text}"
        start, end = (quote.char_start or 0) - line.char_start, (quote.char_end or 0) - line.char_start
        if is_it and 0 <= start < end <= len(text):
            yield " " * (start + 9) + "^" * (end - start)
