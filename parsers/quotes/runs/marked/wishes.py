"""What a line says the dealer wants to do: `better buyer of`, `axed to sell` (spec 4.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled
from parsers.quotes.lexer.token import LABEL, LEVEL, WORD, Token
from parsers.values.sizes import UNIT_IN_TEXT

_WE_BUY = (
    r"\b(?:{we_are}\s)?(?:{better}\s)?{buyer}\s{of_something}(?:\b|(?<=['’]))\s?|"
    r"^\W*{buyer}(?=\s+(?!\s|of\s)[A-Z\d])|\b(?:{we_are_a}\s+)?(?:{wants_to_buy}|"
    r"{we_would}\s+{buy_verb}|(?<!\d\s)bid\s+for|(?<!\bbest\s){buys}|"
    rf"^\W*bid(?=\s+(?:\d[\d.,]*\s?{UNIT_IN_TEXT}\s+)?(?-i:[A-Z])[^@]*\s@)|{{we_can}}\s+{{to_buy}})\b:?"
)
_WE_SELL = (
    r"\b(?:{we_are}\s)?(?:{better}\s)?{seller}\s{of_something}(?:\b|(?<=['’]))\s?|^\W*{seller}(?=\s+(?!\s|"
    r"of\s)[A-Z\d])|\b(?:{we_are_a}\s+)?(?:{wants_to_sell}|{we_would}\s+{sell_verb}|"
    r"(?<!\w\s)offer(?=\s+(?:\d[\d.,]*\s?mm?\s+)(?-i:[A-Z])[^@]*\s(?:@|at)\s)|{we_can}\s+{to_sell})\b:?"
)
_TO_BUY, _TO_SELL = Stemmed.of(_WE_BUY, re.IGNORECASE), Stemmed.of(_WE_SELL, re.IGNORECASE)
_OF_WHAT = re.compile(r"\b(?:of|in|on)\b:?$", re.IGNORECASE)
_AT_LEVEL = compiled(r"(?:\b{at_level}|@)\s?(?:[A-Z]{0,3}\+)?\d")
_INTEREST = compiled(r"\b(?:better|axed?|{buyer}|{seller}|looking)\b", re.IGNORECASE)


def _may_wish(lower: str) -> bool:
    return _TO_BUY.passes(lower) or _TO_SELL.passes(lower)


def is_interest(text: str) -> bool:
    """Whether what the dealer wants is an axe: `better buyer of`; `we bid 97` is one side of a market (ruling 28)."""
    return _INTEREST.search(text) is not None


def is_wish(text: str) -> bool:
    """Whether a text says what the dealer wants to do."""
    return wish_in(text) is not None


def is_switch(text: str) -> bool:
    """Whether a line proposes to sell one thing and buy another: nobody says who pays which level."""
    lower = text.lower()
    return (
        "sell" in lower
        and "buy" in lower
        and _TO_BUY.pattern.search(text) is not None
        and _TO_SELL.pattern.search(text) is not None
    )


def is_proposal(text: str) -> bool:
    """Whether a line has two wishes by their bare verbs, as a switch has: `sell X at 98 buy Y at 99`."""
    first, second = _TO_BUY.pattern.search(text), _TO_SELL.pattern.search(text)
    return first is not None and second is not None and (first[0].lower() == "buy" or second[0].lower() == "sell")


def wish_in(text: str) -> tuple[int, int] | None:
    """The span of the words that say what the dealer wants; None where none do."""
    if not _may_wish(text.lower()):
        return None
    match = _TO_BUY.pattern.search(text) or _TO_SELL.pattern.search(text)
    return match.span() if match is not None else None


def second_wish(text: str) -> int | None:
    """Where a second wish begins, with a level of its own: `buyers of X 5 33 at 98 and sellers of Y 6 34 at 99`."""
    lower = text.lower()
    if not _may_wish(lower):
        return None
    first, second = _TO_BUY.pattern.search(text), _TO_SELL.pattern.search(text)
    if first is None or second is None or is_proposal(text):
        return None
    at = max(first.start(), second.start())
    return at if _AT_LEVEL.search(text, 0, at) and _AT_LEVEL.search(text, at) else None


def take_wish(text: str, found: Sequence[Token]) -> tuple[str | None, list[Token]]:
    """`bid` or `ask` where words in front of the level state a wish, and the tokens without those words."""
    if not _may_wish(text.lower()):
        return None, list(found)
    for pattern, side in ((_TO_BUY.pattern, "bid"), (_TO_SELL.pattern, "ask")):
        match = pattern.search(text)
        if match is None or any(token.kind is LEVEL and token.end <= match.start() for token in found):
            continue
        whose = [token for token in found if token.end <= match.start()] if _OF_WHAT.search(match[0]) else []
        whose = whose if all(token.kind is WORD for token in whose) else []  # `Real money seller of 10mm F 6.1 32`
        rest = [_behind(token, match.end()) for token in found[len(whose) :] if not _is_within(token, match)]
        if len(rest) < len(found):
            return side, rest
    return None, list(found)


def _is_within(token: Token, match: re.Match[str]) -> bool:
    return match.start() <= token.start and token.end <= match.end() and token.kind in (WORD, LABEL)


def _behind(token: Token, end: int) -> Token:
    """What stands behind the wish of a word that both share: `vendeurs d'OAT`."""
    is_shared = token.kind is WORD and token.start < end < token.end and token.text[end - token.start - 1] in "'’"
    return replace(token, start=end, text=token.text[end - token.start :]) if is_shared else token
