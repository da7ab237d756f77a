"""conf.printable"""

from __future__ import annotations

import pytest

from conf.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße ½", "Grüße ½"),
        ("two\nlines\r", "two\\nlines\\r"),
        ("\x1b[31mred\x7f\x9b", "\\x1b[31mred\\x7f\\x9b"),
        ("gpj.\u202eexe", "gpj.\\u202eexe"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_could_steer_a_terminal_or_forge_a_line_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
