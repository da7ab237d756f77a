"""The level that a sentence or a dealer puts in front of the bond: `98.5 bid CHTR 5 1/8 27` (spec 4.6, 5.11)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.lexer.labels import SIDES
from parsers.quotes.lexer.token import LABEL, LEVEL, NUMBER, SIZE, WORD, Token

_FOR = frozenset({"for", "in", "on"})
_AT = frozenset({"at", "@", "a", "al", "à", "zu"})
_MARKET_SIDES = frozenset({"bid", "ask"})


def take_lead(found: list[Token], *, wished: bool = False) -> None:
    """Turns the value and the side in front of a bond into its level: `98.5 bid CHTR 5 1/8 27`.

    Args:
        found: the line's tokens.
        wished: the line says what the dealer wants to do, so a lone value can be the level: `we can pay 98 for X`.
    """
    if len(found) < 4:
        return
    if [token.kind for token in found[:3]] == [NUMBER, WORD, SIZE] and found[
        1
    ].text == "for":  # `3.60 for 2mm CA GO 5s 34`
        found[0] = replace(found[0], kind=LEVEL)
        return
    if _take_sentence(found, wished=wished):
        return
    if found[2].kind is not WORD or not found[2].text[:1].isupper():
        return
    value = next((at for at in (0, 1) if found[at].kind is NUMBER), 0)
    side = found[1 - value]
    if found[value].kind is NUMBER and side.kind is LABEL and side.key in SIDES:
        found[:2] = [replace(found[value], kind=LEVEL, key=side.key)]


def _take_sentence(found: list[Token], *, wished: bool) -> bool:
    """Takes the level in front of a bond, and the words that lead to it: `best I can do is 98 bid for 2mm BAC 5 33`."""
    at = next((at for at, token in enumerate(found) if token.kind is not WORD), 0)
    is_sided = found[at].kind is NUMBER and bool(found[at + 1 : at + 2]) and found[at + 1].key in _MARKET_SIDES
    if not (is_sided or _is_level(found, at, wished=wished)):
        return False
    behind = at + 2 if is_sided else at + 1
    if behind >= len(found) or found[behind].text not in _FOR:
        return False
    name = _name_behind(found, behind)
    if name is None:
        return False
    token = replace(found[at], kind=LEVEL, key=found[at + 1].key if is_sided else found[at].key)
    found[:name] = [token, *(token for token in found[behind:name] if token.kind is SIZE)]
    return True


def _name_behind(found: Sequence[Token], at: int) -> int | None:
    """Where the instrument begins that a level is for; None where none does, or one with a level of its own."""
    name = next((index for index in range(at + 1, len(found)) if not _is_before_name(found[index])), len(found))
    if name == len(found) or found[name].kind is not WORD or not found[name].text[:1].isupper():
        return None
    return None if any(token.kind in (LEVEL, LABEL) for token in found[name:]) else name


def _is_level(found: Sequence[Token], at: int, *, wished: bool) -> bool:
    """Whether a level begins a sentence, or a lone number the answer to a wish; not in `sell 3 for X at 99`."""
    if found[at].kind is LEVEL:
        return True
    return wished and at == 0 and found[at].kind is NUMBER and not any(token.text in _AT for token in found)


def _is_before_name(token: Token) -> bool:
    return token.kind is SIZE or token.text in ("the", "your", "of")
