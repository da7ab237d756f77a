"""Words without case, accents and punctuation, for looking phrases up (spec 5.3)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_GREEK = str.maketrans({"δ": "d", "Δ": "d", "∆": "d", "σ": "vol"})
_CHANGE = re.compile(r"(?<=[^\W\d]) ?[Δ∆](?!\w)|^[Δ∆] ?(?=\S)")  # `Px Δ`, `Δ 1d`; of an option, `25Δ` and a lone `Δ`
_JOINED = re.compile(r"(?<=[a-z])\.(?=[a-z])")
_WORD = re.compile(r"[a-z0-9%+$€£.]+")


MAX_REMEMBERED = 300
"""Characters of a text whose words are remembered: a heading is asked for its class, measures and facts in turn."""


def fold(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and punctuation; `%` `+` `$` `€` `£` count as letters."""
    return _remembered(text) if len(text) <= MAX_REMEMBERED else _folded(text)


def _folded(text: str) -> tuple[str, ...]:
    plain = text.lower() if text.isascii() else _unaccented(text)
    if "." in plain:  # `B.Px`
        plain = _JOINED.sub(" ", plain)
    return tuple([bare for word in _WORD.findall(plain) if (bare := word.strip("."))])


_remembered = lru_cache(maxsize=4096)(_folded)


def _unaccented(text: str) -> str:
    flat = unicodedata.normalize("NFKD", _CHANGE.sub(" chg ", text).translate(_GREEK).casefold())
    return "".join([letter for letter in flat if not unicodedata.combining(letter)])
