"""The truth of generated mails against what the parsers read in them: two independent accounts of the same bytes."""

from __future__ import annotations

import email
import email.policy
from decimal import Decimal
from email.message import EmailMessage

from ingest.generate.compose import Composed, compose
from parsers.documents.readers import Hints, read_document
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.finding import find_quotes

Levels = tuple[str | None, ...]


def told(mail: Composed) -> set[Levels]:
    """Instrument, measure, tenor, bid and ask of each quote in the truth."""
    return {
        (q.get("instrument_id", q["description"]), q["quote_type"], q.get("tenor"), q.get("bid"), q.get("ask"))
        for q in mail.lines
        if q["kind"] == "quote"
    }


def read(mail: Composed) -> set[Levels]:
    """The same of each quote that the parsers find, part by part."""
    message = email.message_from_bytes(mail.raw, EmailMessage, policy=email.policy.default)
    about = MailContext(message_key=mail.case, message_id=mail.case, subject=message["Subject"])
    found: set[Levels] = set()
    leaves = [part for part in message.walk() if not part.is_multipart()]
    for number, part in enumerate(leaves, 1):
        kind = part.get_content_type()
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        document = read_document(content, kind, Hints(charset=part.get_content_charset()))
        context = PartContext(mail=about, part_path=str(number), content_type=kind, file_name=part.get_filename())
        found |= {
            (q.instrument_id or q.description, str(q.quote_type), q.tenor, _text(q.bid), _text(q.ask))
            for q in find_quotes(document, context).quotes
        }
    return found


def _text(value: Decimal | None) -> str | None:
    if value is None:
        return None
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def test_the_parsers_find_what_the_truth_tells_and_hardly_anything_else() -> None:
    truth: set[Levels] = set()
    found: set[Levels] = set()
    for number in range(220):
        mail = compose(23, number)
        truth |= {(mail.case, *levels) for levels in told(mail)}
        found |= {(mail.case, *levels) for levels in read(mail)}
    assert len(truth) > 1500
    assert len(truth & found) >= 0.98 * len(truth)
    assert len(found - truth) <= 0.01 * len(found)
