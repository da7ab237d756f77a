"""Lines that repeat with other figures, as those of a log do: what said nothing several times is not read again."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from msgspec.structs import replace

from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.surroundings import Surroundings
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
_PRICE = r"\d{1,4}(?:[.,]\d{1,6})?"
_MARKET = re.compile(
    r"\d{2,3}-[0-3]\d[+\d]?\s?/\s?\d|\d{2,3}\s[1357]/(?:2|4|8|16)\b|"  # 32nds, fractions
    r"(?<![A-Za-z])[A-Z]{1,5}\+\d{1,4}/\d|"  # `T+121/16`
    rf"(?<![\w.,/:(\[-])(?P<bid>{_PRICE})(?=(?P<apart>\s?[/–-]\s?|\s+)(?P<ask>{_PRICE})(?![\w/:-]|[.,]\d))"
)
_PAIR = re.compile(r"0-0\+?\s?/\s?0|0\s0/0|[A-Z]\+0/0|(?<![\w.,/:(\[-])0(?:\s?[/–-]\s?|\s+)0(?![\w/:-])")
"""The same in a shape, which most shapes of a log have not."""
_LAST_OF_DATES = 31


class Repeats:
    """What shapes of line said nothing under which headings, since a line last said something.

    A shape is the line with all its figures alike. A line with an identifier, or with what looks like a market, is
    always read: figures alone may tell a quote from what said nothing.
    """

    def __init__(self, columns: frozenset[int]) -> None:
        """With the positions of the block's columns of identifiers."""
        self._columns = columns
        self._silent = 0  # lines since the last row
        self._under: dict[Setting, Counter[str]] = {}
        self._last: tuple[Setting | None, Counter[str]] = (None, Counter())

    def is_silent(self, text: str, setting: Setting) -> bool:
        """Whether enough lines of this shape said nothing under these headings, and this one must not be read."""
        if not self._under:
            return False
        shaped = shape(text)
        if not self._is_known(shaped, setting) or find(text, columns=self._columns, priced=True):
            return False
        return not (_has_pair(shaped) and has_market(text))

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
        if not self._under or not self._is_known(shape(text), setting):
            self.ask_anew()

    def ask_anew(self) -> None:
        """Rows of a table were read: every shape may say something below them."""
        self._silent = 0
        self._under.clear()
        self._last = (None, Counter())

    def _is_known(self, shaped: str, setting: Setting) -> bool:
        """Whether enough lines of this shape said nothing under these headings."""
        return self._of(setting)[shaped] >= ENOUGH

    def _of(self, setting: Setting) -> Counter[str]:
        if self._last[0] is not setting:
            self._last = (setting, self._under.setdefault(_lasting(setting), Counter()))
        return self._last[1]


def shape(text: str) -> str:
    """The line with all its figures alike."""
    return _FIGURES.sub("0", text)


@lru_cache(maxsize=1024)  # a log has few
def _has_pair(shaped: str) -> bool:
    return _PAIR.search(shaped) is not None


def has_market(text: str) -> bool:
    """Whether two figures beside each other are near each other as bid and ask are: no date, no progress `(9/10)`."""
    return any(map(_is_market, _MARKET.finditer(text)))


def _is_market(match: re.Match[str]) -> bool:
    sides = match["bid"], match["ask"]
    if sides[0] is None:
        return True
    low, high = sorted(float(side.replace(",", ".")) for side in sides)
    decimals = sum(not side.isdigit() for side in sides)
    is_like_one = decimals == 2 or (not match["apart"].isspace() and (decimals or high > _LAST_OF_DATES))
    return bool(is_like_one) and 0 < low < high <= low * 1.1


def _lasting(setting: Setting) -> Setting:
    """The headings without what each line of a log says anew: a name, and when it was written."""
    said, general = _timeless(setting.said), _timeless(setting.general)
    return replace(setting, issuer=None, names_bonds=True, is_bare=False, said=said, general=general)


def _timeless(said: Surroundings) -> Surroundings:
    return said if said.printed is None else replace(said, printed=None)
