"""conf.printable"""

from __future__ import annotations

import pytest

from conf.printable import printable, said, size, span


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


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (119, "119 s"), (150, "2 min"), (86_400, "24 h"), (200_000, "2 d")]
)
def test_a_time_is_said_in_its_largest_unit(seconds: float, said: str) -> None:
    assert span(seconds) == said


@pytest.mark.parametrize(
    ("number", "said"), [(312, "312 B"), (12_800, "12.5 KiB"), (3 << 20, "3.0 MiB"), (5 << 40, "5,120.0 GiB")]
)
def test_a_size_is_said_in_its_largest_unit(number: int, said: str) -> None:
    assert size(number) == said
