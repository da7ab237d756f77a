"""What stands in front of a line that somebody wrote in a chat: clock, speaker, greeting (spec 5.11)."""

from __future__ import annotations

from parsers.lexicon import compiled

_GREETED = (
    r"(?i:{chat_greeting})"
    r"(?:\s[A-Z][a-z]{1,12}){0,2}(?:[,!]|\s[-–])\s+(?=[A-Z])"
)
_SAID = compiled(
    rf"\s*{_GREETED}|"
    r"\s*[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?[\])]?\s+"
    rf"(?:-\s+)?(?:<[^<>]{{1,30}}>|[A-Za-z][\w.@\- ()]{{0,40}}:)\s+(?=\S)(?:{_GREETED})?"
)
"""Of a chat, in front of what somebody wrote: `[09:13] desk: sofr 2y 3.551/3.556`."""


def said_until(text: str) -> int:
    """Where what was said begins: 0 where nothing stands in front of it."""
    match = _SAID.match(text)
    return match.end() if match is not None else 0
