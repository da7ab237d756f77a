"""The language of a mail, as far as its numbers and dates depend on it (spec 4.2, ruling 9)."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from importlib import resources

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
    words = (_ASCII_TOKEN if beginning.isascii() else _TOKEN).findall(beginning)
    for word in known.keys() & set(words):
        votes.update(known[word])
    best = votes.most_common(1)
    return best[0][0] if best and best[0][1] >= _NEEDED else "en"


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    table = tomllib.loads(resources.files(__package__).joinpath("languages.toml").read_text("utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for name, words in table.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), name)
    return found
