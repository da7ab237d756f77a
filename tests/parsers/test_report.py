from __future__ import annotations

import pytest
from msgspec.structs import replace

from parsers.codes import Code, MailState, PartState
from parsers.documents import kinds
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.part import Envelope, Part
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.quote import Quote
from parsers.reading import Reading
from parsers.report import doubted, finished, outcome_of, part_rejects, untouched

PART = Part(
    path="2",
    envelope=Envelope(fields=Fields(()), facts=Facts()),
    content_type=kinds.CSV,
    declared_type="text/plain",
    file_name="px.csv",
    size=12,
    sha256="f" * 64,
)


def test_a_part_left_unread_is_skipped_and_keeps_its_facts() -> None:
    found = untouched(PART)
    assert (found.state, found.code, found.quotes) == (PartState.skipped, None, 0)
    assert (found.part_path, found.content_type, found.declared_type) == ("2", kinds.CSV, "text/plain")
    assert (found.file_name, found.part_sha256, found.size_bytes) == ("px.csv", "f" * 64, 12)


def test_a_part_that_was_read_has_its_state_and_its_count() -> None:
    reading = Reading(
        part=PART, state=PartState.parsed, quotes=(Quote(message_key="k", part_path="1"),) * 2, detail="cut"
    )
    found = outcome_of(reading, is_lone=False)
    assert (found.state, found.code, found.quotes, found.detail) == (PartState.parsed, None, 2, "cut")


@pytest.mark.parametrize(
    ("code", "is_lone", "expected"),
    [
        (Code.NO_QUOTE_CONTENT, True, (PartState.parsed, None)),
        (Code.NO_QUOTE_CONTENT, False, (PartState.rejected, Code.NO_QUOTE_CONTENT)),
        (Code.TABLE_NOT_RECOGNISED, True, (PartState.rejected, Code.TABLE_NOT_RECOGNISED)),
    ],
)
def test_only_a_lone_body_without_quotes_leaves_its_code_to_the_mail(
    code: Code, is_lone: bool, expected: tuple[PartState, Code | None]
) -> None:
    found = outcome_of(Reading(part=PART, state=PartState.rejected, code=code), is_lone=is_lone)
    assert (found.state, found.code) == expected


def test_refusals_are_listed_from_the_mail_down_to_the_row_with_who_refused() -> None:
    row = Reject(level="row", code=Code.ROW_NO_PRICE, part_path="2", locator="row 3", parser="csv")
    reading = Reading(part=PART, state=PartState.rejected, code=Code.TABLE_NOT_RECOGNISED, rejects=(row,), parser="csv")
    parts = (
        PartOutcome(part_path="1", state=PartState.rejected, code=Code.INLINE_IMAGE, content_type="image/png"),
        outcome_of(reading, is_lone=False),
    )
    mail = MailOutcome(
        message_key="k", message_id="m", state=MailState.rejected, code=Code.NO_QUOTE_CONTENT, parts=parts
    )
    found = finished(mail, [reading]).rejects
    assert [(reject.level, reject.code, reject.part_path, reject.parser) for reject in found] == [
        ("mail", Code.NO_QUOTE_CONTENT, None, "mail"),
        ("part", Code.INLINE_IMAGE, "1", "mail"),
        ("part", Code.TABLE_NOT_RECOGNISED, "2", "csv"),
        ("row", Code.ROW_NO_PRICE, "2", "csv"),
    ]


def test_parts_without_a_code_are_no_refusals() -> None:
    assert list(part_rejects([untouched(PART)])) == []


def test_what_looks_like_a_quote_makes_a_clean_part_one_to_be_looked_at_and_is_shown() -> None:
    clean = Reading(part=PART, state=PartState.rejected, code=Code.NO_QUOTE_CONTENT, parser="csv")
    assert doubted(clean) is clean
    reading = doubted(replace(clean, unread="XS2641318121 98,25"))
    (reject,) = part_rejects([outcome_of(reading, is_lone=True)], {"2": reading})
    assert (reject.code, reject.raw_text, reject.parser) == (Code.TABLE_NOT_RECOGNISED, "XS2641318121 98,25", "csv")
    assert "an identifier beside what looks like a price" in reject.detail


def test_a_part_refused_for_another_reason_keeps_its_code() -> None:
    reading = Reading(part=PART, state=PartState.rejected, code=Code.PART_TOO_LARGE, unread="XS2641318121 98,25")
    assert doubted(reading) is reading
