from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from parsers.mail.mime import MAX_PARTS
from parsers.sandbox.announced import Announced
from parsers.sandbox.frames import OUTCOME, PART, Frame, FrameError


@pytest.fixture
def announced() -> Iterator[Announced]:
    made = Announced()
    yield made
    os.close(made.write_end)
    made.close()


def say(announced: Announced, *parts: bytes) -> None:
    os.write(announced.write_end, b"".join(Frame(PART, part).encode() for part in parts))


def test_the_last_part_stands_and_news_are_told_once(announced: Announced) -> None:
    assert (announced.part, announced.update()) == (None, False)
    say(announced, b"1", b"2/zip:a!b")
    assert (announced.update(), announced.part, announced.update()) == (True, "2/zip:a!b", False)


def test_half_an_announcement_waits_for_its_other_half(announced: Announced) -> None:
    whole = Frame(PART, b"2").encode()
    os.write(announced.write_end, whole[:5])
    assert not announced.update()
    os.write(announced.write_end, whole[5:])
    assert (announced.update(), announced.part) == (True, "2")


def test_a_new_mail_begins_without_what_was_announced_before(announced: Announced) -> None:
    say(announced, b"1")
    announced.update()
    say(announced, b"2")
    announced.begin()
    assert (announced.update(), announced.part) == (False, None)


def test_nonsense_and_too_many_parts_are_refused_and_the_part_before_stands(announced: Announced) -> None:
    say(announced, b"1")
    os.write(announced.write_end, Frame(OUTCOME, b"{}").encode())
    with pytest.raises(FrameError):
        announced.update()
    assert announced.part == "1"
    announced.begin()
    say(announced, *[b"2"] * (4 * MAX_PARTS))
    assert announced.update()
    say(announced, b"3")
    with pytest.raises(FrameError):
        announced.update()
