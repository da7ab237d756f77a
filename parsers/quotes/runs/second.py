"""Where a second instrument begins on a line of a run (spec 5.11)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.quotes.runs.marking import CURVES
from parsers.quotes.runs.token import DATE, IDENTIFIER, LEVEL, MONTH, NUMBER, SERIES, TENOR, WORD, Token

_DATED = frozenset({MONTH, DATE, SERIES})
_RATED = frozenset({NUMBER, SERIES})


def second_instrument(found: Sequence[Token], *, curves: bool) -> int | None:
    """Where a second instrument begins: behind a level, with a level of its own; None on most lines.

    Args:
        found: the line's tokens.
        curves: instruments are a name and a tenor, so a name is enough to begin one; else it takes a bond.
    """
    levels = [at for at, token in enumerate(found) if token.kind is LEVEL]
    if len(levels) < 2:
        return None
    for at in range(levels[0] + 1, levels[-1]):
        token = found[at]
        if token.kind is IDENTIFIER or (_may_name(found, at, curves=curves) and _has_own(found, at, curves=curves)):
            return token.start
    return None


def _may_name(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    token = found[at]
    is_name = token.kind is WORD and token.text[0].isupper() and found[at - 1].kind is not WORD
    return is_name and len(token.text) >= (1 if curves else 2)


def _has_own(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    """Whether a tenor or bond, and then a level, stand behind a name."""
    ahead = found[at + 1 : at + 5]
    until = next((index for index, token in enumerate(ahead) if token.kind is LEVEL), None)
    if until is None:
        return False
    own = {token.kind for token in ahead[:until]}
    if curves and (not own or TENOR in own) and found[at].text not in CURVES:
        return True
    return not own.isdisjoint(_DATED) and not own.isdisjoint(_RATED)
