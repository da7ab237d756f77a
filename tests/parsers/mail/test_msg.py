from __future__ import annotations

from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.mail.mime import Entity, mime_tree
from parsers.mail.msg import Msg, read_msg

SHARED = Path(__file__).parents[4] / "shared"


def odd(name: str) -> Msg:
    """A file that Outlook wrote: no library here writes them."""
    found = sorted((SHARED / "odd" / "msg").glob(f"*{name}*"))
    if not found:
        pytest.skip("the shared corpora are not here")
    return read_msg(found[0].read_bytes())


def test_a_message_has_its_facts_and_its_body() -> None:
    message = odd("example_sent_unicode")
    assert message.facts.subject == "This is a test message please ignore"
    assert message.facts.sender_name == "Mike Farman"
    assert message.facts.sent_at is not None
    assert message.body is not None
    assert message.body.kind in {kinds.HTML, kinds.RTF, kinds.TEXT}


def test_files_and_mails_in_a_message_are_found_in_order() -> None:
    message = odd("attachment_msg_pdf")
    inner, pdf = message.attached()
    assert inner.message is not None
    assert inner.message.facts.subject == "Test Attachment"
    assert inner.message.facts.sender == "nick.booth@pof.com.au"
    assert pdf.data.startswith(b"%PDF-")


def test_the_gold_message_holds_its_run() -> None:
    file = SHARED / "gold" / "dev" / "b_msg_attachment.eml"
    if not file.is_file():
        pytest.skip("the shared corpora are not here")
    tree: Entity = mime_tree(file.read_bytes())
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
