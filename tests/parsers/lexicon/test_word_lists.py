"""Patterns name kinds of words and list none: words are entries of the lexicon."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from parsers.gates.syntax import OPS, REPEATS, TREE
from parsers.lexicon import Place, phrases
from parsers.lexicon.patterns import NAMED

ROOT = Path(__file__).parents[3]
ROOMS = ("parsers/quotes", "parsers/values")
MOST = 4
"""Alternatives of letters in one pattern."""


def alternatives(source: str) -> int:
    """How many alternatives of letters a pattern has, wherever in it; of a part of one, how many bars."""
    try:
        tree = TREE.parse(NAMED.sub("0", source))
    except re.error:
        return source.count("|")
    return sum(_counted(tree))


def _counted(items: Iterable[Any]) -> Iterator[int]:
    for operation, argument in items:
        if operation is OPS.BRANCH:
            yield sum(map(_has_letters, argument[1]))
        for inner in _inside(operation, argument):
            yield from _counted(inner)


def _has_letters(items: Iterable[Any]) -> bool:
    return any(
        (operation is OPS.LITERAL and chr(argument).isalpha())
        or (operation not in (OPS.ASSERT, OPS.ASSERT_NOT) and any(map(_has_letters, _inside(operation, argument))))
        for operation, argument in items
    )


def _inside(operation: Any, argument: Any) -> Iterable[Any]:
    if operation is OPS.BRANCH:
        return list(argument[1])
    if operation is OPS.SUBPATTERN:
        return [argument[3]]
    if operation in REPEATS:
        return [argument[2]]
    if operation in (OPS.ASSERT, OPS.ASSERT_NOT):
        return [argument[1]]
    return [argument] if operation is OPS.ATOMIC_GROUP else []


def texts(module: Path) -> Iterator[str]:
    """The texts in the code of a module; what one takes from elsewhere is left out, and docstrings are."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in ast.walk(node) if part is not node)
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def modules() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def test_a_list_of_words_is_counted_wherever_it_stands_in_a_pattern() -> None:
    assert alternatives(r"\b(?:bid|ask)\b(?! (?:side|only|wanted))") == 5
    assert alternatives(r"\b{bid_word}\b|\d+|[+-]|x") == 1
    assert alternatives("bid|ask|(?:") == 2


def test_patterns_list_no_words() -> None:
    found = [
        f"{module.relative_to(ROOT)}: {text[:80]}"
        for module in modules()
        for text in texts(module)
        if "|" in text and alternatives(text) > MOST
    ]
    assert not found, "give these words a sense in parsers/lexicon/*.toml, and name it"


def test_every_sense_of_a_sentence_is_asked_for() -> None:
    asked = {name for module in modules() for text in texts(module) for name in NAMED.findall(text)}
    assert asked >= set(map(str, phrases(Place.sentence)))


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    """The patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (pattern for one in value.values() for pattern in _patterns(one))
    elif isinstance(value, tuple | list):
        yield from (pattern for one in value for pattern in _patterns(one))


def test_a_pattern_that_names_a_sense_is_compiled_with_its_words() -> None:
    names = [".".join(module.relative_to(ROOT).with_suffix("").parts) for module in modules()]
    found = {
        f"{name}.{bound}": pattern.pattern[:60]
        for name in names
        for bound, value in vars(importlib.import_module(name.removesuffix(".__init__"))).items()
        for pattern in _patterns(value)
        if NAMED.search(pattern.pattern)
    }
    assert not found
