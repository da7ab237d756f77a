"""Every gate lets through what its patterns match; gates are found wherever they are bound."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

import pytest

import parsers.quotes
import parsers.values
from parsers.gates.gates import Beginning, Figured
from parsers.gates.stems import Stemmed
from parsers.quotes.lexer.behind import Behind
from tests.parsers.generated import generated

TEXTS = 400
"""Of each pattern."""
SEED = 20261123


class Gate(Protocol):
    """What lets a text through to its patterns, or does not."""

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]: ...

    def passes(self, text: str) -> bool: ...


def _within(value: object) -> Iterator[Gate]:
    """The gates in a value of a module."""
    if isinstance(value, Beginning | Behind | Figured | Stemmed):
        yield value
    elif isinstance(value, tuple | list | dict):
        inner: Iterable[object] = value.values() if isinstance(value, dict) else value
        for one in inner:
            yield from _within(one)


def _gates() -> Iterator[tuple[str, Gate]]:
    seen: set[int] = set()
    for package in (parsers.quotes, parsers.values):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                for at, gate in enumerate(_within(value)):
                    if id(gate) not in seen:
                        seen.add(id(gate))
                        yield f"{module.name}.{name}[{at}]", gate


GATES = dict(_gates())


def test_the_gates_of_both_rooms_are_found() -> None:
    kinds = [type(gate) for gate in GATES.values()]
    assert min(kinds.count(kind) for kind in (Behind, Stemmed)) >= 10


@pytest.mark.parametrize("name", GATES)
def test_a_gate_lets_through_what_its_patterns_match(name: str) -> None:
    gate, chance = GATES[name], random.Random(SEED)
    for pattern in gate.patterns:
        find = pattern.search if isinstance(gate, Stemmed | Figured) else pattern.match
        matching = [text for text in generated(pattern, TEXTS, chance) if find(text)]
        shut_out = [text for text in matching if not gate.passes(text)]
        assert matching, f"no text made out of {pattern.pattern[:60]} matches it"
        assert not shut_out, f"{len(shut_out)} of {len(matching)}, seed {SEED}"
