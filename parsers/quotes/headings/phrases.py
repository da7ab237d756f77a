"""What a heading says: the longest known phrases in it, each with its meanings (spec 5.3, 5.4).

The vocabulary is the lexicon's; a word that nobody knows is kept, for a heading that is not understood whole
must not make a price.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from msgspec import Struct

from parsers.lexicon import Place, said
from parsers.quotes.headings.shortened import beginnings, dotted, skeletons, spelled_out
from parsers.values.times.dates import MONTHS
from parsers.values.times.tenors import tenor
from parsers.values.words import fold

MAX_HEADING = 120
"""Characters; no header cell says more, and hostile ones are not searched."""

_LONGEST_PHRASE = 5  # words

_COUNTED = frozenset({"margin", "price", "rate", "spread", "yield"})
"""Words that end phrases, said of many bonds with an s."""

_HUMP = re.compile(r"[A-Z][a-z]+")
_HUMPED = re.compile(r"\b(?:[A-Z][a-z]+){2,4}\b")

EXERCISED = frozenset({"payer", "receiver", "straddle"})
"""Options that a heading names beside the money that they are at."""

_NO_MEANINGS: Mapping[str, tuple[str, ...]] = MappingProxyType({})

Meanings = tuple[tuple[str, str], ...]  # (facet, value), as in `("side", "bid")`


class Heading(Struct, frozen=True):
    """A heading as understood."""

    meanings: Mapping[str, tuple[str, ...]]  # facet -> values, in the order printed
    unknown: tuple[str, ...]  # words without a meaning, folded

    def one(self, facet: str) -> str | None:
        """The first value of a facet."""
        values = self.meanings.get(facet)
        return values[0] if values else None


def heading(text: str) -> Heading:
    """The phrases of a heading, longest first from the left."""
    return _heading(text[:MAX_HEADING])


@lru_cache(maxsize=4096)
def _heading(text: str) -> Heading:
    phrases, text = _phrases(), _HUMPED.sub(_apart, text)
    cut = fold(" ".join(dotted(text))) if "." in text else ()
    words = tuple([part for word in fold(text) for part in _parted(word, word in cut)])
    if not any(map(_begins, words, (*words[1:], ""))):
        return Heading(_NO_MEANINGS, words)
    meanings: dict[str, tuple[str, ...]] = {}
    unknown = []
    at = 0
    while at < len(words):
        length, found = _longest(words, at, phrases)
        for facet, value in found:
            if facet != "measure" or value not in meanings.get(facet, ()):  # `T-bills, discount rates` says it twice
                meanings[facet] = (*meanings.get(facet, ()), value)
        if not found:
            unknown.append(words[at])
        at += length
    return Heading(MappingProxyType(meanings), tuple(unknown))


def _apart(humped: re.Match[str]) -> str:
    """`RealYld` as `Real Yld`, where all its parts are known words and the whole is none."""
    whole, parts = humped[0], _HUMP.findall(humped[0])
    is_apart = not _is_known(whole.lower()) and all(_is_known(part.lower()) for part in parts)
    return " ".join(parts) if is_apart else whole


def _is_known(word: str) -> bool:
    """Whether a word means something, or stands in a phrase that does."""
    return _may_mean(word) or word in _later_words()


def _parted(word: str, is_cut: bool) -> tuple[str, ...]:  # noqa: FBT001 -- of each word
    """`Cpn%` is `Cpn` and `%`, `G+Bid` is `G+` and `Bid`, `BSz` is `B` and `Sz`."""
    if word.isalpha():
        return _spelled_out(word, is_cut)
    if len(word) > 1 and word[-1] == "%" and (word,) not in _phrases():
        return word[:-1], "%"
    curve, plus, rest = word.partition("+")
    return (curve + plus, rest) if curve and plus and rest.isalpha() and (word,) not in _phrases() else (word,)


@lru_cache(maxsize=8192)  # the words of bonds come again, in other bonds
def _spelled_out(word: str, is_cut: bool) -> tuple[str, ...]:  # noqa: FBT001 -- as above
    if _is_known(word):
        return (word,)
    return spelled_out(word, _known(), _by_consonants(), _by_beginning(), is_cut=is_cut)


@cache
def _known() -> dict[str, Meanings]:
    """The single words that are phrases."""
    return {key[0]: said for key, said in _phrases().items() if len(key) == 1}


@cache
def _by_consonants() -> dict[str, str]:
    return skeletons(_known())


@cache
def _by_beginning() -> dict[str, list[str]]:
    return beginnings(_known())


@cache
def _later_words() -> frozenset[str]:
    """Words inside phrases."""
    return frozenset(word for key in _phrases() for word in key[1:])


@lru_cache(maxsize=4096)  # asked of each row's name
def option_struct(text: str) -> str | None:
    """The kind of option that a text names; most name none, which the first words of such phrases tell."""
    return None if _option_words().isdisjoint(fold(text[:MAX_HEADING])) else struct_of(heading(text))


def struct_of(found: Heading) -> str | None:
    """The kind of option that a heading names: `ATM swaption straddles` are straddles (ruling 21)."""
    exercised = [kind for kind in found.meanings.get("option_struct", ()) if kind in EXERCISED]
    return exercised[0] if len(exercised) == 1 else found.one("option_struct")


@cache
def _option_words() -> frozenset[str]:
    return frozenset(key[0] for key, said in _phrases().items() if any(facet == "option_struct" for facet, _ in said))


def _longest(words: tuple[str, ...], at: int, phrases: Mapping[tuple[str, ...], Meanings]) -> tuple[int, Meanings]:
    for length in range(min(_longest_by_first().get(words[at], 0), len(words) - at), 0, -1):
        found = phrases.get(words[at : at + length])
        if found is not None:
            return length, found
    if words[at].isdigit() and at + 1 < len(words) and (found := _open_class(f"{words[at]} {words[at + 1]}")):
        return 2, found
    return 1, _open_class(words[at])


def _begins(word: str, following: str) -> bool:
    """Whether something that has a meaning begins with a word: most words are of names and numbers."""
    return _may_mean(word) or (word.isdigit() and bool(_open_class(f"{word} {following}")))


def _may_mean(word: str) -> bool:
    """Whether a phrase begins with a word, or it means something by itself."""
    return word in _longest_by_first() or bool(_open_class(word))


@lru_cache(maxsize=8192)  # asked of each word of every line, again and again
def _open_class(word: str) -> Meanings:
    """Words that no list can hold: tenors, months."""
    if word[-1].isdigit():  # most are numbers and identifiers
        return ()
    as_tenor = tenor(word)
    if as_tenor is not None:
        return (("tenor", as_tenor),)
    if word in MONTHS:
        return (("month", word),)
    return ()


@cache
def _longest_by_first() -> dict[str, int]:
    """How many words the longest phrase has that begins with a word."""
    found: dict[str, int] = {}
    for phrase in _phrases():
        found[phrase[0]] = max(found.get(phrase[0], 0), min(len(phrase), _LONGEST_PHRASE))
    return found


@cache
def _phrases() -> Mapping[tuple[str, ...], Meanings]:
    phrases: dict[tuple[str, ...], Meanings] = {}
    for phrase, senses in said(Place.heading).items():
        phrases[fold(phrase)] = tuple((facet, value) for facet, _, value in (sense.partition(".") for sense in senses))
    for key in [key for key in phrases if len(key) > 1 and key[-1] in _COUNTED]:  # `G spreads`
        phrases.setdefault((*key[:-1], f"{key[-1]}s"), phrases[key])
    return MappingProxyType(phrases)
