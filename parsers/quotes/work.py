"""How much may be read of one part, counted in work and not in time: the same bytes end at the same place everywhere.

A unit is about a microsecond of a quiet core of 2020; the whole stays well below the sandbox's deadline, which is for
what hangs (spec ruling 38).
"""

from __future__ import annotations

MOST = 24_000_000
"""Units of a part: a sheet of 200,000 rows of prices, some 20,000 lines of a run, all of a log of 50 MB."""
FOR_LINES = 4_000_000
"""Of these, what tables leave to the lines around them."""

_LINE, _LINE_CHARACTER = 300, 20
_PASSED, _PASSED_CHARACTERS = 10, 4
_TYPED_FIGURES, _TYPED_WORDS = 4, 10
_ROW, _FIGURES = 20, 4
_WORDS, _WORDS_AGAIN = 1000, 5
_LOOKED_UP = 40
"""Of a row or line: at most four identifiers, each in ten microseconds at most."""


class Work:
    """What is left to do of one part."""

    def __init__(self, most: int = MOST, *, looks_up: bool = False) -> None:
        """With whether there is a dictionary of instruments, which is asked of each row and line."""
        self.left = most
        self.of_look_ups = _LOOKED_UP if looks_up else 0

    @property
    def is_done(self) -> bool:
        """Whether nothing more is read."""
        return self.left <= 0

    @property
    def for_tables(self) -> int:
        """Units that tables may take yet."""
        return self.left - FOR_LINES

    def apart(self) -> Work:
        """As much as tables may take yet, taken out; what is left of it goes back by `spend`, below zero."""
        taken = Work(max(self.for_tables, 0), looks_up=self.of_look_ups > 0)
        self.left -= taken.left
        return taken

    def spend(self, units: int) -> None:
        """Count what was done."""
        self.left -= units

    def line(self, text: str) -> None:
        """Count a line that was read: lexed, classed, heard as a heading."""
        self.left -= _LINE + _LINE_CHARACTER * len(text) + self.of_look_ups

    def passed(self, text: str) -> None:
        """Count a line that was only looked at."""
        self.left -= _PASSED + len(text) // _PASSED_CHARACTERS


def of_typed_row(text: str) -> int:
    """Units of a line that is a row of a table; words are asked whether they head others, figures are not."""
    return _ROW + (_TYPED_FIGURES if _has_digit(text) else _TYPED_WORDS) * len(text)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, set(text)))  # a cell of a megabyte has few characters


class RowCosts:
    """What rows of cells cost, in reading order: words that come again cost little."""

    def __init__(self, *, headed: bool = True, of_look_ups: int = 0) -> None:
        """With whether any headings were found: without, rows of words are not asked whether they are others.

        `of_look_ups`: units that a row takes besides, as `Work` has them.
        """
        self._headed, self._row = headed, _ROW + of_look_ups
        self._seen: set[str] = set()

    def of(self, texts: list[str]) -> int:
        """Units of a row with these texts in its cells."""
        if not self._headed or any(map(_has_digit, texts)):
            return self._row + _FIGURES * len(texts)
        new = set(texts) - self._seen
        self._seen |= new
        return self._row + _WORDS * len(new) + _WORDS_AGAIN * (len(texts) - len(new))
