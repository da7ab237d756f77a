"""Where a spread begins in a line: a curve's letter and a sign, or a sign alone (spec 4.3, 5.11)."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.quotes.lexer import patterns
from parsers.quotes.lexer.cutline import CutLine, level
from parsers.quotes.lexer.labels import LETTERS
from parsers.quotes.lexer.token import LEVEL, Token
from parsers.values.separators import exact

_SERIES = re.compile(r"^(?:(?:19|20)\d\d-(?:[A-Z0-9]{1,6}|\d{1,2}[a-z])|\d{1,3}(?:X|-\d{1,2}[AX]?))$")
"""Of a deal."""
_DAYS = "0123"
"""Until a trade settles: behind a price over as few basis points nothing trades."""


def lettered_spread(line: CutLine, at: int) -> Token | None:
    """`T+85/80`, but neither the rating `A-1` nor a settlement: `T+7` without a bond, `settle T+1`, `98/99 T+1`."""
    if line.found and line.found[-1].key == "talk":
        talked = patterns.TALKED.match(line.text, at)
        if talked is not None:
            return Token(LEVEL, at, talked.end(), talked["range"], prefix=talked["prefix"] or "", key="talk")
    match = patterns.SPREAD.match(line.text, at)
    if match is not None and line.found and _SERIES.search(line.found[-1].text) and line.text[at + 1 : at + 2] == " ":
        return None  # `COMET 2024-A1 A +36`: the letter is the tranche's
    if match is None or not match["prefix"] or patterns.RATING.match(line.text, at):
        return None
    return None if _is_settlement(line, at) else spread(line, at, match)


def _is_settlement(line: CutLine, at: int) -> bool:
    """A trade's days, no spread: without a bond, behind a level, or beside the word."""
    settlement = patterns.SETTLEMENT.match(line.text, at)
    if settlement is None:
        return False
    is_behind = line.has_level and settlement[0][-1] in _DAYS
    return not line.has_date or is_behind or "sett" in line.text[max(at - 12, 0) : settlement.end() + 5].lower()


def offered_spread(line: CutLine, at: int) -> Token | None:
    """`/T+81`, `--/T+81`: an ask over a curve."""
    behind = patterns.NO_BID.match(line.text, at)
    match = patterns.SPREAD.match(line.text, behind.end()) if behind is not None else None
    if behind is None or match is None or not match["prefix"]:
        return None
    ask = spread(line, behind.end(), match)
    return replace(ask, start=at, text=f"/{ask.text}")


def spread(line: CutLine, at: int, match: re.Match[str]) -> Token:
    """A spread: its body keeps a minus, and loses the plus that only says that it is one.

    In `I+135 / 99.50` it ends at the price.
    """
    prefix = match["prefix"] or ""
    prefix = prefix.upper() if prefix.islower() else prefix
    priced = patterns.SPREAD_AND_PRICE.fullmatch(match["body"])
    if priced is not None and (not priced["quarters"] or abs(int(priced[1]) - exact(priced[2])) > 15):
        return Token(LEVEL, at, match.start("body") + priced.start(2), priced[1], prefix=prefix)
    body = re.sub(r"^\+\s?", "", match["body"])
    decade = patterns.DECADE.match(line.text, match.end())
    if decade is not None and body.isdigit():  # `J+150s`
        return Token(LEVEL, at, decade.end(), f"{body}s", prefix=prefix, key="talk")
    if match["prefix"]:  # `MS+94/MS+89` says the curve twice
        body = body.replace(match["prefix"], "")
    sides = patterns.SPREAD_SIDES.match(line.text, match.end())
    if sides is None or not body.replace(".", "").isdigit():
        return replace(level(line, at, match.end(), body), prefix=prefix)
    if sides["second"]:
        return Token(LEVEL, at, sides.end(), f"{body}/{sides['second']}", prefix=prefix)
    return Token(LEVEL, at, sides.end(), body, key=LETTERS[sides["letter"] or sides[0]], prefix=prefix)
