"""What the records of a part have in common: time, party, and where the part stands (spec 2.3)."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.quote import Quote
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.timing import Times, times_of
from parsers.values.times.moments import Printed


class Common(Struct, frozen=True):
    """What the records of a part share that are of one time."""

    quote: Quote  # time, party, and where the part stands
    flags: frozenset[Flag]
    desk: str | None  # region of the dealer's desk
    offset_hours: float | None  # of the sender's clock
    usual: str | None  # the dealer's currency


@lru_cache(maxsize=256)  # the lines of a part follow one another, and most are of one time
def common_of(context: PartContext, printed: Printed | None, said_at: Printed | None) -> Common:
    """What records of a part share.

    Args:
        context: of the part.
        printed: the time that their rows print.
        said_at: the time that the words around them print.
    """
    mail = context.mail
    quote = Quote(
        quote_ts=mail.sent_at,
        quote_ts_source="header" if mail.sent_at is not None else "received",
        quote_date=_quote_date(mail),
        dealer=mail.dealer.name if mail.dealer else None,
        sender=mail.sender,
        sender_name=mail.sender_name,
        forwarded_by=mail.forwarded_by,
        subject=mail.subject,
        message_id=mail.message_id,
        message_key=mail.message_key,
        part_path=context.part_path,
        content_type=context.content_type,
        file_name=context.file_name,
        part_sha256=context.part_sha256,
        parser_version=mail.parser_version,
    )
    flags = frozenset({Flag.from_history} if mail.from_history else ())
    if printed is not None or said_at is not None:
        times = times_of(printed, said_at, mail)
        quote, flags = _timed(quote, times), flags | times.flags
    desk = mail.dealer.region if mail.dealer and mail.dealer.region != "unknown" else None
    hours = mail.sent_offset.total_seconds() / 3600 if mail.sent_offset is not None else None
    return Common(quote, flags, desk, hours, mail.dealer.currency if mail.dealer else None)


def _timed(part: Quote, times: Times) -> Quote:
    """What is printed goes before the mail's Date."""
    is_printed = times.quote_ts is not None
    return replace(
        part,
        quote_ts=times.quote_ts if is_printed else part.quote_ts,
        quote_ts_source="text" if is_printed else part.quote_ts_source,
        quote_date=times.quote_date or part.quote_date,
        as_of_ts=times.as_of_ts,
    )


def _quote_date(mail: MailContext) -> date | None:
    """The mail's date on the sender's calendar."""
    return (mail.sent_at + (mail.sent_offset or timedelta())).date() if mail.sent_at is not None else None
