"""How a child fails its parent, and the time that a mail may cost it."""

from __future__ import annotations

from msgspec import Struct

from parsers.codes import Code
from parsers.sandbox.watch import WALL_FACTOR


class ChildFailed(Exception):
    """The child was killed, or died. `part` is the part it was at; None when it had touched none."""

    def __init__(self, code: Code, why: str, part: str | None) -> None:
        super().__init__(why)
        self.code = code
        self.part = part


class Allowance(Struct):
    """Wall time left to one mail for all the children it costs; their starts do not count."""

    left_s: float

    @classmethod
    def of_parts(cls, parts: int, part_deadline_s: float) -> Allowance:
        """As long as so many parts may take that end at their deadline."""
        return cls(parts * WALL_FACTOR * part_deadline_s)


class ParserChanged(RuntimeError):
    """The child is of another parser version than its parent: the code was changed since that began."""


class StartFailed(RuntimeError):
    """The child cannot start: a broken installation, or a system that has no room for it; no mail's fault."""
