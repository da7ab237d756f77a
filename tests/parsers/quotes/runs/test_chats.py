"""Clock, speaker and greeting in front of what is said."""

from __future__ import annotations

import pytest

from parsers.quotes.runs.lines.chats import said_until


@pytest.mark.parametrize(
    "front",
    [
        "[09:13] desk: ",
        "[10:02:11] Dana (Ferncliff): morning, ",
        "hi, ",
        "10:15 <kai> ",
        "10:15 AM Lee: ",
        "Morning - ",
        "Hi Jon, ",
    ],
)
def test_clock_speaker_and_greeting_are_not_what_is_said(front: str) -> None:
    assert said_until(f"{front}CVNA 9 06/30 104/104.75") == len(front)


@pytest.mark.parametrize("text", ["CVNA 9 06/30 104/104.75", "10:30 update", "AAL 5 03/34 98/99, thanks"])
def test_a_line_of_a_run_has_nothing_in_front(text: str) -> None:
    assert said_until(text) == 0
