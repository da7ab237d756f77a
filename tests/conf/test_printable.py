"""conf.printable"""

from __future__ import annotations

import pytest

from conf.printable import printable, said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße ½", "Grüße ½"),
        ("two\nlines\r", "two\\nlines\\r"),
        ("\x1b[31mred\x7f\x9b", "\\x1b[31mred\\x7f\\x9b"),
        ("gpj.\u202eexe", "gpj.\\u202eexe"),
        ("one\u2028two\u2029", "one\\u2028two\\u2029"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_could_steer_a_terminal_or_forge_a_line_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FileNotFoundError(2, "No such file or directory", "mail/1"), "mail/1: No such file or directory"),
        (OSError(18, "Invalid cross-device link", "a", None, "b"), "a -> b: Invalid cross-device link"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("in its own words"), "in its own words"),
    ],
)
def test_an_error_is_said_in_words_with_its_file_first(error: Exception, text: str) -> None:
    assert said(error) == text
