"""What came of a list, in front of its lines: `CVR  XYCLO 2021-2A B  99.41`, `DNT  ABCLO 2019-1A A` (ruling 15)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.gates.gates import Beginning
from parsers.lexicon import compiled
from parsers.quotes.lexer.token import IDENTIFIER, LABEL, LEVEL, NUMBER, SIZE, WORD, Token
from parsers.values.sizes import UNIT_IN_TEXT

_FIRST = compiled(
    rf"\s*(?:(?P<cover>{{cover_word}})|(?P<trade>(?:{{we_just}}\s+)?{{traded_word}}|"
    rf"{{we_just}}\s+{{dealt_word}})|(?P<not_traded>dnt))\b[ \t:\-]+(?=[A-Z]|"
    rf"[$€£]?\d[\d.]*\s?{UNIT_IN_TEXT}\s(?:of\s)?[A-Z])",
    re.IGNORECASE,
)
_BEGINNING = Beginning.of(_FIRST)


def result_of(text: str) -> str | None:
    """What the first word says came of the line's bond: cover, trade, not_traded."""
    if text.lstrip()[:1] not in _BEGINNING.characters:
        return None
    match = _FIRST.match(text)
    return match.lastgroup if match is not None and not text[match.end()].islower() else None


def without_result(text: str) -> str:
    """The text with blanks for that word."""
    match = _FIRST.match(text)
    return f"{' ' * match.end()}{text[match.end() :]}" if match is not None else text


def with_result(found: Sequence[Token], result: str) -> list[Token]:
    """The tokens with what came of the bond in front of the value that tells it.

    A value behind `DNT` is left out: nobody paid it.
    """
    until = next((at for at, token in enumerate(found) if token.kind is LABEL), len(found))
    told = next((at for at in range(until) if found[at].kind is LEVEL), None)
    if told is None:
        told = next((at for at in reversed(range(1, until)) if found[at].kind is NUMBER), until)
    if not found or found[0].kind not in (WORD, IDENTIFIER, SIZE):
        return list(found)
    start = found[min(told, len(found) - 1)].start
    label = Token(LABEL, start, start, result, key=result)
    is_joined = found[told - 1].kind is WORD and found[told - 1].text in ("at", "@")
    return [*found[: told - is_joined], label, *found[told + (result == "not_traded") :]]
