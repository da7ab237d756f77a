from __future__ import annotations

import pytest

from parsers.codes import Code, PartState
from parsers.documents import kinds
from parsers.mail.facts import Facts
from parsers.mail.fields import Fields
from parsers.mail.found import Found, Unpacked
from parsers.mail.mime import MAX_PARTS, TooManyParts
from parsers.mail.part import Envelope, Part

ENVELOPE = Envelope(fields=Fields(()), facts=Facts())


def part(path: str, digest: str | None = None, *, alternative: bool = False) -> Part:
    around = ((1, 0),) if alternative else ()
    return Part(
        path=path,
        envelope=ENVELOPE,
        content_type=kinds.TEXT,
        size=1,
        sha256=digest,
        alternatives=around,
        is_body=alternative,
    )


@pytest.fixture
def found() -> Found:
    return Found(Unpacked(ENVELOPE), "2")


def test_each_part_has_a_path_of_its_own(found: Found) -> None:
    assert [found.named(part("1")).path for _ in range(2)] == ["1", "1#2"]


def test_a_container_that_broke_while_it_was_emptied_ends_with_its_code_and_keeps_what_came_out(found: Found) -> None:
    for path in ("1", "1/zip:a!b"):
        found.add(part(path))
    found.refuse(part("1"), Code.CORRUPT_PART, "cut off")
    found.refuse(part("2"), Code.IMAGE_ONLY, "")
    assert [(each.path, each.state, each.code) for each in found.unpacked.parts] == [
        ("1", PartState.rejected, Code.CORRUPT_PART),
        ("1/zip:a!b", None, None),
        ("2", PartState.rejected, Code.IMAGE_ONLY),
    ]


def test_a_copy_names_its_original_until_that_is_forgotten(found: Found) -> None:
    found.add(part("1", "a"))
    assert [found.original(part(path, "a")) for path in ("1", "2")] == [None, "1"]
    assert found.original(part("3", "a", alternative=True)) is None
    found.forget_from(0)
    assert (found.unpacked.parts, found.original(part("2", "a"))) == ([], None)


def test_only_the_wanted_parts_bytes_are_kept(found: Found) -> None:
    for path in ("1", "2"):
        found.keep(part(path), path.encode())
    assert found.unpacked.wanted == b"2"


def test_a_part_too_many_is_refused(found: Found) -> None:
    for number in range(MAX_PARTS):
        found.add(part(str(number)))
    with pytest.raises(TooManyParts):
        found.add(part("x"))
