from __future__ import annotations

import time

import pytest

from parsers.document import Grid, Line
from parsers.documents.html.reader import read_html
from parsers.documents.text import text_lines
from parsers.mail.history import Block, Message, Parted, is_forward, part_history


def parted(text: str) -> Parted:
    return part_history(text_lines(text))


def words(blocks: tuple[Block, ...]) -> list[str]:
    return [
        block.text if isinstance(block, Line) else "GRID" for block in blocks if isinstance(block, Grid) or block.text
    ]


def older(found: Parted) -> list[list[str]]:
    return [words(message.blocks) for message in found.older]


def test_the_senders_words_end_at_the_first_mark() -> None:
    found = parted("new 98/99\n\nOn 17 Nov 2026 Zola wrote:\n> old 97/98\n>\n> Zola\n")
    assert words(found.own) == ["new 98/99"]
    assert older(found) == [["old 97/98", "Zola"]]


def test_after_an_attribution_without_quote_marks_all_is_history() -> None:
    found = parted("new\n\nOn 17 Nov 2026 Zola wrote:\nold 97/98\nolder\n")
    assert words(found.own) == ["new"]
    assert older(found) == [["old 97/98", "older"]]


def test_inline_answers_stay_with_the_line_they_answer() -> None:
    found = parted("inline.\n\nOn 17 Nov 2026 Anouk wrote:\n\n> XS2284175614 - where?\n99.10/99.60\n> thanks\n\nbye\n")
    assert words(found.own) == ["inline.", "> XS2284175614 - where?", "99.10/99.60", "bye"]
    assert [block.quoted for block in found.own if isinstance(block, Line) and block.text.startswith(">")] == [True]


def test_a_chain_is_cut_into_its_mails_newest_first() -> None:
    found = parted(
        "FYI\n-----Original Message-----\nFrom: A <a@b.c>\nSent: Tue\nTo: B\nSubject: x\n\nsecond\n\n"
        "From: C <c@d.e>\nSent: Mon\nTo: A\nSubject: x\n\nfirst\n"
    )
    assert words(found.own) == ["FYI"]
    assert [message.header.get("from") for message in found.older] == ["A <a@b.c>", "C <c@d.e>"]
    assert older(found) == [["second"], ["first"]]


def test_a_forward_quoted_twice_loses_no_line() -> None:
    found = parted("see below\n\n-----Original Message-----\n>> ABC 98/99\n>> DEF 97/98\n")
    assert older(found) == [["ABC 98/99", "DEF 97/98"]]


def test_marks_of_quoting_without_end_take_no_time() -> None:
    began = time.process_time()
    parted("see below\n\n-----Original Message-----\n" + (">" * 5_000 + " x\n") * 200)
    assert time.process_time() - began < 5


def test_quotes_a_thousand_deep_take_no_time() -> None:
    began = time.process_time()
    parted("own\n" + 1000 * (1000 * ">" + " x\n"))
    assert time.process_time() - began < 3


def test_a_forward_in_quote_marks_is_unquoted_and_keeps_its_line_numbers() -> None:
    found = parted(
        "see below\n\nBegin forwarded message:\n\n> From: A <a@b.c>\n> Date: Tue\n> Subject: x\n> \n> CHTR 98/99\n"
    )
    (message,) = found.older
    assert message.header == {"from": "A <a@b.c>", "date": "Tue", "subject": "x"}
    (line,) = [block for block in message.blocks if isinstance(block, Line) and block.text]
    assert (line.number, line.text, line.quoted) == (9, "CHTR 98/99", False)


def test_tables_inside_a_quote_are_history() -> None:
    page = b"<p>new</p><table><tr><td>A<td>98</tr></table><div class=gmail_quote>On 17 Nov 2026 Z wrote:"
    page += b"<blockquote type=cite><table><tr><td>A<td>97</tr></table></blockquote></div>"
    found = part_history(read_html(page).blocks)
    assert words(found.own) == ["new", "GRID"]
    assert older(found) == [["GRID"]]


@pytest.mark.parametrize("text", ["", "just a run\nCHTR 98/99\n", "> all quoted\n> 98/99\n"])
def test_every_line_is_kept_on_one_side(text: str) -> None:
    found = parted(text)
    assert len(words(found.own)) + sum(map(len, older(found))) == len([line for line in text.splitlines() if line])


@pytest.mark.parametrize(
    "mark", ["-----Original Message-----\n" * 50, "On 1 Jan 2026 x wrote:\n" * 50, ">" * 5000 + "\n"]
)
def test_marks_without_mails_come_to_an_end(mark: str) -> None:
    assert all(isinstance(message, Message) for message in parted(mark).older)


@pytest.mark.parametrize(
    ("subject", "forward"),
    [("FW: HY run", True), ("Fwd: x", True), ("WG: Kurse", True), ("TR: x", True), ("RV: x", True), ("ENC: x", True),
     ("I: Prezzi", True), ("Re: FW: x", False), ("IG run", False), (None, False)],
)  # fmt: skip
def test_forwards_show_in_the_subject(subject: str | None, *, forward: bool) -> None:
    assert is_forward(subject) is forward


def test_an_answer_below_a_blank_line_keeps_the_line_that_it_answers() -> None:
    found = parted("On 17 Nov 2026 Anouk wrote:\n\n> XS2284175614 - where?\n\n99.10/99.60\n\n> thanks\n\nbye\n")
    assert words(found.own) == ["> XS2284175614 - where?", "99.10/99.60", "bye"]


@pytest.mark.parametrize(
    ("mark", "passed_on"),
    [("---------- Forwarded message ---------", True), ("Begin forwarded message:", True), ("Messaggio inoltrato", True),
     ("-----Original Message-----", False), ("On 17 Nov 2026 Zola wrote:", False)],
)  # fmt: skip
def test_a_mail_programs_mark_says_that_a_mail_is_passed_on(mark: str, *, passed_on: bool) -> None:
    found = parted(f"fyi\n\n{mark}\nFrom: Desk <d@dealer.example>\nDate: Mon, 2 Mar 2026\nTo: Me\n\nX 5 33 98/99\n")
    assert (found.is_passed_on, len(found.older)) == (passed_on, 1)
