"""What a line says the dealer wants to do: `better buyer of`, `axed to sell` (spec 4.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.headings.stances import BETTER
from parsers.quotes.runs.token import LABEL, LEVEL, WORD, Token
from parsers.values.sizes import UNIT_IN_TEXT

_WE = r"(?:we(?:\s+are|['’]re)?\s+(?:an?\s+)?)?"  # `we are a better buyer`
_BUYERS = r"buyers?|acheteurs?|käufer|comprador(?:es)?|compratori?"
_SELLERS = r"sellers?|vendeurs?|verkäufer|vendedor(?:es)?|venditori?"
_OF = r"\s(?:de|d['’]|von|di|do|da|em|in|en)(?:\b|(?<=['’]))\s?"
_ARE = (
    r"(?:(?:nous\s)?sommes\s|(?:wir\s)?sind\s|somos\s|siamo\s|estamos\s)?"
    rf"(?:(?:{BETTER})\s)?"
)
_CAN = r"(?:(?:nous\s+)?pouvons|on\s+peut|je\s+peux|podemos|puedo|posso|possiamo)\s+"
_TO_BUY = re.compile(
    rf"\b{_ARE}(?:{_BUYERS}){_OF}|^\W*(?:{_BUYERS})(?=\s+(?!\s|of\s)[A-Z\d])|\b{_WE}(?:better\s+(?:buyers?(?:\s+of)?|bid\b)|buyers?\s+of(?:\s+protection\b)?|axed?\s+to\s+buy|looking\s+to\s+buy|"
    r"(?:(?:we\s+)?(?:can|could|would|will)|(?:we|i)['’](?:d|ll))\s+(?:buy|pay|bid(?:\s+for)?)|we\s+(?:buy|pay|bid(?:\s+for)?)|(?<!\d\s)bid\s+for|"
    rf"looking\s+for\s+offers?\s+(?:in|on)|buying|to\s+buy|(?<!\bbest\s)buy(?:\s+axe)?|^\W*bid(?=\s+(?:\d[\d.,]*\s?{UNIT_IN_TEXT}\s+)?(?-i:[A-Z])[^@]*\s@)|"
    rf"{_CAN}(?:acheter|payer|comprare?|pagar)|"
    r"compr(?:o|amos)|busc(?:o|amos)|(?:nous\s+)?(?:achetons|cherchons)|(?:on|je)\s(?:cherche|paie|paye|ach[eè]te)|(?:ich\s)?(?:kaufe|suche)|(?:wir\s+)?(?:kaufen|suchen)|compriamo|cerc(?:o|hiamo))\b:?",
    re.IGNORECASE,
)
_TO_SELL = re.compile(
    rf"\b{_ARE}(?:{_SELLERS}){_OF}|^\W*(?:{_SELLERS})(?=\s+(?!\s|of\s)[A-Z\d])|\b{_WE}(?:better\s+(?:sellers?(?:\s+of)?|offer(?:ed)?\b)|sellers?\s+of(?:\s+protection\b)?|axed?\s+to\s+sell|looking\s+to\s+sell|"
    r"(?:(?:we\s+)?(?:can|could|would|will)|(?:we|i)['’](?:d|ll))\s+(?:offer|sell)|we\s+(?:sell|offer(?:ed)?)|looking\s+for\s+bids?\s+(?:in|on)|(?<!\w\s)offer(?=\s+(?:\d[\d.,]*\s?mm?\s+)(?-i:[A-Z])[^@]*\s(?:@|at)\s)|selling|offering|to\s+sell|sell(?:\s+axe)?|"
    rf"{_CAN}(?:vendre|offrir|vendere?|ofrecer|oferecer|offrire)|"
    r"vend(?:o|emos)|ofre(?:zco|cemos)|ofere(?:ço|cemos)|(?:nous\s+)?(?:vendons|offrons)|(?:on|je)\s(?:vends?|offre)|(?:ich\s)?(?:verkaufe|biete)|(?:wir\s+)?(?:verkaufen|bieten)|vendiamo|offr(?:o|iamo))\b:?",
    re.IGNORECASE,
)
_MAY_WISH = re.compile(r"b(?:uy|id)|pa[iy]|compr|busc|cerc|achet|cherch|k[aä]uf|such|sell|ofe?r|off|vend|biete")
"""What every wish has, in lower case."""
_OF_WHAT = re.compile(r"\b(?:of|in|on)\b:?$", re.IGNORECASE)
_AT_LEVEL = re.compile(r"(?:\b(?:at|a|à|zu|pay|bid)|@)\s?(?:[A-Z]{0,3}\+)?\d")
_INTEREST = re.compile(rf"\b(?:better|axed?|{_BUYERS}|{_SELLERS}|looking)\b", re.IGNORECASE)


def is_interest(text: str) -> bool:
    """Whether what the dealer wants is an axe: `better buyer of`; `we bid 97` is one side of a market (ruling 28)."""
    return _INTEREST.search(text) is not None


def is_wish(text: str) -> bool:
    """Whether a text says what the dealer wants to do."""
    return wish_in(text) is not None


def is_switch(text: str) -> bool:
    """Whether a line proposes to sell one thing and buy another: nobody says who pays which level."""
    lower = text.lower()
    return "sell" in lower and "buy" in lower and _TO_BUY.search(text) is not None and _TO_SELL.search(text) is not None


def is_proposal(text: str) -> bool:
    """Whether a line has two wishes by their bare verbs, as a switch has: `sell X at 98 buy Y at 99`."""
    first, second = _TO_BUY.search(text), _TO_SELL.search(text)
    return first is not None and second is not None and (first[0].lower() == "buy" or second[0].lower() == "sell")


def wish_in(text: str) -> tuple[int, int] | None:
    """The span of the words that say what the dealer wants; None where none do."""
    if _MAY_WISH.search(text.lower()) is None:
        return None
    match = _TO_BUY.search(text) or _TO_SELL.search(text)
    return match.span() if match is not None else None


def second_wish(text: str) -> int | None:
    """Where a second wish begins, with a level of its own: `buyers of X 5 33 at 98 and sellers of Y 6 34 at 99`."""
    lower = text.lower()
    if _MAY_WISH.search(lower) is None:
        return None
    first, second = _TO_BUY.search(text), _TO_SELL.search(text)
    if first is None or second is None or is_proposal(text):
        return None
    at = max(first.start(), second.start())
    return at if _AT_LEVEL.search(text, 0, at) and _AT_LEVEL.search(text, at) else None


def take_wish(text: str, found: Sequence[Token]) -> tuple[str | None, list[Token]]:
    """`bid` or `ask` where words in front of the level state a wish, and the tokens without those words."""
    if _MAY_WISH.search(text.lower()) is None:
        return None, list(found)
    for pattern, side in ((_TO_BUY, "bid"), (_TO_SELL, "ask")):
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
