"""No function asks more than a reader can hold: what branches more is several questions under one name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("conf", "ingest", "log", "ops", "parsers", "pipelines")
MOST = 20
MOST_OF = {"parsers/quotes": 15}
"""Of rooms in which every function asks less."""

_ONE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.Assert, ast.match_case)


def _branches(node: ast.AST) -> int:
    """Of one node: `a and b and c` has two, a comprehension one and one for each of its conditions."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return int(isinstance(node, _ONE))


def _functions() -> Iterator[tuple[str, int]]:
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", sum(map(_branches, ast.walk(node)))


def _most(name: str) -> int:
    return min((most for room, most in MOST_OF.items() if name.startswith(f"{room}/")), default=MOST)


def test_no_function_has_more_than_twenty_branches_nor_more_than_its_room_allows() -> None:
    counted = dict(_functions())
    assert len(counted) > 1000
    assert all(any(name.startswith(f"{room}/") for name in counted) for room in MOST_OF)
    assert {name: count for name, count in counted.items() if count > _most(name)} == {}
