"""The language of a mail, as far as its numbers and dates depend on it (spec 4.2, ruling 9)."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from parsers.words import words_of

MAX_READ = 4000
"""Characters from which the language is told."""

_TOKEN = re.compile(r"[^\W\d_]{1,20}")
_ASCII_TOKEN = re.compile(r"[a-z]{1,20}")  # the same where all is ASCII
_NEEDED = 3


def language(text: str) -> str:
    """`de`, `fr`, `es`, `pt`, `it`, else `en`; judged by common words at the text's beginning."""
    known = _languages()
    votes: Counter[str] = Counter()
    beginning = text[:MAX_READ].lower()
    for word in set().union(*map(_known_words, beginning.split("\n"))):
        for name in known[word]:
            votes[name] += 1
    best = max(
        sorted(votes), key=lambda name: votes[name], default="en"
    )  # sorted: a set's order differs from run to run
    return best if votes[best] >= _NEEDED else "en"


@lru_cache(maxsize=2048)  # greetings and disclaimers, which have most of such words, come again from mail to mail
def _known_words(line: str) -> frozenset[str]:
    words = (_ASCII_TOKEN if line.isascii() else _TOKEN).findall(line)
    return frozenset(_languages().keys() & set(words))


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    table = words_of(__file__, "languages")
    found: dict[str, tuple[str, ...]] = {}
    for name, words in table.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), name)
    return found
