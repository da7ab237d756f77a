"""Terms of notes that are printed as sizes are, parts of strips as curves are (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from parsers.quotes.lexer.token import DATE, SIZE, TENOR, WORD, Token

_MONTHS = re.compile(r"(?:[369]|1[258]|2[147]|3[036]|48|60)m")


def with_terms(found: Sequence[Token]) -> list[Token]:
    """The tokens of a note's line; months between two words of its name are a term, for sizes stand outside it."""
    return list(_with_terms(found))


def _with_terms(found: Sequence[Token]) -> Iterator[Token]:
    yield from found[:1]
    for at, (before, token) in enumerate(pairwise(found), 2):
        is_inside = before.kind is WORD and before.text[:1].isupper() and at < len(found) and found[at].kind is WORD
        is_term = is_inside and token.kind is SIZE and _MONTHS.fullmatch(token.text)
        yield replace(token, kind=TENOR) if is_term else token


def with_interest(found: Sequence[Token]) -> list[Token]:
    """The tokens of a strip's line; the `I` behind its date is of its name, `S 0 02/15/30 I`, and no swap curve's."""
    joined: list[Token] = []
    for token in found:
        if token.text == "I" and joined and joined[-1].kind is DATE:
            joined[-1] = replace(joined[-1], end=token.end)
        else:
            joined.append(token)
    return joined
