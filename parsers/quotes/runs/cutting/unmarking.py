"""A line without what only marks its parts, and with its markets as most dealers write them (spec 4.1)."""

from __future__ import annotations

import re

from parsers.lexicon import compiled
from parsers.values.separators import exact

_BULLET = re.compile(r"\s*(?:[-•*·▪◦–#→»]|[=-]>|[a-h]\))\s+(?=(?:\d[\d,]*\s+)?[A-Za-z])")
_CLOCK = re.compile(r"\s*\[(?P<time>\d{1,2}:\d\d(?::\d\d)?)\](?=\s)")
_FOOTNOTES = re.compile(r"(?<=[\d½¼¾⅛⅜⅝⅞])[*†‡⁰¹²³⁴-⁹]+(?=[\s/,;)]|$)")
_SLASHLIKE = re.compile(r"(?:(?<=[\d½¼¾⅛⅜⅝⅞+])|(?<=\d ))\\(?=\s?[\d.])|(?<=[\d½¼¾⅛⅜⅝⅞])~(?=\d)")
_BETWEEN = re.compile(
    r"(?<![\d.,/+-])(?<!von )(?P<bid>\d{1,3}[.,]\d+) (?:at|zu) (?P<ask>\d{1,3}(?:[.,]\d+)?)(?![\d.,/%]\d|\s?\d/)"
)
_NARROW = 20
"""A market is narrower than this part of its ask."""
_UNIT_TWICE = re.compile(r"(?<=\d)\s?(dm|DM|bps?|% ?NAV)(?=\s?/\s?\d[\d.,]*\s?\1(?!\w))")
"""Of the bid, where the ask has it too: `101 DM / 98 DM`."""
_UNIT_BEFORE_NOTHING = re.compile(r"(?<=\d)\s?(?P<unit>dm|DM|bps?|% ?NAV)/--(?!\S)")
"""Of a bid alone: `335dm/--`."""
_PATH = re.compile(r":\\|\\\\")
_RATED = compiled(r"\s*{rating_letters}[+-]?\s{2,}(?=[A-Z0-9]{3,6} \d)")  # `AAA  BLACK 2021-1A A1R`


def unmarked(text: str) -> str:
    r"""The text with blanks for a bullet or rating in front and footnotes behind numbers: `98.25¹` (spec 4.1).

    `97.25\97.75` is the market that a slash makes it, and so is `101~98`.
    """
    for mark in (_BULLET, _RATED):
        if (leading := mark.match(text)) is not None:
            text = f"{' ' * leading.end()}{text[leading.end() :]}"
    if "[" in text and (clock := _CLOCK.match(text)) is not None:
        text = f"{' ' * clock.start('time')}{clock['time']} {text[clock.end() :]}"
    if " at " in text or " zu " in text:
        text = _BETWEEN.sub(_as_market, text)
    if "/--" in text:
        text = _UNIT_BEFORE_NOTHING.sub(lambda match: f"/- {match['unit']}".ljust(len(match[0])), text)
    text = _UNIT_TWICE.sub(lambda match: " " * len(match[0]), text)
    if "~" in text or ("\\" in text and not _PATH.search(text)):
        text = _SLASHLIKE.sub("/", text)
    if text.isascii() and "*" not in text:
        return text
    return _FOOTNOTES.sub(lambda match: " " * len(match[0]), text)


def _as_market(match: re.Match[str]) -> str:
    """`98.5 at 99.25` as the slash makes it, and `5.75 at 99.25` as it is."""
    bid, ask = (exact(match[side].replace(",", ".")) for side in ("bid", "ask"))
    return f"{match['bid']} /  {match['ask']}" if abs(ask - bid) * _NARROW <= ask else match[0]
