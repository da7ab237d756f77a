from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.budget import Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.containers import archive_parts, outlook_body, outlook_files, tnef_parts
from parsers.mail.containers.msg import read_msg
from parsers.mail.containers.outlookbody import Body
from parsers.mail.containers.tnef import Tnef
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.part import Envelope, Part

ENVELOPE = Envelope(fields=Fields(()), facts=Facts(sender="r@desk.example"), depth=1)
PART = Part(path="2", envelope=ENVELOPE, content_type=kinds.ZIP, file_name="runs.zip")


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name in names:
            package.writestr(name, name.encode())
    return out.getvalue()


def test_members_have_a_path_under_their_archive_and_the_last_of_their_name() -> None:
    data = zipped("EUR/run.csv", "a!b.txt", "USD\\hy.csv")
    found = list(archive_parts(PART, data, "2/zip:runs.zip", Budget()))
    assert [(part.path, part.file_name, member.content()) for part, member in found] == [
        ("2/zip:runs.zip!EUR/run.csv", "run.csv", b"EUR/run.csv"),
        ("2/zip:runs.zip!a%21b.txt", "a!b.txt", b"a!b.txt"),
        ("2/zip:runs.zip!USD\\hy.csv", "hy.csv", b"USD\\hy.csv"),
    ]
    assert all(part.envelope is ENVELOPE and part.state is None for part, _ in found)


def test_members_before_and_behind_a_broken_one_are_given() -> None:
    data = zipped("a.txt", "b.txt", "c.txt")
    at = data.index(b"b.txt", data.index(b"b.txt") + 1)
    broken = archive_parts(PART, data[:at] + b"X" + data[at + 1 :], "2/zip:runs.zip", Budget())
    first, damaged, last = (member for _, member in broken)
    assert (first.content(), last.content()) == (b"a.txt", b"c.txt")
    with pytest.raises(Unreadable) as refused:
        damaged.content()
    assert refused.value.code is Code.CORRUPT_PART


def test_a_winmail_gives_its_body_first() -> None:
    found = Tnef(Body(kinds.HTML, b"<p>", "utf-8"), (("a.csv", b"1"), ("b.csv", b"2")))
    parts = list(tnef_parts(PART, found))
    assert [(part.path, content) for part, content in parts] == [
        ("2/tnef:body.html", b"<p>"),
        ("2/tnef:a.csv", b"1"),
        ("2/tnef:b.csv", b"2"),
    ]
    assert [(part.is_body, part.hints.charset) for part, _ in parts] == [(True, "utf-8"), (False, None), (False, None)]


def test_a_saved_message_counts_its_body_as_part_1_and_its_files_from_2(shared: Callable[[str], Path]) -> None:
    message = read_msg(next(shared("odd/msg").glob("*attachment_msg_pdf*")).read_bytes())
    body = outlook_body(message, "2/msg:", ENVELOPE)
    assert body is not None
    assert (body[0].path, body[0].is_body) == ("2/msg:1", True)
    files = list(outlook_files(message, "2/msg:", ENVELOPE))
    assert [part.path for part, _ in files] == ["2/msg:2", "2/msg:3"]
    assert [part.content_type == kinds.MSG for part, _ in files] == [item.message is not None for _, item in files]
