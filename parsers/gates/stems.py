"""Patterns of many words, searched only where a text has a stem of one of them: the stems are told by the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from parsers.gates.syntax import EMPTY, OPS, REPEATS, TREE
from parsers.lexicon import listed, spelled

_MOST = 24
"""Strings that may stand for one stretch of a pattern; where there are more, it is cut there."""
_LEAST = 4
"""Letters of a good stem; shorter ones stand in every other text."""
_NONE = frozenset({""})


class Stemmed(Struct, frozen=True):
    """A pattern in lower case, and stems of which every match has one: most texts have none, which is told at once.

    A pattern of many words that ignores case is five times as slow as one in lower case.
    """

    stems: tuple[str, ...]
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str, flags: int = 0) -> Stemmed:
        """The pattern by its template (`parsers.lexicon`). Raises ValueError where a match needs no letters."""
        return cls(stems(listed(pattern)), re.compile(spelled(pattern), flags))

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """What is behind the gate."""
        return (self.pattern,)

    def passes(self, lower: str) -> bool:
        """Whether a text in lower case has a stem."""
        for stem in self.stems:  # noqa: SIM110 -- asked of every line: a generator takes three times as long
            if stem in lower:
                return True
        return False

    def search(self, lower: str) -> re.Match[str] | None:
        """The first match in a text in lower case."""
        for stem in self.stems:
            if stem in lower:
                return self.pattern.search(lower)
        return None


def stems(pattern: str) -> tuple[str, ...]:
    """Strings of which every match has one, few and long; none has another in it.

    Args:
        pattern: its source, in lower case.

    Raises:
        ValueError: a match need have none.
    """
    found = _needed(TREE.parse(pattern))
    if not found or "" in found:
        message = f"no match of this pattern need have any letters: {pattern[:80]}"
        raise ValueError(message)
    short = {_shared(one, found) for one in found}
    return tuple(sorted(one for one in short if not any(other != one and other in one for other in short)))


def _shared(one: str, found: Iterable[str]) -> str:
    """What all these strings that begin as one does begin with: `vend` of `venda`, `vendemos`."""
    alike = [other for other in found if other[:_LEAST] == one[:_LEAST]]
    return next(one[:end] for end in range(len(one), 0, -1) if all(other.startswith(one[:end]) for other in alike))


def _needed(items: Iterable[Any], before: frozenset[str] = _NONE) -> frozenset[str] | None:
    """The best strings of which every match of a sequence has one; None where it need have none.

    Args:
        items: of the sequence.
        before: what stands unbroken in front of it, of one spelling: the library's reader takes the letters that
            several branches begin with out of them.
    """
    best: frozenset[str] | None = None
    word, run = before, before  # what stands unbroken in front of an item: of one spelling, of a few
    for operation, argument in items:
        exact = _exact(operation, argument)
        best = _better(best, exact if exact is not None else _within(operation, argument, word))
        word = _longer(word, exact, 1)
        run = _longer(run, exact, _MOST)
        best = _better(_better(best, word), run)
    return best


def _longer(run: frozenset[str], exact: frozenset[str] | None, most: int) -> frozenset[str]:
    """A stretch with the next item behind it; the item alone, or nothing, where these would be too many strings."""
    if exact is None:
        return _NONE
    longer = frozenset(one + other for one in run for other in exact)
    if len(longer) <= most:
        return longer
    return exact if len(exact) <= most else _NONE


def _within(operation: Any, argument: Any, before: frozenset[str]) -> frozenset[str] | None:
    """The same of one item."""
    if operation is OPS.SUBPATTERN:
        return _needed(argument[3], before)
    if operation is OPS.ATOMIC_GROUP:
        return _needed(argument, before)
    if operation is OPS.BRANCH:
        return _all(_needed(branch, before) for branch in argument[1])
    return _needed(argument[2], before) if operation in REPEATS and argument[0] else None


def _all(found: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """What one of several needs; None where one of them need have nothing."""
    needed: set[str] = set()
    for one in found:
        if one is None:
            return None
        needed |= one
    return frozenset(needed)


def _better(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The set that lets fewer texts through at a smaller cost."""
    if other is None or "" in other:
        return one
    if one is None:
        return other
    return max(one, other, key=_worth)


def _worth(found: frozenset[str]) -> tuple[int, int, int]:
    shortest = min(map(len, found))
    return min(shortest, _LEAST), -len(found), shortest


def _exact(operation: Any, argument: Any) -> frozenset[str] | None:
    """All that an item can match, where that is a few strings."""
    if operation is OPS.LITERAL:
        return frozenset({chr(argument)})
    if operation is OPS.IN:
        return _listed(argument)
    if operation is OPS.SUBPATTERN:
        return _run(argument[3])
    if operation is OPS.BRANCH:
        return _few(_all(map(_run, argument[1])))
    if operation in REPEATS and argument[1] == 1:
        once = _run(argument[2])
        return once if once is None or argument[0] else _few(once | _NONE)
    return _NONE if operation in EMPTY else None


def _listed(members: Sequence[Any]) -> frozenset[str] | None:
    """The characters of a class that lists a few."""
    if any(kind is not OPS.LITERAL for kind, _ in members):
        return None
    return _few(frozenset(chr(code) for _, code in members))


def _run(items: Iterable[Any]) -> frozenset[str] | None:
    run: frozenset[str] | None = _NONE
    for operation, argument in items:
        exact = _exact(operation, argument)
        run = _few(frozenset(one + other for one in run for other in exact)) if exact and run else None
        if run is None:
            return None
    return run


def _few(found: frozenset[str] | None) -> frozenset[str] | None:
    return found if found is not None and len(found) <= _MOST else None
