"""Who sent a mail, when, and about what: mail-parser's reading of a few fields, as a value of ours."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from msgspec import Struct

from parsers.mail.fields import Fields, decoded

_READ = ("subject", "date", "message-id")  # the rest of a header may be as long as it likes
_MAX_CHARS = 8 * 1024  # of one field: reading encoded words is quadratic
logging.getLogger("mailparser").setLevel(logging.CRITICAL)  # it logs what it meets in mails: that is no news here


class Facts(Struct, frozen=True, kw_only=True):
    """Of one message: the outer mail, a nested one, or an inline forward. Absent is None."""

    message_id: str | None = None  # without <>
    sender: str | None = None  # addr-spec, lower case
    sender_name: str | None = None
    subject: str | None = None
    sent_at: datetime | None = None  # UTC
    sent_offset: timedelta | None = None  # the sender's, from the same field
    date_text: str | None = None  # as written


def read_facts(fields: Fields) -> Facts:
    """The facts in a header. An unreadable field is an absent one."""
    values = {name: value[:_MAX_CHARS] for name in _READ if (value := fields.get(name))}
    author = (fields.get("from") or fields.get("sender") or "")[:_MAX_CHARS]
    mail = _parsed(values)
    name, address = _author(author)
    return Facts(
        message_id=mail.message_id.strip().strip("<>").strip() or None,
        sender=address.strip().lower() or None,
        sender_name=name.strip(" \"'") or None,
        subject=mail.subject.strip() or None,
        sent_at=mail.date,
        sent_offset=timedelta(hours=float(mail.timezone)) if mail.date else None,
        date_text=values.get("date"),
    )


@lru_cache(maxsize=1024)  # a day's mail has a million authors, and of them a few hundred different ones
def _author(text: str) -> tuple[str, str]:
    """Name and address of the first one."""
    name, address = next(iter(_parsed({"from": text}).from_), (decoded(text), ""))
    return name, address


def _parsed(fields: dict[str, str]) -> Any:
    block = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return _header_parser().from_bytes(block.encode("utf-8", "replace") + b"\r\n")


@lru_cache(maxsize=1)
def _header_parser() -> Any:
    """mail-parser's class, which is slow to import, without the dictionary of everything that it makes twice a mail."""
    import mailparser

    class HeaderParser(mailparser.MailParser):  # type: ignore[misc]  # the library has no types
        def _make_mail(self, *_: object, **__: object) -> dict[str, object]:
            return {}

    return HeaderParser
