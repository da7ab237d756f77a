from __future__ import annotations

import pytest

from parsers.codes import Code, PartState
from parsers.documents.unreadable import Unreadable
from parsers.mail.facts import read_facts
from parsers.mail.fields import split_header
from parsers.mail.mime import Entity, mime_tree
from parsers.mail.part import Envelope
from parsers.mail.place import MAX_NESTED, Place, deeper, inside, leaf, skipped

RAW = (
    b"From: a@b.example\nContent-Type: multipart/mixed; boundary=q\n\n--q\n"
    b"Content-Type: text/plain; charset=latin1; format=flowed\n\nhello\n--q\n"
    b"Content-Type: text/plain; name=run.txt\nContent-Disposition: attachment; filename=run.txt\n\nrun\n--q--\n"
)


def place(depth: int = 0, prefix: str = "") -> Place:
    fields, _ = split_header(RAW, 0, len(RAW))
    return Place(Envelope(fields=fields, facts=read_facts(fields), depth=depth), prefix)


def children() -> list[Entity]:
    return list(mime_tree(RAW).children)


def test_wrappings_inside_each_other_end_at_a_depth() -> None:
    at = place()
    for _ in range(5):
        at = inside(at)
    with pytest.raises(Unreadable) as refused:
        inside(at)
    assert refused.value.code is Code.NESTING_TOO_DEEP


def test_a_text_without_a_name_is_a_body_and_a_file_is_none() -> None:
    body, file = (leaf(child, place()) for child in children())
    assert (body.path, body.is_body, body.file_name) == ("1", True, None)
    assert (file.path, file.is_body, file.file_name) == ("2", False, "run.txt")


def test_what_the_header_says_of_the_text_goes_with_the_part() -> None:
    hints = leaf(children()[0], place()).hints
    assert (hints.charset, hints.flowed, hints.delsp) == ("latin1", True, False)


def test_paths_begin_with_those_of_the_mail_around() -> None:
    inner = place(prefix="2/msg:")
    assert leaf(children()[0], inner).path == "2/msg:1"
    assert (skipped(children()[1], inner).path, skipped(children()[1], inner).state) == ("2/msg:2", PartState.skipped)


def test_mails_inside_each_other_end_at_a_depth() -> None:
    assert deeper(place(MAX_NESTED - 1)) == MAX_NESTED
    with pytest.raises(Unreadable) as refused:
        deeper(place(MAX_NESTED))
    assert refused.value.code is Code.NESTING_TOO_DEEP
