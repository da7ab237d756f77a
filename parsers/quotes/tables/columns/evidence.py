"""What a column shows of its role, whatever stands above it: a closed list of kinds, each with its values.

A piece of evidence is named `kind.value`: `holds.number`, `middle.below_108`, `right_of.bid`, `lies_above.bid`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from msgspec import Struct

from parsers.document import Row
from parsers.quotes.answers.names import names_bond
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import IDENTIFIERS, LEVEL, NAMES, SIZE
from parsers.quotes.tables.cells.cells import one
from parsers.values.bins import bin_of, bins
from parsers.values.currencies import CODE
from parsers.values.markets import LevelRules
from parsers.values.numbers import Number, Ticks, is_null
from parsers.values.separators import Locale
from parsers.values.sizes import SizeRules, size_pair
from parsers.values.times.dates import DateOrder, maturity
from parsers.values.times.tenors import tenor

LOOKED_AT = 24
"""Rows of a column."""
SIDES = ("bid", "ask")
_MOST_TEXT = 60
"""Characters of a cell; what is behind them is a remark."""
_IS_CODE = re.compile(CODE)
_DECIMALS = re.compile(r"[.,](\d+)[^\d]{0,3}$")
_MIDDLES = (0, 1, 3, 7, 14, 40, 75, 92, 108, 150, 400, 2000)
_GAPS = (1, 5, 20, 50, 150, 300, 1000)
"""Thousandths of what stands beside."""
NEAR = frozenset(f"widest.below_{gap}" for gap in _GAPS if gap <= 150)
"""No value is further from that of a lone level; what is, is no other side of it."""
_POINTS = (1, 3, 10, 30)
_PLACES = (1, 2, 3, 4)
_LENGTHS = (4, 9, 13, 25)
_PAIRS = (1, 2, 3, 5)
"""Bounds between which values, widths, decimals, lengths of texts and numbers of pairs are alike."""
_MOST_CROSSED = 10
"""Rows, of which one may be."""
_STEPS = tuple((Fraction(step), step) for step in ("50", "5", "1", "1/8", "1/20"))
_EXPECTED = (*SIDES, SIZE, "name", "identifier", "maturity", "coupon", "currency")
"""Roles that few tables lack."""


class Cells(Struct, frozen=True):
    """The first cells of a column, with the number that each holds."""

    texts: tuple[str, ...]  # of what holds nothing empty
    values: tuple[Fraction | None, ...]

    @classmethod
    def of(cls, rows: Sequence[Row], at: int, locale: Locale) -> Cells:
        """Those at a place in each row."""
        rules = LevelRules(locale=locale, thirty_seconds=Ticks.unsure)
        cells = [row.cells[at] for row in rows[:LOOKED_AT]]
        texts = ["" if is_null(cell.text) else cell.text[:_MOST_TEXT] for cell in cells]
        read = [one(cell, rules) for cell in cells]
        return cls(tuple(texts), tuple([found.value if isinstance(found, Number) else None for found in read]))

    @property
    def filled(self) -> list[str]:
        """The texts that there are."""
        return [text for text in self.texts if text]


def role_name(column: Column) -> str:
    """What a column is beside others: its role, of levels and sizes with the side."""
    if column.role == LEVEL:
        return column.side if column.side in SIDES else "point" if column.tenor or column.month else LEVEL
    if column.role == SIZE and column.side in SIDES:
        return f"{column.side}_{SIZE}"
    return "identifier" if column.role in IDENTIFIERS else "name" if column.role in NAMES else column.role


def evidence(at: int, rows: Sequence[Row], locale: Locale, known: Sequence[Column], lone: Column | None) -> set[str]:
    """All that a column shows, each piece once.

    Args:
        at: of its cells in a row; one at least holds something.
        rows: below the headings.
        locale: of their numbers.
        known: the columns whose roles are known.
        lone: of these a level that its other side does not stand beside, if any.
    """
    cells = Cells.of(rows, at, locale)
    found = {*_of_cells(cells), *_of_place(at, known)}
    if lone is not None:
        found.update(_against(at, cells, lone, Cells.of(rows, lone.at, locale)))
    return found


def is_evidence(name: str) -> bool:
    """Whether a column can show a piece of this name."""
    kind, _, value = name.partition(".")
    return kind in _KINDS and _KINDS[kind](value)


def _of_cells(cells: Cells) -> Iterator[str]:
    filled = cells.filled
    kinds = [_kind(text, value) for text, value in zip(cells.texts, cells.values, strict=True) if text]
    most = max(_HELD, key=kinds.count)
    yield f"holds.{most if kinds.count(most) * 5 >= len(kinds) * 4 else 'mixed'}"
    yield f"filled.{_share(len(filled), len(cells.texts))}"
    yield f"distinct.{_share(len(set(filled)), len(filled))}"
    values = [value for value in cells.values if value is not None]
    if most != "number" or not values:
        yield f"length.{bin_of(max(map(len, filled)), _LENGTHS)}"
        return
    yield f"middle.{bin_of(_middle(values), _MIDDLES)}"
    yield f"decimals.{_decimals(filled)}"
    yield f"steps.{_steps(values)}"
    yield f"order.{_order(values)}"
    if any(text[0] in "+-−" for text in filled):
        yield "signed.yes"


def _share(part: int, whole: int) -> str:
    if part == whole:
        return "all"
    return "most" if part * 2 > whole else "few"


def _kind(text: str, value: Fraction | None) -> str:
    """What one cell holds."""
    if value is not None:
        return "number"
    due = maturity(text, DateOrder.dmy)
    tests = (
        ("code", _IS_CODE.fullmatch(text) is not None),
        ("tenor", tenor(text) is not None),
        ("date", due is not None and due.date is not None),
        ("size", text[-1].isalpha() and size_pair(text, SizeRules()) is not None),
        ("bond", names_bond(text)),
        ("words", any(map(str.isalpha, text))),
    )
    return next((kind for kind, applies in tests if applies), "figures")


def _middle(values: Sequence[Fraction]) -> Fraction:
    return sorted(values)[len(values) // 2]


def _decimals(texts: Sequence[str]) -> str:
    """The most decimals that are printed."""
    return bin_of(max((len(found[1]) for text in texts if (found := _DECIMALS.search(text))), default=0), _PLACES)


def _steps(values: Sequence[Fraction]) -> str:
    """The coarsest steps that all values are on."""
    return next((name for step, name in _STEPS if all((value / step).denominator == 1 for value in values)), "finer")


def _order(values: Sequence[Fraction]) -> str:
    steps = {(other > value) - (other < value) for value, other in pairwise(values)} - {0}
    return "none" if len(steps) != 1 else "rises" if 1 in steps else "falls"


def _of_place(at: int, known: Sequence[Column]) -> Iterator[str]:
    """What stands left and right of a column, what in its table, and what does not."""
    left = max((one for one in known if one.at < at), key=lambda one: one.at, default=None)
    right = min((one for one in known if one.at > at), key=lambda one: one.at, default=None)
    yield f"right_of.{'nothing' if left is None else role_name(left)}"
    yield f"left_of.{'nothing' if right is None else role_name(right)}"
    names = {role_name(one) for one in known}
    yield from (f"beside.{name}" for name in names)
    yield from (f"without.{name}" for name in _EXPECTED if name not in names)


def _against(at: int, cells: Cells, lone: Column, others: Cells) -> Iterator[str]:
    """How the values lie to those of a level that lacks its other side."""
    yield f"lone_{'right' if lone.at == at + 1 else 'left' if lone.at == at - 1 else 'far'}.{lone.side}"
    pairs = [
        (value, other) for value, other in zip(cells.values, others.values, strict=True) if value is not None and other
    ]
    yield f"pairs.{bin_of(len(pairs), _PAIRS)}"
    if not pairs:
        return
    yield f"lies_{_lies(pairs)}.{lone.side}"
    gaps = [abs(value - other) * 1000 / abs(other) for value, other in pairs]
    yield f"gap.{bin_of(_middle(gaps), _GAPS)}"
    yield f"widest.{bin_of(max(gaps), _GAPS)}"
    yield f"points.{bin_of(_middle([abs(value - other) for value, other in pairs]), _POINTS)}"
    yield f"decimals_are.{'alike' if _decimals(cells.filled) == _decimals(others.filled) else 'others'}"


def _lies(pairs: Sequence[tuple[Fraction, Fraction]]) -> str:
    """On which side of the others the values are, but for one in ten: a market may be crossed."""
    above, below = sum(value > other for value, other in pairs), sum(value < other for value, other in pairs)
    if not above and not below:
        return "level"
    if min(above, below) * _MOST_CROSSED > len(pairs):
        return "mixed"
    return "above" if above > below else "below"


def _one_of(*values: str) -> Callable[[str], bool]:
    return frozenset(values).__contains__


_HELD = ("number", "code", "tenor", "date", "size", "bond", "words", "figures")
_SHARES = _one_of("all", "most", "few")
_IS_SIDE = _one_of(*SIDES)
_KINDS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "holds": _one_of(*_HELD, "mixed"),
        "filled": _SHARES,
        "distinct": _SHARES,
        "length": _one_of(*bins(_LENGTHS)),
        "middle": _one_of(*bins(_MIDDLES)),
        "decimals": _one_of(*bins(_PLACES)),
        "steps": _one_of(*(name for _, name in _STEPS), "finer"),
        "order": _one_of("none", "rises", "falls"),
        "signed": _one_of("yes"),
        **dict.fromkeys(("right_of", "left_of", "beside"), bool),  # a role
        "without": _one_of(*_EXPECTED),
        **dict.fromkeys(("lone_left", "lone_right", "lone_far"), _IS_SIDE),
        **dict.fromkeys(("lies_above", "lies_below", "lies_mixed", "lies_level"), _IS_SIDE),
        "pairs": _one_of(*bins(_PAIRS)),
        **dict.fromkeys(("gap", "widest"), _one_of(*bins(_GAPS))),
        "points": _one_of(*bins(_POINTS)),
        "decimals_are": _one_of("alike", "others"),
    }
)
