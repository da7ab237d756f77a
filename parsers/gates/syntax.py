"""Patterns as the standard library's own reader takes them apart; it has no public name since Python 3.11."""

from __future__ import annotations

import importlib
from typing import Any

TREE: Any = importlib.import_module("re._parser")
OPS: Any = importlib.import_module("re._constants")
REPEATS = frozenset({OPS.MAX_REPEAT, OPS.MIN_REPEAT, OPS.POSSESSIVE_REPEAT})
EMPTY = frozenset({OPS.AT, OPS.ASSERT, OPS.ASSERT_NOT})
"""What takes no character."""
