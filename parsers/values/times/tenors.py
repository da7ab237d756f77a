"""Tenors: `5y`, `3M`, `1y10y`, `O/N`, `10 Jahre` (spec 2.1, ruling 11)."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.lexicon import compiled, spelled

_UNITS = {
    "Y": "y yr yrs year years j jahr jahre jahren a an ans año años ano anos anno anni yr.",
    "M": "m mo mos mth mths month months monat monate mois mes mês meses mese mesi",
    "W": "w wk wks week weeks woche wochen sem sett semaine semaines semana semanas settimana settimane",
    "D": "d day days tag tage jour jours dia dias día días",
}
_WORDS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_UNIT = r"(?:{})".format("|".join(sorted((re.escape(word) for word in _WORDS), key=len, reverse=True)))
_PLAIN = re.compile(rf"(\d{{1,3}}(?:\.5)?)\s?-?({_UNIT})", re.IGNORECASE)
_FORWARD = re.compile(rf"(\d{{1,2}})\s?({_UNIT})\s?[x×*]?\s?(\d{{1,2}})\s?({_UNIT})", re.IGNORECASE)
_SHORT = {
    **dict.fromkeys(("on", "o/n", "overnight"), "ON"),
    **dict.fromkeys(("tn", "t/n", "tom", "tom/next"), "TN"),
    **dict.fromkeys(("sn", "s/n"), "SN"),
    "spot": "SPOT",
}
_MOST_YEARS = 50
"""Of a curve; in front of an `a` a larger number counts no years."""

TENOR = spelled(
    r"(?:\d{1,2}[yYmMwWdD](?:[x×]?\d{1,2}[yYmMwWdD])?|\d{1,2}\s?{tenor_unit_printed}|{overnight_printed}|"
    r"{overnight_code}(?=\s+[+\-]?\d))"
)
"""The compact tenors of running text."""

_POINT = compiled(
    r"\b(?:\d{1,2}[mMyY]\s?[xX]?\s?\d{1,2}[yY]|"
    r"\d{1,2}[yY](?:rs?)?|\d{1,2} ?{years_of_curve}(?!\w)|[OTSots]/[Nn]|[Oo]vernight|"
    r"(?<=\b(?:GC|gc) ){overnight_code}|(?<=\b[Ss](?i:pecials) ){overnight_code})\b"
)
_FORWARDS = re.compile(r"(?<=\d[MWYmwy])\s(?:NDF|outright|forward|fwd).*", re.IGNORECASE)


def tenor(text: str) -> str | None:
    """The tenor that the whole text is, upper case (`10Y`, `1Y10Y`, `ON`), or None."""
    text = text.strip().strip(".:")
    if not text[-1:].isalpha() or len(text) > 20 or not (text[0].isdigit() or text.lower() in _SHORT):
        return None
    return _tenor(text)


def tenor_in(text: str) -> str | None:
    """The only point of a curve that a heading names, or the tenor that it is: `single names, 5y unless stated`."""
    points = _POINT.findall(text)
    return tenor(points[0] if len(points) == 1 else text)


def tenor_first(text: str) -> str | None:
    """The tenor that a heading is up to its first comma; `1M NDF outrights` is of 1M, `5y USD` of 5Y."""
    return tenor(_FORWARDS.sub("", text.partition(",")[0]).removesuffix(" USD").removesuffix(" EUR"))


@lru_cache(maxsize=4096)
def _tenor(text: str) -> str | None:
    if text.lower() in _SHORT:
        return _SHORT[text.lower()]
    match = _FORWARD.fullmatch(text) or _PLAIN.fullmatch(text)
    if match is None:
        return None
    counts, units = match.groups()[::2], [_WORDS.get(word.lower()) for word in match.groups()[1::2]]
    if units[0] == "Y" and text[-1] in "aA" and int(counts[0].partition(".")[0]) > _MOST_YEARS:  # `144A`
        return None
    if None in units:  # the pattern's fold of cases takes letters that `lower` keeps: `yearſ`
        return None
    return "".join(f"{count}{unit}" for count, unit in zip(counts, units, strict=True))
