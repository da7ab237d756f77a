from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from parsers.mail.facts import Facts
from parsers.mail.inner import inner_facts, sender_of

OUTER = Facts(
    message_id="m",
    sender="b@c.d",
    subject="FW: x",
    sent_at=datetime(2026, 11, 19, tzinfo=UTC),
    sent_offset=timedelta(hours=-5),
)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Tuesday, November 17, 2026 4:05 PM", (17, 21, 5)),
        ("17. November 2026 16:05", (17, 21, 5)),
        ("Dienstag, 17. November 2026 um 16:05 Uhr", (17, 21, 5)),
        ("mardi 17 novembre 2026 16:05", (17, 21, 5)),
        ("martes, 17 de noviembre de 2026 16:05", (17, 21, 5)),
        ("terça-feira, 17 de novembro de 2026 16:05", (17, 21, 5)),
        ("martedì 17 novembre 2026 16:05", (17, 21, 5)),
        ("17/11/2026 16:05", (17, 21, 5)),
        ("11/17/2026 4:05 PM", (17, 21, 5)),
        ("2026-11-17 16:05", (17, 21, 5)),
        ("Tue, 17 Nov 2026 16:05:00 +0000", (17, 16, 5)),
    ],
)
def test_quoted_dates_are_read_in_the_outer_mails_offset(text: str, moment: tuple[int, int, int]) -> None:
    assert inner_facts({"date": text}, None, OUTER).sent_at == datetime(2026, 11, *moment, tzinfo=UTC)


def test_a_time_without_zone_is_in_the_desks() -> None:
    assert inner_facts({"date": "17 November 2026 16:05"}, "Europe/London", OUTER).sent_at == datetime(
        2026, 11, 17, 16, 5, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "99 November 2026",
        "Tue, 99 Nov 2026 16:05:00 +0000",
        "Monday, January 1, 0001 00:00",
        "Fri, 31 Dec 9999 23:59:59 -0500",
    ],
)
def test_no_date_is_none(text: str) -> None:
    assert inner_facts({"date": text}, None, OUTER).sent_at is None


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("Basil <Basil@Arborstone.example>", ("basil@arborstone.example", "Basil")),
        ("Basil [mailto:b@c.d]", ("b@c.d", "Basil")),
        ("b@c.d", ("b@c.d", None)),
        ('"Holt, Marnie"', (None, "Holt, Marnie")),
        ("", (None, None)),
    ],
)
def test_quoted_senders(text: str, sender: tuple[str | None, str | None]) -> None:
    assert sender_of(text) == sender
