from __future__ import annotations

from parsers.codes import Code
from parsers.sandbox.failures import Allowance, ChildFailed


def test_a_mail_may_take_as_long_as_some_parts_at_their_deadline() -> None:
    assert Allowance.of_parts(6, 60.0).left_s == 6 * Allowance.of_parts(1, 60.0).left_s >= 6 * 60


def test_a_child_that_failed_says_which_part_it_was_at_and_what_becomes_of_it() -> None:
    failure = ChildFailed(Code.PARSE_TIMEOUT, "it hung", "1.2")
    assert (failure.code, str(failure), failure.part) == (Code.PARSE_TIMEOUT, "it hung", "1.2")
