"""Lines that repeat with other figures, as those of a log do: what said nothing several times is not read again."""

from __future__ import annotations

import re
from collections import Counter

from msgspec.structs import replace

from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.runs.setting import Setting
from parsers.values.finding import find

ENOUGH = 4
"""Lines of one shape that are read before the others of it are passed over."""
UNASKED = 64
"""Lines without a row, one behind the other, before shapes are asked for: no run has so many, and most mails less."""

_FIGURES = re.compile(
    r"(?<![A-Za-z\d+/=_-])(?=[A-Za-z\d+/=_-]{24})[A-Za-z+/=_-]*+\d[A-Za-z\d+/=_-]*+|"  # of a key or a hash
    r"(?<![A-Za-z\d])(?=[A-Za-z\d]{8})[A-Za-z]*+\d[A-Za-z\d]*+|"  # `4F2A9C07` is one figure, as a number is
    r"\d++(?:[.,:]\d++)*+"
)


class Repeats:
    """What shapes of line said nothing under which headings, since a line last said something.

    A shape is the line with all its figures alike. A line with an identifier is always read.
    """

    def __init__(self, columns: frozenset[int]) -> None:
        """With the positions of the block's columns of identifiers."""
        self._columns = columns
        self._silent = 0  # lines since the last row
        self._under: dict[Setting, Counter[str]] = {}
        self._last: tuple[Setting | None, Counter[str]] = (None, Counter())

    def is_silent(self, text: str, setting: Setting) -> bool:
        """Whether enough lines of this shape said nothing under these headings, and this one has no identifier."""
        return self._is_known(text, setting) and not find(text, columns=self._columns, priced=True)

    def said_nothing(self, text: str, above: Setting, below: Setting) -> None:
        """A line was read that gave no row; it may have changed the headings."""
        self._silent += 1
        if self._silent <= UNASKED:
            return
        is_heading = above != below and _FIGURES.search(text) is None
        if is_heading:  # what said nothing above it may say something below
            self._under.clear()
            self._last = (None, Counter())
        elif above is below or _lasting(above) == _lasting(below):
            self._of(above)[shape(text)] += 1

    def spoke(self, text: str, setting: Setting) -> None:
        """A line was read under these headings that gave a row: its identifier alone told it from its shape's others.

        A line of no such shape begins a run, and all is asked anew.
        """
        if not self._is_known(text, setting):
            self.ask_anew()

    def ask_anew(self) -> None:
        """Rows of a table were read: every shape may say something below them."""
        self._silent = 0
        self._under.clear()
        self._last = (None, Counter())

    def _is_known(self, text: str, setting: Setting) -> bool:
        """Whether enough lines of this shape said nothing under these headings."""
        return bool(self._under) and self._of(setting)[shape(text)] >= ENOUGH

    def _of(self, setting: Setting) -> Counter[str]:
        if self._last[0] is not setting:
            self._last = (setting, self._under.setdefault(_lasting(setting), Counter()))
        return self._last[1]


def shape(text: str) -> str:
    """The line with all its figures alike."""
    return _FIGURES.sub("0", text)


def _lasting(setting: Setting) -> Setting:
    """The headings without what each line of a log says anew: a name, and when it was written."""
    said, general = _timeless(setting.said), _timeless(setting.general)
    return replace(setting, issuer=None, names_bonds=True, is_bare=False, said=said, general=general)


def _timeless(said: Surroundings) -> Surroundings:
    return said if said.printed is None else replace(said, printed=None)
