from __future__ import annotations

import mailbox
from email.message import EmailMessage
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.documents.budget import MAX_MEMBERS, Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.mboxes import mbox_members


def mail(subject: str, body: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["Subject"] = "desk@dealer.example", subject
    made.set_content(body)
    return made


def read(data: bytes) -> list[tuple[str, bytes]]:
    return [(member.name, member.data) for member in mbox_members(data, Budget())]


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_the_mails_of_an_mbox_come_out_as_they_went_in(tmp_path: Path, newline: bytes) -> None:
    mails = [mail("one", "From the desk: 98.25\n\nFrom us\n"), mail("two", "XS1 99\n")]
    box = mailbox.mbox(tmp_path / "box")
    for each in mails:
        box.add(each)
    box.close()
    data = (tmp_path / "box").read_bytes().replace(b"\n", newline)
    found = read(data)
    assert [name for name, _ in found] == ["1.eml", "2.eml"]
    expected = [bytes(each).replace(b"\n", newline) for each in mails]
    assert [content.rstrip() for _, content in found] == [each.rstrip() for each in expected]


def test_a_sentence_that_begins_with_from_begins_no_mail() -> None:
    data = b"From a@b Mon Nov  3 08:00:00 2025\nSubject: x\n\nsee\n\nFrom our desk in 2025\nsubject to change\n"
    assert len(read(data)) == 1


def test_what_has_no_mail_or_too_many_has_a_code() -> None:
    with pytest.raises(Unreadable) as none:
        read(b"From here on\nno mail\n")
    assert none.value.code is Code.CORRUPT_PART
    one = b"From a@b Mon Nov  3 08:00:00 2025\nSubject: x\n\nx\n\n"
    with pytest.raises(Unreadable) as many:
        read(one * (MAX_MEMBERS + 1))
    assert many.value.code is Code.ARCHIVE_LIMIT
