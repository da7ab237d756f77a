from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from parsers.mail.facts import Facts, read_facts
from parsers.mail.fields import split_header


def facts(text: str) -> Facts:
    raw = text.encode() + b"\n"
    return read_facts(split_header(raw, 0, len(raw))[0])


def test_the_facts_of_a_mail() -> None:
    found = facts(
        "From: =?utf-8?q?J=C3=B6rg?= <J.Obermueller@Lindenau-Bank.example>\nSubject: =?utf-8?q?Kurse_=E2=80=93_18=2E11=2E?=\n"
        "Date: Wed, 18 Nov 2026 09:12:00 +0100\nMessage-ID: <a@b>\n"
    )
    assert found == Facts(
        message_id="a@b",
        sender="j.obermueller@lindenau-bank.example",
        sender_name="Jörg",
        subject="Kurse – 18.11.",
        sent_at=datetime(2026, 11, 18, 8, 12, tzinfo=UTC),
        sent_offset=timedelta(hours=1),
        date_text="Wed, 18 Nov 2026 09:12:00 +0100",
    )


@pytest.mark.parametrize("date", ["yesterday", "Wed, 31 Feb 2026 09:12:00 +0100", "99999999999999", ""])
def test_a_date_that_is_none_is_kept_as_text(date: str) -> None:
    found = facts(f"From: a@b.c\nDate: {date}\n")
    assert (found.sent_at, found.sent_offset, found.date_text) == (None, None, date or None)


@pytest.mark.parametrize(
    ("line", "sender", "name"),
    [
        ("From: a@b.c, d@e.f", "a@b.c", None),
        ("Sender: a@b.c", "a@b.c", None),
        ('From: "Desk, The" <a@b.c>', "a@b.c", "Desk, The"),
        ('From: "alec milton"', None, "alec milton"),
        ("From: ", None, None),
        ("Subject: nobody", None, None),
    ],
)
def test_the_author_is_the_first_address(line: str, sender: str | None, name: str | None) -> None:
    assert (facts(line).sender, facts(line).sender_name) == (sender, name)
