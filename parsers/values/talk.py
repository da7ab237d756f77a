"""Price talk: `mid 80s`, `VH99s`, `+LM600s dm`, `sub 98`, `100.05 area` (spec 4.9, ruling 13)."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

from parsers.lexicon import compiled, spelled
from parsers.values.numbers import Ticks, number
from parsers.values.separators import Locale

_LEAST_PRICE = 60
"""Above it a range has no end of more than twice the other: behind a price stands its margin."""
MAX_PHRASE = 60
"""Characters of a phrase of talk."""


class Talk(Struct, frozen=True):
    """A range of talk; one end may be open."""

    low: Fraction | None
    high: Fraction | None
    raw: str


_PARTS = {  # share of the width of a decade, handle or hundred
    "very low": ("0", "0.1"),
    "low": ("0", "0.3"),
    "low mid": ("0.3", "0.5"),
    "mid": ("0.4", "0.6"),
    "mid high": ("0.5", "0.7"),
    "high": ("0.7", "0.9"),
    "very high": ("0.9", "0.99"),
}
_SHORT = {
    "vl": "very low",
    "l m": "low mid",
    "m h": "mid high",
    "hi": "high",
    "lo": "low",
    "l": "low",
    "lm": "low mid",
    "m": "mid",
    "mh": "mid high",
    "h": "high",
    "vh": "very high",
}
_WORD = spelled(r"low(?:er)?[\s/\-]*(?:to[\s\-]*)?mid|mid[\s/\-]*(?:to[\s\-]*)?high|{talk_word}")
_DECADE = re.compile(rf"\+?(?P<word>{_WORD})?[\s\-]*\+?(?P<base>\d{{2,4}})'?s", re.IGNORECASE)
_IN_BP = re.compile(r"\d'?s?\s*(?:dm|bps?)\b", re.IGNORECASE)
_SUB = re.compile(r"sub[\s\-]*(?P<number>.+)", re.IGNORECASE)
_AREA = compiled(r"(?:context\s*(?:of\s*)?)?(?P<number>.+?)\s*(?:{area_mark}|\+)?", re.IGNORECASE)
_RANGE = re.compile(
    r"(?P<low>[^\s/–-]+(?: \d/\d+)?)\s*(?:-|–|/|to)\s*(?P<high>[^\s/–-]+(?: \d/\d+)?)(?:\s*area)?", re.IGNORECASE
)
_NOISE = compiled(
    r"^(?:price\s+)?talk(?:ed)?\s*:?\s*(?:at\s+)?|\s*{talk_unit}$|"
    r"(?<=\d)\s*{dm_or_bp}(?=\s*{area_mark}$)",
    re.IGNORECASE,
)

TALK = spelled(
    rf"(?:(?i:{{sub_word}})[\s\-]*\+?\d+(?:[.,]\d+)*|(?i:{{context_word}})\s+\+?\d[\d.,]*|\+?(?i:{_WORD})[\s\-]*\+?\d{{2,4}}'?[sS]|\+?\d{{2,4}}'?[sS]\b|"
    r"{par_printed}\b(?:\s*(?i:{area_word}))?|"
    r"[\+$]?\d[\d.,]*(?:\s*(?:[-/]|to)\s*[\+$]?\d[\d.,]*)?\s*(?i:{area_word}|a\b)?\+?)"
)
"""The forms of talk in running text, after the word `talk`."""


def talk(text: str, locale: Locale = Locale.point, *, spread: bool = False, ticks: Ticks = Ticks.off) -> Talk | None:
    """The range that a phrase of talk means, or None.

    Args:
        text: the phrase; `talk`, `dm`, `area` around it are dropped.
        locale: of its numbers.
        spread: the phrase is about basis points, so `600s` is a hundred and `150s` a decade.
        ticks: whether 32nds are read.
    """
    raw = text.strip()
    if not raw or len(raw) > MAX_PHRASE:
        return None
    spread = spread or _IN_BP.search(raw) is not None or raw.startswith("+")
    body = _NOISE.sub("", _NOISE.sub("", raw).strip()).strip().replace("$", "")
    match = _DECADE.fullmatch(body)
    if match is not None:
        return _decade(match["word"] or "", int(match["base"]), raw, spread=spread)
    match = _SUB.fullmatch(body)
    if match is not None:
        high = number(match["number"], locale, ticks=ticks)
        return Talk(None, high.value, raw) if high is not None else None
    return _numeric(body, raw, locale, ticks)


def _numeric(body: str, raw: str, locale: Locale, ticks: Ticks) -> Talk | None:
    """`100.05 area`, `context 98`, `98+`, `94-96`."""
    if raw.lower().endswith("handle") and body.isdigit():
        return Talk(Fraction(body), Fraction(body) + 1, raw)
    match = _AREA.fullmatch(body)
    level = number(match["number"], locale, ticks=ticks) if match is not None else None
    if level is not None:
        return Talk(level.value, None, raw)
    match = _RANGE.fullmatch(body)
    ends = [number(match[name], locale, ticks=ticks) for name in ("low", "high")] if match is not None else []
    known = [end.value for end in ends if end is not None]
    is_margin = len(known) > 1 and min(known) > _LEAST_PRICE and known[1] > known[0] * 2  # `99h / 240 area`
    if (
        len(known) < 2 or known[1] * 2 < known[0] or is_margin
    ):  # `94-00` is no range, and nothing says what its ticks are
        return None
    return Talk(min(known), max(known), raw)


def _decade(word: str, base: int, raw: str, *, spread: bool) -> Talk:
    """A word's share of the decade, handle or hundred that starts at `base`."""
    if spread:
        width = 100 if base % 100 == 0 else 10 if base % 10 == 0 else 1
    elif base >= 200:
        width = 100 if base % 100 == 0 else 10
    else:
        width = 10 if base % 10 == 0 and base < 100 else 1
    name = re.sub(r"[\s/\-]+", " ", word.lower()).replace("lower", "low").replace(" to ", " ")
    name = _SHORT.get(name, name).replace("verylow", "very low").replace("veryhigh", "very high")
    low, high = _PARTS.get(name, ("0", "1"))
    return Talk(base + Fraction(low) * width, base + Fraction(high) * width, raw)
