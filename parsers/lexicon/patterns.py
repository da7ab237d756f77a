"""Patterns that name kinds of words: `{weekday}` in a template stands for the words of that sense.

The words become one trie, so that none is tried twice, and the longest is tried first. A word is found without its
accents too (`schon` for `schön`, `ss` for `ß`), with any apostrophe, and with any blanks where it has one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from parsers.lexicon.entries import phrases
from parsers.lexicon.senses import Sense

NAMED = re.compile(r"\{(?P<sense>[a-z]\w*)\}")
"""A sense in a template; what repeats something begins with a digit, as `{2,4}`."""
_SPELLED = {" ": r"\s+", "'": "['’]", "ß": "(?:ß|ss)"}

_Trie = dict[str, Any]
_END = ""


def compiled(template: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a template. Raises KeyError for a sense that there is not, or that has no words."""
    return re.compile(spelled(template), flags)


def spelled(template: str) -> str:
    """A template with the words of its senses, as one trie each."""
    return NAMED.sub(lambda named: _trie(named["sense"]), template)


def listed(template: str) -> str:
    """The same with the words one by one, of which stems are made."""
    return NAMED.sub(lambda named: _list(named["sense"]), template)


@cache
def _trie(sense: str) -> str:
    return alternation(phrases()[Sense(sense)])


@cache
def _list(sense: str) -> str:
    return f"(?:{'|'.join(''.join(_atoms(phrase)) for phrase in phrases()[Sense(sense)])})"


def alternation(words: Iterable[str]) -> str:
    """The source of a pattern that matches these words and no others, as one group."""
    trie: _Trie = {}
    for word in words:
        node = trie
        for atom in _atoms(word):
            node = node.setdefault(atom, {})
        node[_END] = {}
    return f"(?:{_branches(trie)})"


def _branches(trie: _Trie) -> str:
    """What may follow at one place: single characters as a set, all else as branches."""
    found = [atom + _behind(below) for atom, below in trie.items() if atom]
    single = [one for one in found if len(one) == 1]
    if len(single) > 1:
        found = [*(one for one in found if len(one) > 1), f"[{''.join(map(re.escape, single))}]"]
    return "|".join(found)


def _behind(trie: _Trie) -> str:
    """What follows a letter; nothing need follow where a word ends."""
    branches = _branches(trie)
    if not branches:
        return ""
    is_one = _END not in trie and len(trie) == 1
    return branches if is_one else f"(?:{branches}){'?' if _END in trie else ''}"


def _atoms(word: str) -> Iterator[str]:
    for letter in word:
        plain = unicodedata.normalize("NFD", letter)[0]
        yield _SPELLED.get(letter) or (f"[{letter}{plain}]" if plain != letter else re.escape(letter))
