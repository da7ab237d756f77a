"""Texts made out of a pattern, by chance: a match or near one, in every branch sooner or later."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

from parsers.gates.gates import ASCII
from parsers.gates.syntax import OPS, REPEATS, TREE

_MOST = 3
"""Times that anything is said more often than it must be."""
_CATEGORIES = {OPS.CATEGORY_DIGIT: r"\d", OPS.CATEGORY_SPACE: " ", OPS.CATEGORY_WORD: r"\w"}
_VISIBLE = [character for character in sorted(ASCII) if character.isprintable()]


def generated(pattern: re.Pattern[str], count: int, chance: random.Random) -> Iterator[str]:
    """So many texts of a pattern; what it looks at without taking it is written too in half of them, or left out."""
    tree = TREE.parse(pattern.pattern, pattern.flags)
    for _ in range(count):
        writer = _Writer(chance, writes_ahead=chance.random() < 0.5)
        yield writer.sequence(tree)


class _Writer:
    """One text."""

    def __init__(self, chance: random.Random, *, writes_ahead: bool) -> None:
        self._chance = chance
        self._writes_ahead = writes_ahead
        self._groups: dict[int, str] = {}

    def sequence(self, items: Iterable[Any]) -> str:
        """What a sequence says."""
        return "".join(self._one(operation, argument) for operation, argument in items)

    def _one(self, operation: Any, argument: Any) -> str:
        if operation is OPS.LITERAL:
            return chr(argument)
        if operation is OPS.SUBPATTERN:
            text = self.sequence(argument[3])
            if argument[0] is not None:
                self._groups[argument[0]] = text
            return text
        if operation is OPS.BRANCH:
            return self.sequence(self._chance.choice(argument[1]))
        if operation in REPEATS:
            least, most, inner = argument
            times = self._chance.randint(least, max(least, min(int(most), least + _MOST)))
            return "".join(self.sequence(inner) for _ in range(times))
        return self._rare(operation, argument)

    def _rare(self, operation: Any, argument: Any) -> str:
        if operation is OPS.ASSERT:
            is_ahead = argument[0] > 0
            return self.sequence(argument[1]) if self._writes_ahead or not is_ahead else ""
        if operation is OPS.ATOMIC_GROUP:
            return self.sequence(argument)
        if operation is OPS.GROUPREF:
            return self._groups.get(argument, "")
        if operation is OPS.GROUPREF_EXISTS:
            return self.sequence(argument[1] if argument[0] in self._groups else argument[2] or ())
        if operation in (OPS.IN, OPS.NOT_LITERAL, OPS.ANY):
            return self._member(operation, argument)
        return ""

    def _member(self, operation: Any, argument: Any) -> str:
        if operation is OPS.IN and argument[0][0] is not OPS.NEGATE:
            kind, value = self._chance.choice(argument)
            if kind is OPS.LITERAL:
                return chr(value)
            if kind is OPS.RANGE:
                return chr(self._chance.randint(*value))
            return {r"\d": "7", r"\w": "e"}.get(_CATEGORIES.get(value, " "), " ")
        return self._chance.choice(_VISIBLE)
