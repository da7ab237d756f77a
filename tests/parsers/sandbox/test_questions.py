from __future__ import annotations

from parsers.account import from_bytes
from parsers.dealers import Dealers
from parsers.parse import parse_mail
from parsers.sandbox import Sandbox
from parsers.sandbox.questions import answer
from parsers.taught import Taught

MAIL = b"From: r@desk.example\r\nSubject: HY run\r\n\r\nXYZ 5 03/15/34 98/99\r\n"
TAUGHT = Taught.of(Dealers.parse(""))


def test_a_part_and_an_account_can_be_asked_for() -> None:
    (quote,) = parse_mail(MAIL, TAUGHT).quotes
    assert answer({"wanted": "1"}, MAIL, TAUGHT) == b"XYZ 5 03/15/34 98/99\r\n"
    assert answer({"wanted": "2"}, MAIL, TAUGHT) is None
    found = answer({"accounted": ["1", quote.record_id]}, MAIL, TAUGHT)
    assert found is not None
    assert ">     1  XYZ 5 03/15/34 98/99" in from_bytes(found).source
    assert answer({"accounted": ["1", "0"]}, MAIL, TAUGHT) is None


def test_the_child_answers_as_this_process_does() -> None:
    with Sandbox() as sandbox:
        (quote,) = sandbox.parse(MAIL).quotes
        found = sandbox.account(MAIL, "1", quote.record_id)
        assert found is not None
        assert any("^^^^^" in line for line in found.source)
        assert sandbox.account(MAIL, "1", "0") is None
