"""Whether a block writes 1,234.5 or 1.234,5 (spec 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parsers.codes import Flag
from parsers.values.separators import Locale, proven_mark

COMMA_LANGUAGES = frozenset({"de", "fr", "es", "pt", "it", "nl"})
"""Mail languages whose numbers have a decimal comma."""

MAX_TEXT = 5000
"""What stands behind so many characters of a cell or a line says nothing about its locale."""

_TOKEN = re.compile(r"\d{1,3}[.,]\d{3}\s?(?:[mM]{1,2}|[kK])\b|(\d[\d.,]*\d|\.\d+)")  # `12,500M` is no price to judge by
_LISTED = re.compile(r"\d+\.\d+,\d+\.\d+")  # `98.25,98.75`: the comma separates two values


def numerals(*texts: str) -> list[str]:
    """The tokens of texts that can say something about their locale."""
    joined = "|".join([text[:MAX_TEXT] for text in texts])  # which no token goes beyond
    return [token for token in _TOKEN.findall(joined) if token and not ("," in token and _LISTED.fullmatch(token))]


def block_locale(
    tokens: Iterable[str], *, prices: bool = False, language: str | None = None
) -> tuple[Locale, frozenset[Flag]]:
    """The locale of a block and the doubts about it.

    Args:
        tokens: numerals of the block (cells of a column set, or `numerals` of its lines).
        prices: they are prices, so that a grouped reading above 1,000 proves a decimal mark.
        language: ISO 639-1 of the mail, the evidence before the default.

    Returns:
        The locale, with `ambiguous_number` where tokens disagree (read them one by one) and `locale_assumed` where
        some token depends on the locale and nothing but language or default decides.
    """
    votes = {"point": 0, "comma": 0}
    soft = {"point": 0, "comma": 0}
    undecided = 0
    for token in tokens:
        mark = proven_mark(token)
        if mark is not None:
            votes["point" if mark == "." else "comma"] += 1
        elif "." in token or "," in token:
            undecided += 1
            whole = re.split(r"[.,]", token, maxsplit=1)[0]
            if prices and len(whole) in (2, 3):
                soft["point" if "." in token else "comma"] += 1
    if any(votes.values()):
        locale = Locale.comma if votes["comma"] > votes["point"] else Locale.point
        mixed = bool(votes["point"] and votes["comma"])
        return locale, frozenset({Flag.ambiguous_number}) if mixed and undecided else frozenset()
    if any(soft.values()):
        return (Locale.comma if soft["comma"] > soft["point"] else Locale.point), frozenset()
    locale = Locale.comma if language in COMMA_LANGUAGES else Locale.point
    return locale, frozenset({Flag.locale_assumed}) if undecided else frozenset()
