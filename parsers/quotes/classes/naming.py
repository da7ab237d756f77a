"""Which classes a heading, subject or file name speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from parsers.lexicon import Place, compiled, said
from parsers.quotes.classes.families import PAIR
from parsers.values.words import fold

PRODUCTS = frozenset({"repo", "trs", "strips", "cds_tranche"})
"""Made of instruments of other classes, which their headings name too: `UST repo`."""
_HEADS = frozenset({"cds_single", "frn", "convertible"})
"""Of whatever stands right in front of them: `Agency floaters`."""
_FLOATING = frozenset({"agency_mbs_cmo", "rmbs_nonagency", "crt", "cmbs", "abs", "clo"})
"""Whose floaters are their own: `SASB floaters`."""
_LISTING = re.compile(r"[&+/,]")
"""Between things, none of which is the head of another: `HY & converts`."""
_SERIES = re.compile(r"\b(?:IG|HY|EM)(?: ?S)?[1-9]\d\b")
"""An index of credit by its series, `IG47`, `HY S47`; not `IG 19 Nov`."""
_OVER = frozenset(
    {
        "mid",
        "vs",
        "versus",
        "over",
        "to",
        "asset",
        "interpolated",
        "interp",
        "against",
        "contre",
        "gegen",
        "sobre",
        "uber",
        "ueber",
        "su",
        "sur",
        "contro",
        "contra",
    }
)
"""In front of swaps, or of a government's bonds, that are the curve of a spread."""
_NAMED = frozenset({"named", "the", "respective", "matched", "benchmark", "interpolated", "interp", "otr", "us"})
"""Between that and the bonds: `vs named treasuries`."""
_SPREADS = frozenset({"spread", "spreads", "sprd", "sprds"})
_CURVES = frozenset({"govt_us", "govt_intl", "govt_canada"})
_IN_MONEY = re.compile(r"\sem\s(?=[A-Z]{3}\b|US\$|R\$)")
"""In Portuguese what levels are in, no emerging markets: `CDS em USD`."""
_COMPOUND = compiled("s?{compound_end}$")
"""In German behind what is traded, in one word: `Pfandbriefliste`."""
_LEAST_COMPOUND = 10  # letters
_VOL = compiled(r"\b{option_word}\b", re.IGNORECASE)
_TERM = compiled(r"\b{forward_word}\b", re.IGNORECASE)
"""Beside a pair of currencies, forwards: `Forward USDCLP, puntos`."""
_ONLY_EM = re.compile(r"\W*EM\W*")
"""A whole heading in capitals: in small letters it is a Portuguese word."""
_ONLY_VOL = re.compile(r"\W*vol\W*", re.IGNORECASE)
"""A whole heading: in `Low vol day` the word is talk."""
_HARD = compiled(
    r"\b{sovereign}\b[^\d/]{0,30}?(?:\b{hard_currency}\b(?!\s?[/-])|US\$)|(?:\b{hard_code}|"
    r"US\$)\s(?:\w+\s)?{sovereign}\b",
    re.IGNORECASE,
)
"""Sovereigns are of hard currency where one stands beside them; `local rates, sizes in USD`, `TES, USD/COP` are not."""
_EUROPEAN = compiled(r"\b{european_place}\b", re.IGNORECASE)
"""Sovereigns of these are no local ones of Latin America: `Bonos soberanos España/Italia`."""
_OPTIONS = compiled(r"\b{option_noun}\b", re.IGNORECASE)
"""On an index."""


def class_by_words(text: str) -> str | None:
    """The class that a heading, subject or file name speaks of: its longest phrase; of equals a product, the first."""
    found = class_named(text)
    return found[1] if found is not None else None


def class_named(text: str) -> tuple[int, str] | None:
    """How many words of a text name a class, and which."""
    return _class_named(text[:300])


@lru_cache(maxsize=1024)  # asked of each row
def sector_class(text: str) -> str | None:
    """The class that all words of a sector name: of `Student loans` the last alone speaks of another."""
    found = class_named(text)
    return found[1] if found is not None and found[0] == len(fold(text)) else None


def classes_in(text: str) -> frozenset[str]:
    """All classes that a heading over bonds speaks of, where it is more than one: `SSA & covered`."""
    found = _named(text[:300])
    words = _words(text[:300])
    made = _HEADS | PRODUCTS
    heads = {start for _, name, start in found if name in made and not _is_listed(text, words[start])}
    named = frozenset(  # a word inside a longer phrase is that phrase's: `Chile BTP`
        name
        for length, name, at in found
        if at + length not in heads and not any(start < at and at + length <= start + more for more, _, start in found)
    )
    products = named & PRODUCTS
    is_beside = products == {"strips"} and _LISTING.search(text) is not None  # `Gilt strips & linkers`
    return named if len(named) > 1 and (not products or is_beside) else frozenset()


@lru_cache(maxsize=4096)  # subjects, titles and names are asked for their class in several ways
def _class_named(text: str) -> tuple[int, str] | None:
    best = _most_words(text)
    if (best is None or best[1] == "swaption") and PAIR.search(text) and _VOL.search(text):  # `USDBRL vol surface`
        return 2, "fx_option"
    if best is not None:
        return best[0], _narrowed(*best, text)
    if PAIR.search(text) and _TERM.search(text):
        return 2, "fx_forward"
    if _ONLY_VOL.fullmatch(text):
        return 1, "swaption"
    return (1, "em_hard_ccy") if _ONLY_EM.fullmatch(text) else None


def _most_words(text: str) -> tuple[int, str] | None:
    """The class of the longest words that name one, and their number; what names a product comes before its market."""
    best: tuple[int, str] | None = None
    end = 0
    words = _words(text)
    for length, found, start in _named(text):
        is_head = found in _HEADS and start == end and not _is_listed(text, words[start])  # `EM Sovereign CDS, USD`
        is_head = is_head and not (found == "frn" and best is not None and best[1] in _FLOATING)
        is_made = found in PRODUCTS or is_head
        is_product = is_made and best is not None and length + 1 >= best[0]  # `iTraxx Main tranches`
        if best is None or is_product or (length > best[0] and best[1] not in PRODUCTS):
            best, end = (length, found), start + length
    return best


def _narrowed(length: int, name: str, text: str) -> str:
    """The class where the text says more of it than the words that name it: hard money, a series, options."""
    if name == "govt_latam_local":  # `Soberanos LatAm USD`
        name = "em_hard_ccy" if _HARD.search(text) else "govt_intl" if _EUROPEAN.search(text) else name
    if length == 1 and name not in PRODUCTS and _SERIES.search(text):
        name = "cds_index"
    return "cds_tranche" if name == "cds_index" and _OPTIONS.search(text) else name  # `CDX IG47 Jan options`


def _is_listed(text: str, word: str) -> bool:
    """Whether a sign of a list stands right in front of the word."""
    return (
        _LISTING.search(text) is not None and re.search(rf"[&+/,]\s*{re.escape(word)}", text, re.IGNORECASE) is not None
    )


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[tuple[int, str, int], ...]:
    """How many words name which class, and from which word on, for each word that begins such a phrase."""
    words = _words(text)
    phrases, longest = _phrases(), _longest()
    named = []
    for start, first in enumerate(words):
        if first not in longest or (first == "swaps" and start and words[start - 1] in _OVER):
            continue
        for length in range(min(longest[first], len(words) - start), 0, -1):
            found = phrases.get(" ".join(words[start : start + length]))
            if found is not None and not (found in _CURVES and _is_of_spreads(words, start, start + length)):
                named.append((length, found, start))
                break
    return tuple(named)


def _is_of_spreads(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a government's bonds are what spreads are over: `spread to UST`, `gilt spreads`."""
    before = start - (start > 1 and words[start - 1] in _NAMED)
    return (before > 0 and words[before - 1] in _OVER) or (end < len(words) and words[end] in _SPREADS)


def _words(text: str) -> Sequence[str]:
    text = text.replace("CDs", "certificates of deposit").replace("des Nominals", "")  # no swaps, no gilts
    words = fold(_IN_MONEY.sub(" ", text) if " em " in text else text)
    return [_COMPOUND.sub("", word) if len(word) >= _LEAST_COMPOUND else word for word in words]


@cache
def _phrases() -> dict[str, str]:
    return {" ".join(fold(phrase)): name for phrase, (name,) in said(Place.subject).items()}


@cache
def _longest() -> dict[str, int]:
    """How many words the longest phrase has that begins with a word."""
    found: dict[str, int] = {}
    for phrase in _phrases():
        first, *others = phrase.split()
        found[first] = max(found.get(first, 0), len(others) + 1)
    return found
