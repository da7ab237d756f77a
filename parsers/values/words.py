"""Words without case, accents and punctuation, for looking phrases up (spec 5.3)."""

from __future__ import annotations

import re
import unicodedata

_GREEK = str.maketrans({"δ": "d", "Δ": "d", "σ": "vol"})
_WORD = re.compile(r"[a-z0-9%+$€£.]+")


def fold(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and punctuation; `%` `+` `$` `€` `£` count as letters."""
    plain = text.lower() if text.isascii() else _unaccented(text)
    return tuple([bare for word in _WORD.findall(plain) if (bare := word.strip("."))])


def _unaccented(text: str) -> str:
    flat = unicodedata.normalize("NFKD", text.translate(_GREEK).casefold())
    return "".join([letter for letter in flat if not unicodedata.combining(letter)])
