"""What is asked of a text before a pattern is tried on it, derived from the pattern: what is typed beside it drifts.

A gate lets through every text on which one of its patterns matches, and few others: that alone makes it cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from parsers.gates.syntax import EMPTY, OPS, REPEATS, TREE

ASCII = frozenset(map(chr, range(128)))
"""The characters that a gate tells apart; it lets any other through."""
_CATEGORIES = {
    OPS.CATEGORY_DIGIT: frozenset("0123456789"),
    OPS.CATEGORY_SPACE: frozenset(" \t\n\r\f\v\x1c\x1d\x1e\x1f"),
    OPS.CATEGORY_WORD: frozenset(character for character in ASCII if character.isalnum() or character == "_"),
}
_COMPLEMENTS = {
    OPS.CATEGORY_NOT_DIGIT: OPS.CATEGORY_DIGIT,
    OPS.CATEGORY_NOT_SPACE: OPS.CATEGORY_SPACE,
    OPS.CATEGORY_NOT_WORD: OPS.CATEGORY_WORD,
}

_BRANCHING = frozenset({OPS.BRANCH, OPS.GROUPREF_EXISTS})
_OF_OTHERS = frozenset({OPS.ATOMIC_GROUP, OPS.GROUPREF})
_DIGIT = re.compile(r"\d")
_ANYTHING = TREE.parse(r"(?s:.)*")
"""What a group said before: it is not known here."""


class Beginning(Struct, frozen=True):
    """Patterns that are matched at one place, and the ASCII characters with which a match of one can begin."""

    characters: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, *patterns: re.Pattern[str]) -> Beginning:
        """The gate of these patterns, of which none matches nothing at all."""
        return cls(frozenset().union(*(reached(one, 0, lambda _, __: None).stopped(0) for one in patterns)), patterns)

    def passes(self, text: str) -> bool:
        """Whether a match can begin where this text does."""
        return text[:1] in self.characters or not text.isascii()


class Figured(Struct, frozen=True):
    """Patterns of which every match has a digit: most lines of a mail have none, which is told once for all of them."""

    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, *patterns: re.Pattern[str]) -> Figured:
        """The gate of these patterns. Raises ValueError where a match of one needs no digit."""
        for one in patterns:
            if not _needs_digit(TREE.parse(one.pattern, one.flags)):
                message = f"a match of this pattern needs no digit: {one.pattern[:80]}"
                raise ValueError(message)
        return cls(patterns)

    def passes(self, text: str) -> bool:
        """Whether a text has a digit of any script."""
        return _DIGIT.search(text) is not None


class Reached(Struct, frozen=True):
    """How far something that reads along with a pattern comes."""

    stops: Mapping[int, frozenset[str]]  # by its state, the characters at which it stops
    ends: frozenset[int]  # its states where a match can end before it stops

    def stopped(self, *states: int) -> frozenset[str]:
        """The ASCII characters at which it stops in any of these states."""
        return ASCII & frozenset().union(*(self.stops.get(state, ()) for state in states))


def reached(pattern: re.Pattern[str], start: int, step: Callable[[int, str], int | None]) -> Reached:
    """Which characters a match can have where something that reads along with it stops reading.

    What the pattern looks at without taking it is left out: more may be told than can be, never less.

    Args:
        pattern: any.
        start: the state in which the reader begins.
        step: the state behind a character; None where the reader stops at it.
    """
    walk = _Walk(step)
    ends = walk.along(TREE.parse(pattern.pattern, pattern.flags), frozenset({start}), pattern.flags)
    return Reached({state: frozenset(found) for state, found in walk.stops.items()}, ends)


class _Walk:
    """One way through a pattern with a reader beside it."""

    def __init__(self, step: Callable[[int, str], int | None]) -> None:
        self._step = step
        self.stops: dict[int, set[str]] = {}

    def along(self, items: Iterable[Any], states: frozenset[int], flags: int) -> frozenset[int]:
        """The states behind a sequence."""
        for operation, argument in items:
            if not states:
                break
            states = self._over(operation, argument, states, flags)
        return states

    def _over(self, operation: Any, argument: Any, states: frozenset[int], flags: int) -> frozenset[int]:
        if operation in EMPTY:
            return states
        if operation is OPS.SUBPATTERN:
            return self.along(argument[3], states, (flags | argument[1]) & ~argument[2])
        if operation in _OF_OTHERS:
            return self.along(argument if operation is OPS.ATOMIC_GROUP else _ANYTHING, states, flags)
        if operation in _BRANCHING:
            branches = argument[1] if operation is OPS.BRANCH else argument[1:]
            return frozenset().union(*(self.along(branch or (), states, flags) for branch in branches))
        if operation in REPEATS:
            return self._again(argument, states, flags)
        return self._taking(_characters(operation, argument, flags), states)

    def _again(self, argument: Any, states: frozenset[int], flags: int) -> frozenset[int]:
        least, most, inner = argument
        for _ in range(least):
            states = self.along(inner, states, flags)
        behind = states
        for _ in range(int(most) - least):
            states = self.along(inner, states, flags)
            if states <= behind:
                break
            behind |= states
        return behind

    def _taking(self, characters: frozenset[str], states: frozenset[int]) -> frozenset[int]:
        behind = set()
        for state in states:
            for character in characters:
                following = self._step(state, character)
                if following is None:
                    self.stops.setdefault(state, set()).add(character)
                else:
                    behind.add(following)
        return frozenset(behind)


def _needs_digit(items: Iterable[Any]) -> bool:
    """Whether every match of a sequence has a digit, as far as its items tell by themselves."""
    return any(_has_digit(operation, argument) for operation, argument in items)


def _has_digit(operation: Any, argument: Any) -> bool:
    if operation is OPS.LITERAL:
        return chr(argument).isdecimal()
    if operation is OPS.IN:
        return all(_is_digit(kind, value) for kind, value in argument)
    if operation is OPS.SUBPATTERN:
        return _needs_digit(argument[3])
    if operation is OPS.BRANCH:
        return all(map(_needs_digit, argument[1]))
    return bool(operation in REPEATS and argument[0] > 0) and _needs_digit(argument[2])


def _is_digit(kind: Any, value: Any) -> bool:
    """Whether a member of a class of characters is digits alone."""
    if kind is OPS.RANGE:
        return bool(ord("0") <= value[0] and value[1] <= ord("9"))
    if kind is OPS.CATEGORY:
        return bool(value is OPS.CATEGORY_DIGIT)
    return kind is OPS.LITERAL and chr(value).isdecimal()


def _characters(operation: Any, argument: Any, flags: int) -> frozenset[str]:
    """The ASCII characters that an item of one character matches; of what is not known, all."""
    if operation is OPS.LITERAL:
        found = frozenset({chr(argument)})
    elif operation is OPS.NOT_LITERAL:
        return ASCII - _cased(frozenset({chr(argument)}), flags)
    elif operation is OPS.IN:
        is_negated = argument[0][0] is OPS.NEGATE
        found = frozenset().union(*_members(argument[1:] if is_negated else argument))
        return ASCII - _cased(found, flags) if is_negated else _cased(found, flags)
    else:
        return ASCII
    return _cased(found, flags)


def _members(members: Iterable[Any]) -> Iterator[frozenset[str]]:
    for kind, value in members:
        if kind is OPS.LITERAL:
            yield frozenset({chr(value)})
        elif kind is OPS.RANGE:
            yield frozenset(map(chr, range(value[0], min(value[1], 127) + 1))) | _beyond(max(value[0], 128), value[1])
        else:
            yield _CATEGORIES.get(value) or ASCII - _CATEGORIES[_COMPLEMENTS[value]]


@cache
def _beyond(first: int, last: int) -> frozenset[str]:
    """Of a range beyond ASCII, one character of each kind that a reader tells apart: a blank, a digit, another."""
    characters = map(chr, range(first, last + 1))
    return frozenset({(one.isspace(), one.isdigit()): one for one in characters}.values())


def _cased(found: frozenset[str], flags: int) -> frozenset[str]:
    if not flags & re.IGNORECASE:
        return found
    return found | {other for one in found for other in (one.lower(), one.upper()) if len(other) == 1}
