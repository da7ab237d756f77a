from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from parsers.codes import Code, MailState, PartState
from parsers.documents import kinds
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.found import Unpacked
from parsers.mail.part import Envelope, Part
from parsers.reading import Reading
from parsers.verdict import state_of, unread, without_quotes

Make = Callable[..., Part]
ENVELOPE = Envelope(fields=Fields((("subject", "run"),)), facts=Facts(subject="run"))
PROSE = "Rates drifted lower into the auction, and we like the belly of the curve here."


def body(make: Make, text: str = PROSE, *, has_history: bool = False, has_table: bool = False) -> Reading:
    return Reading(
        part=make("1", text),
        state=PartState.rejected,
        code=Code.NO_QUOTE_CONTENT,
        text=text,
        has_history=has_history,
        has_table=has_table,
    )


def refused(make: Make, code: Code, path: str = "2") -> Part:
    return make(path, "x", "image/png", is_body=False, state=PartState.rejected, code=code)


@pytest.mark.parametrize(
    ("found", "code"),
    [
        pytest.param(Unpacked(ENVELOPE), None, id="a mail to be read"),
        pytest.param(Unpacked(ENVELOPE, too_many=True, sealed=["1"]), Code.TOO_MANY_PARTS, id="too many parts"),
        pytest.param(Unpacked(ENVELOPE, sealed=["1"]), Code.ENCRYPTED_MAIL, id="sealed"),
        pytest.param(
            Unpacked(replace(ENVELOPE, fields=Fields((("auto-submitted", "auto-replied"),)))),
            Code.BOUNCE_OR_AUTOREPLY,
            id="a machine's answer",
        ),
        pytest.param(
            Unpacked(replace(ENVELOPE, facts=Facts(subject="Recall: run"))), Code.RECALL_NOTICE, id="a recall"
        ),
    ],
)
def test_some_mails_need_no_reading(found: Unpacked, code: Code | None) -> None:
    assert unread(found) is code


@pytest.mark.parametrize("code", [Code.ENCRYPTED_MAIL, Code.TOO_MANY_PARTS, Code.MAIL_TOO_LARGE, Code.EMPTY_MAIL, None])
def test_a_mail_of_which_nothing_was_read_is_rejected(code: Code | None) -> None:
    assert state_of(code) is MailState.rejected


@pytest.mark.parametrize("code", [Code.NO_QUOTE_CONTENT, Code.RECALL_NOTICE, Code.QUOTED_HISTORY_ONLY])
def test_a_mail_that_was_read_and_has_nothing_is_empty(code: Code) -> None:
    assert state_of(code) is MailState.parsed_empty


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (PROSE, Code.NO_QUOTE_CONTENT),
        (" \u200b", Code.EMPTY_MAIL),
        ("Log in to view: https://portal.example/1", Code.EXTERNAL_LINK_ONLY),
        ("Please disregard my earlier run.", Code.RECALL_NOTICE),
    ],
)
def test_a_lone_text_says_what_it_is(text: str, code: Code, part: Make) -> None:
    assert without_quotes(ENVELOPE, [], [body(part, text)]) is code


def test_a_link_may_stand_in_the_html_alone(part: Make) -> None:
    html = part("1", '<a href="https://x.example">View online</a>', kinds.HTML)
    reading = Reading(part=html, state=PartState.rejected, code=Code.NO_QUOTE_CONTENT, text="View online")
    assert without_quotes(ENVELOPE, [], [reading]) is Code.EXTERNAL_LINK_ONLY


def test_quoted_history_goes_before_what_the_text_says(part: Make) -> None:
    assert without_quotes(ENVELOPE, [], [body(part, "thanks", has_history=True)]) is Code.QUOTED_HISTORY_ONLY


def test_an_empty_text_beside_a_table_or_a_file_is_no_empty_mail(part: Make) -> None:
    assert without_quotes(ENVELOPE, [], [body(part, "", has_table=True)]) is Code.NO_QUOTE_CONTENT
    assert without_quotes(ENVELOPE, [refused(part, Code.CALENDAR_INVITE)], [body(part, "")]) is Code.NO_QUOTE_CONTENT
    assert without_quotes(ENVELOPE, [refused(part, Code.INLINE_IMAGE)], [body(part, "")]) is Code.EMPTY_MAIL


def test_a_part_refused_unexpectedly_leaves_the_mail_without_a_code_of_its_own(part: Make) -> None:
    assert without_quotes(ENVELOPE, [refused(part, Code.CORRUPT_PART)], [body(part)]) is None


def test_bytes_without_header_and_without_anything_to_read_are_no_mail(part: Make) -> None:
    nothing = replace(ENVELOPE, fields=Fields(()))
    assert without_quotes(nothing, [refused(part, Code.UNSUPPORTED_TYPE, "1")], []) is Code.MALFORMED_MIME
    assert without_quotes(ENVELOPE, [refused(part, Code.UNSUPPORTED_TYPE, "1")], []) is None
