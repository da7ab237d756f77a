"""Words of headings cut short as desks cut them: `BSz`, `Trd`, `Vend.` (spec 5.3: no list holds them all)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

Meanings = tuple[tuple[str, str], ...]

_SIDES = frozenset("bao")  # bid, ask, offer in front of what they are of
_SIDED = frozenset({"measure", "size"})
_SAYING = frozenset({"side", "kind"})
_LEAST = 3
"""Letters; what is shorter may be anything."""

_DOTTED = re.compile(r"\w{3,}(?=\.)")
_VOWELS = re.compile(r"(?<!^)[aeiou]")
_DOUBLED = re.compile(r"(.)\1")


def dotted(text: str) -> list[str]:
    """The words with a dot behind them, which says that they are cut."""
    return _DOTTED.findall(text) if "." in text else []


def skeletons(words: Iterable[str]) -> dict[str, str]:
    """The words by their consonants: `trd` is `trade`."""
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(_skeleton(word), word)
    return found


def beginnings(words: Iterable[str]) -> dict[str, list[str]]:
    """The words by the letters that a word has at least when it is cut."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:_LEAST], []).append(word)
    return found


def spelled_out(
    word: str,
    known: Mapping[str, Meanings],
    by_consonants: Mapping[str, str],
    by_beginning: Mapping[str, Sequence[str]],
    *,
    is_cut: bool,
) -> tuple[str, ...]:
    """The known words that a word stands for; itself where it stands for none, or for more than one thing.

    Args:
        word: folded; none that is known.
        known: the single words that mean something, with what they mean.
        by_consonants: the same words as `skeletons` has them.
        by_beginning: the same as `beginnings` has them.
        is_cut: it is printed with a dot.
    """
    if len(word) < _LEAST or not word.isalpha():
        return (word,)
    glued = _unglued(word, known)
    if glued is not None:
        return glued
    if not _VOWELS.search(word) and (whole := by_consonants.get(_skeleton(word))) is not None:
        return (whole,)
    return ((_begun(word, known, by_beginning) if is_cut else None) or word,)


def _unglued(word: str, known: Mapping[str, Meanings]) -> tuple[str, str] | None:
    """A side, or its letter, and what it is of: `BSz`, `AskPx`, `PxBid`."""
    for at in range(1, len(word) - 1):
        left, right = word[:at], word[at:]
        if right not in known:  # as of most words, wherever they are cut
            continue
        if left not in known and left[-1] == "s":  # `Ankaufskurs`
            left = left[:-1]
        first, second = (frozenset(facet for facet, _ in known.get(part, ())) for part in (left, right))
        is_side = left in _SIDES if at == 1 else not first.isdisjoint(_SAYING)
        if (is_side and second & _SIDED) or (at > 1 and first & _SIDED and second & _SAYING):
            return left, right
    return None


def _begun(word: str, known: Mapping[str, Meanings], by_beginning: Mapping[str, Sequence[str]]) -> str | None:
    """The word that begins so; of several, the shortest, if all mean the same."""
    alike = by_beginning.get(word[:_LEAST], ())
    begun = sorted((whole for whole in alike if whole.startswith(word)), key=lambda whole: (len(whole), whole))
    shortest = [whole for whole in begun if not any(whole != other and whole.startswith(other) for other in begun)]
    meant = {frozenset(said for said in known[whole] if said[0] != "language") for whole in shortest}
    return shortest[0] if len(meant) == 1 else None


def _skeleton(word: str) -> str:
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word))
