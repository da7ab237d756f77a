"""What a line says the dealer wants to do: `better buyer of`, `axed to sell` (spec 4.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.quotes.runs.token import LABEL, LEVEL, WORD, Token

_TO_BUY = re.compile(
    r"^\W*buyers?(?=\s[A-Z])|\b(?:better\s+buyers?(?:\s+of)?|buyers?\s+of|axed?\s+to\s+buy|looking\s+to\s+buy|"
    r"(?:we\s+)?(?:can|could|would)\s+(?:buy|bid(?:\s+for)?)|we\s+(?:buy|bid(?:\s+for)?)|(?<!\d\s)bid\s+for|buying|to\s+buy|buy)\b:?",
    re.IGNORECASE,
)
_TO_SELL = re.compile(
    r"^\W*sellers?(?=\s[A-Z])|\b(?:better\s+sellers?(?:\s+of)?|sellers?\s+of|axed?\s+to\s+sell|looking\s+to\s+sell|(?:we\s+)?(?:can|could|would)\s+(?:offer|sell)|"
    r"we\s+(?:sell|offer)|selling|offering|to\s+sell|sell)\b:?",
    re.IGNORECASE,
)


def is_wish(text: str) -> bool:
    """Whether a text says what the dealer wants to do."""
    return _TO_BUY.search(text) is not None or _TO_SELL.search(text) is not None


def take_wish(text: str, found: Sequence[Token]) -> tuple[str | None, list[Token]]:
    """`bid` or `ask` where words in front of the level state a wish, and the tokens without those words."""
    lower = text.lower()
    for pattern, side, words in ((_TO_BUY, "bid", ("buy", "bid")), (_TO_SELL, "ask", ("sell", "offer"))):
        if text.isascii() and words[0] not in lower and words[1] not in lower:
            continue
        match = pattern.search(text)
        if match is None or any(token.kind is LEVEL and token.end <= match.start() for token in found):
            continue
        rest = [token for token in found if not _is_within(token, match)]
        if len(rest) < len(found):
            return side, rest
    return None, list(found)


def _is_within(token: Token, match: re.Match[str]) -> bool:
    return match.start() <= token.start < match.end() and token.kind in (WORD, LABEL)
