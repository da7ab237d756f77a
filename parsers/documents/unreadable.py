"""The one error of the readers: a part that gives no document, with its code."""

from __future__ import annotations

from parsers.codes import Code


class Unreadable(Exception):
    """The part ends with `code` (spec 6.4); the message says why, for people."""

    def __init__(self, code: Code, why: str) -> None:
        super().__init__(why)
        self.code = code
