"""ops.searching: a mail's lines, of whichever program, and those of a program, a level or a text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

import conf
from ops.analysis.place import hash_of, store_of_events
from ops.searching import searching
from ops.searching.searching import Asked, lines
from pipelines.errors import NothingPublished
from tests.ops.analysis.conftest import Run, Say, Seen, analysed, log, say, seen

__all__ = ["analysed", "log", "say", "seen"]  # fixtures

ID, DIGEST = "20251103.0842.17@bank.example", "ab" * 32


def events(found: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in found]


@pytest.fixture
def mail(analysed: Run, say: Say) -> None:
    """What four programs say of a mail, among lines of others, in two runs of the analysis."""
    say("8F3A: message-id=<" + ID + ">", unit="postfix")
    say("8F3B: message-id=<other@bank.example>", unit="postfix")
    say("lmtp(desk): msgid=<" + ID + ">: saved mail to INBOX", unit="dovecot")
    say(*(f"another {number}" for number in range(50)), message_id="other@bank.example", sha256="cd" * 32)
    analysed()
    say("taken", message_id=ID, sha256=DIGEST)
    say("a mail not taken now", level="warning", unit="otclog lmtp", host="mx1")
    say("parsed, 10 quotes", message_id=ID, sha256=DIGEST, unit="otclog extract", run="20261128T090000-0123abcd")
    analysed()


FOUR = [
    "8F3A: message-id=<" + ID + ">",
    "lmtp(desk): msgid=<" + ID + ">: saved mail to INBOX",
    "taken",
    "parsed, 10 quotes",
]


@pytest.mark.parametrize("named", [ID, f"<{ID}>", f" <{ID}> "])
@pytest.mark.usefixtures("mail")
def test_a_message_id_finds_its_lines_of_all_programs_in_their_order(named: str, seen: Seen) -> None:
    assert events(seen(mail=named)) == FOUR


@pytest.mark.parametrize("named", [DIGEST, DIGEST.upper(), f"sha256:{DIGEST}"])
@pytest.mark.usefixtures("mail")
def test_a_sha256_finds_the_lines_that_have_it(named: str, seen: Seen) -> None:
    assert events(seen(mail=named)) == FOUR[2:]


@pytest.mark.usefixtures("mail")
def test_a_mail_that_nobody_named_finds_nothing(seen: Seen) -> None:
    assert seen(mail="nobody@bank.example") == []
    assert seen(mail="00" * 32) == []


@pytest.mark.usefixtures("mail")
def test_another_id_of_the_same_hash_is_not_taken_for_it(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    same = hash_of(ID)
    monkeypatch.setattr("ops.searching.searching.hash_of", lambda _: same)
    assert seen(mail="nobody@bank.example") == []


@pytest.mark.usefixtures("mail")
def test_more_lines_of_a_mail_than_are_read_by_their_places_are_found_as_well(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MOST_APART", 3)
    assert events(seen(mail=ID)) == FOUR


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"levels": ["warning", "error"]}, ["a mail not taken now"]),
        ({"host": "mx1"}, ["a mail not taken now"]),
        ({"unit": "dovecot"}, FOUR[1:2]),
        ({"text": "10 quotes"}, FOUR[3:]),
        ({"text": "10 QUOTES"}, []),
        ({"text": "'; DROP TABLE events; --"}, []),
        ({"run": "20261128T090000-0123abcd"}, FOUR[3:]),
        ({"mail": ID, "unit": "postfix"}, FOUR[:1]),
    ],
    ids=str,
)
@pytest.mark.usefixtures("mail")
def test_lines_are_found_by_what_is_asked_of_them(asked: dict[str, str], found: list[str], seen: Seen) -> None:
    assert events(seen(**asked)) == found


@pytest.mark.usefixtures("mail")
def test_a_limit_leaves_the_last_ones(seen: Seen) -> None:
    assert events(seen(2)) == ["a mail not taken now", "parsed, 10 quotes"]


@pytest.mark.usefixtures("mail")
def test_days_are_those_on_which_the_log_took_the_lines(seen: Seen) -> None:
    days = [row["received_ts"].date() for row in seen(mail=ID)]
    assert len(seen(since_day=days[0], until_day=days[-1], mail=ID)) == 4
    assert seen(since_day=days[-1] + timedelta(days=1), mail=ID) == []
    assert seen(until_day=days[0] - timedelta(days=1), mail=ID) == []


def test_before_anything_is_analysed_it_says_what_to_do(settings: conf.Settings) -> None:
    with pytest.raises(NothingPublished, match="otclog ops analyse"):
        list(lines(store_of_events(settings.tables), Asked()))
