from __future__ import annotations

import email
from collections.abc import Callable, Iterator
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import mailparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.mail.mime import MAX_DEPTH, MAX_PARTS, Entity, TooManyParts, mime_tree


def leaves(entity: Entity) -> Iterator[Entity]:
    if not entity.is_multipart:
        yield entity
    for child in entity.children:
        yield from leaves(child)


def sections(raw: bytes) -> dict[str, bytes]:
    return {leaf.section: leaf.content() for leaf in leaves(mime_tree(raw))}


NESTED = b"""Content-Type: multipart/mixed; boundary="a b"

preamble
--a b
Content-Type: multipart/alternative; boundary=in

--in

plain
--in
Content-Type: text/html

<p>html</p>
--in--
--a b
Content-Type: text/csv

a,b
--a b--
epilogue
"""


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_parts_have_imaps_numbers_and_their_own_bytes(end: bytes) -> None:
    assert sections(NESTED.replace(b"\n", end)) == {"1.1": b"plain", "1.2": b"<p>html</p>", "2": b"a,b"}


def test_a_lone_body_is_section_1() -> None:
    assert sections(b"Subject: x\n\nbody\n") == {"1": b"body\n"}


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        pytest.param(
            NESTED[: NESTED.index(b"\n--a b--")], {"1.1": b"plain", "1.2": b"<p>html</p>", "2": b"a,b"}, id="cut off"
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=wrong\n\n--right\nContent-Type: text/plain\n\nx\n--right--\n",
            {"1": b"x"},
            id="wrong boundary",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed\n\n--right\nContent-Type: text/plain\n\nx\n--right--\n",
            {"1": b"x"},
            id="no boundary",
        ),
        pytest.param(b"Content-Type: multipart/mixed; boundary=a\n\nonly text\n", {"1": b"only text\n"}, id="no parts"),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx --a\n--ab\ny\n--a--\n",
            {"1": b"x --a\n--ab\ny"},
            id="look-alikes",
        ),
        pytest.param(
            b'Content-Type: multipart/mixed; boundary="a.*+?("\n\n--a.*+?(\n\nx\n--a.*+?(--\n',
            {"1": b"x"},
            id="regex characters",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\nx\n--a--\n",
            {"1": b"", "2": b"x"},
            id="the same boundary inside",
        ),
    ],
)
def test_damaged_mails_give_what_can_be_read(raw: bytes, found: dict[str, bytes]) -> None:
    assert sections(raw) == found


def test_a_digest_holds_mails_by_default() -> None:
    raw = b"Content-Type: multipart/digest; boundary=a\n\n--a\n\nSubject: x\n\ny\n--a--\n"
    assert [leaf.content_type for leaf in leaves(mime_tree(raw))] == ["message/rfc822"]


@pytest.mark.parametrize("depth", [300, 20_000])
def test_nesting_is_cut_at_a_depth(depth: int) -> None:
    raw = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)) + b"\nx"
    (leaf,) = leaves(mime_tree(raw))
    assert leaf.too_deep
    assert leaf.section.count(".") == MAX_DEPTH - 1


def test_more_parts_than_allowed_are_refused() -> None:
    raw = b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * (MAX_PARTS + 1)
    with pytest.raises(TooManyParts):
        mime_tree(raw)


FILES = st.binary(max_size=200).map(MIMEApplication)
TEXTS = st.text(max_size=80).map(lambda text: MIMEText(text, "plain", "utf-8"))
TREES: st.SearchStrategy[Message] = st.recursive(
    FILES | TEXTS,
    lambda inner: st.builds(
        lambda kind, parts: MIMEMultipart(kind, _subparts=parts),
        st.sampled_from(["mixed", "alternative", "related"]),
        st.lists(inner, min_size=1, max_size=4),
    ),
    max_leaves=12,
)


@given(TREES, st.sampled_from([b"\n", b"\r\n"]))
@settings(max_examples=150, deadline=None)
def test_trees_of_any_shape_are_seen_as_the_libraries_see_them(mail: Message, end: bytes) -> None:
    raw = bytes(mail).replace(b"\n", end)
    ours = [part.content() for part in leaves(mime_tree(raw))]
    assert ours == payloads(email.message_from_bytes(raw))
    assert ours == payloads(mailparser.parse_from_bytes(raw).message)


def payloads(mail: Message) -> list[object]:
    return [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]


@pytest.mark.parametrize("folder", ["gold/dev", "odd/eml"])
def test_the_standard_librarys_parser_sees_the_same_parts(folder: str, shared: Callable[[str], Path]) -> None:
    """But where it goes on into attached mails, which are ours to unpack, and empties multiparts without parts."""
    compared = 0
    for file in sorted(shared(folder).glob("*.eml")):
        raw = file.read_bytes()
        theirs = [part for part in email.message_from_bytes(raw).walk() if not part.is_multipart()]
        ours = list(leaves(mime_tree(raw)))
        if any(part.content_type.startswith("message/") for part in ours) or b"\n__\r\n" in raw:
            continue
        if any(part.get_content_maintype() == "multipart" for part in theirs):
            continue
        assert [part.content() for part in ours] == [part.get_payload(decode=True) for part in theirs], file.name
        compared += 1
    assert compared > 30
