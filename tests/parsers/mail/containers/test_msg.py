from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.msg import Msg, moment, read_msg
from parsers.mail.mime import mime_tree

Odd = Callable[[str], Msg]


@pytest.fixture
def odd(shared: Callable[[str], Path]) -> Odd:
    """Files that Outlook wrote: no library here writes them."""
    return lambda name: read_msg(next(shared("odd/msg").glob(f"*{name}*")).read_bytes())


def test_a_message_has_its_facts_and_its_body(odd: Odd) -> None:
    message = odd("example_sent_unicode")
    assert message.facts.subject == "This is a test message please ignore"
    assert message.facts.sender_name == "Mike Farman"
    assert message.facts.sent_at is not None
    assert message.body is not None
    assert message.body.kind in {kinds.HTML, kinds.RTF, kinds.TEXT}


def test_a_time_beyond_the_calendar_is_none() -> None:
    assert [moment(ticks) for ticks in (0, 2**62 - 1, 2**64 - 1)] == [None] * 3
    assert moment(2_650_467_743_999_999_999) == datetime.max.replace(tzinfo=UTC)
    assert moment(116_444_736_000_000_000) == datetime(1970, 1, 1, tzinfo=UTC)


def test_files_and_mails_in_a_message_are_found_in_order(odd: Odd) -> None:
    message = odd("attachment_msg_pdf")
    inner, pdf = message.attached()
    assert inner.message is not None
    assert inner.message.facts.subject == "Test Attachment"
    assert inner.message.facts.sender == "nick.booth@pof.com.au"
    assert pdf.data.startswith(b"%PDF-")


def test_the_gold_message_holds_its_run(shared: Callable[[str], Path]) -> None:
    tree = mime_tree((shared("gold/dev") / "b_msg_attachment.eml").read_bytes())
    message = read_msg(tree.children[1].content())
    assert message.body is not None
    assert b"CLO" in message.body.data.replace(b"\0", b"")
    assert "@" in (message.facts.sender or "")


@pytest.mark.parametrize(
    "data", [b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 5000]
)
def test_a_damaged_file_is_corrupt(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read_msg(data)
    assert refused.value.code is Code.CORRUPT_PART
