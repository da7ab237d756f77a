from __future__ import annotations

import pytest

from parsers.mail import notices
from parsers.mail.facts import Facts, read_facts
from parsers.mail.fields import Fields, split_header


def header(text: str) -> tuple[Fields, Facts]:
    raw = text.encode() + b"\n\n"
    fields, _ = split_header(raw, 0, len(raw))
    return fields, read_facts(fields)


@pytest.mark.parametrize(
    ("text", "is_auto"),
    [
        ("Auto-Submitted: auto-replied", True),
        ("Auto-Submitted: auto-generated (rejected)", True),
        ("Auto-Submitted: no", False),
        ("X-Auto-Response-Suppress: All\nSubject: Automatic reply: IG run", True),
        ("X-Auto-Response-Suppress: All\nSubject: Abwesenheitsnotiz", True),
        ("X-Auto-Response-Suppress: All\nSubject: IG run", False),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=x", True),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=x", False),
        ("From: MAILER-DAEMON@mx.example\nSubject: Undelivered Mail Returned to Sender", True),
        ("From: postmaster@mx.example\nSubject: quota", False),
        ("From: desk@bank.example\nSubject: IG run", False),
    ],
)
def test_what_no_person_sent(text: str, *, is_auto: bool) -> None:
    assert notices.is_auto_reply(*header(text)) is is_auto


def test_recalls() -> None:
    assert notices.is_recall("Recall: HY RUN")
    assert notices.is_recall("Rückruf: Kurse")
    assert not notices.is_recall("Callable recall list")
    assert notices.speaks_of_recall('Remy would like to recall the message, "HY RUN".')
    assert notices.speaks_of_recall("Please disregard, cancel my last run.")
    assert not notices.speaks_of_recall("T+85/80 as per our call")


@pytest.mark.parametrize(
    ("text", "has_link", "points"),
    [
        ("Your daily runs are ready. Please log in to view them:\n\nhttps://portal.example/runs/1", False, True),
        ("Your latest run is available on the Oakmere portal.\nView run online", True, True),
        ("https://x.example/1", False, True),
        ("Morning comment: rates drifted lower into the auction, we like the belly here.", True, False),
        ("no link at all", False, False),
        ("word " * 100 + "https://x.example portal", False, False),
    ],
)
def test_mails_that_only_point_elsewhere(text: str, *, has_link: bool, points: bool) -> None:
    assert notices.only_points_elsewhere(text, has_link=has_link) is points


@pytest.mark.parametrize(("text", "empty"), [("", True), (" \n\u00a0\u200b", True), ("ok", True), ("98½", False)])
def test_empty_is_fewer_than_three_visible_characters(text: str, *, empty: bool) -> None:
    assert notices.is_empty(text) is empty
