"""The columns without a heading, each with the role that what it holds and what is beside it weigh most for.

Such a column is the nearest lone level's other side, a size, a name or a term of the instrument, where that outweighs
being none of these by more than `MARGIN`. What check digits and codes say needs no weighing. A word that nobody knows
is a heading, too: what stands below it is anything, `Fri`, and not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.roles import LEVEL, SIZE, UNKNOWN
from parsers.quotes.listed import Weights
from parsers.quotes.tables.columns.evidence import LOOKED_AT, NEAR, SIDES, evidence, role_name
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.columns.settling import counts_rows, unmistakable
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.columns.weights import NOTHING, ROLES, weights
from parsers.values.numbers import is_null

MARGIN = 20
"""Odds of 7 to 1."""
MOST_OPEN = 4
"""Columns of no known heading; a table of more is not understood at all."""
_LEAST_FILLED = 2
_TOLD = 8
"""Pieces of evidence that are told, the heaviest."""
_OTHER = {"bid": "ask", "ask": "bid"}
_NAMED = {"name": "description"}
_SIZES = {SIZE: None, **{f"{side}_{SIZE}": side for side in SIDES}}
"""The side of each role of sizes."""
_WORDED = frozenset({"holds.bond", "holds.words", "holds.mixed"})
"""What names are."""
_TERMS = ("kind", "tenor", "month", "option_struct", "title", "thirty_seconds")
"""What both sides of one measure are alike in."""


class Candidate(Struct, frozen=True):
    """A column without a heading."""

    column: Column  # as its heading leaves it
    known: tuple[Column, ...]  # those of the table whose roles are known
    shown: frozenset[str]  # evidence
    possible: tuple[str, ...]  # the roles that it can have beside those; NOTHING among them


class Weighed(Struct, frozen=True):
    """What a column weighs for the roles that it can have."""

    candidate: Candidate
    totals: Mapping[str, int]

    @property
    def role(self) -> str:
        """The one that it weighs most for; the first of equals."""
        return max(self.totals, key=self.totals.__getitem__)

    @property
    def margin(self) -> int:
        """By how much more it weighs for its role than for none."""
        return self.totals[self.role] - self.totals[NOTHING]


def with_unheaded(table: Table, first: int, last: int) -> Table:
    """The table of the cells [first, last), if it has headings with the columns that none of them names."""
    if not table.headed or not _open(table, first, last):
        return table
    coded = _coded(table, first, last)
    found = _with(coded.columns, [settled(one) for one in _weighed(coded, first, last)])
    return replace(table, columns=found, fields=Fields.of(found))


def weighed(table: Table, first: int, last: int) -> Iterator[Weighed]:
    """What is something all the same, the surest first, each weighed beside those before it; codes are known."""
    return _weighed(_coded(table, first, last), first, last)


def _weighed(table: Table, first: int, last: int) -> Iterator[Weighed]:
    left = _open(table, first, last)
    known = _known(table.columns, left)
    while 0 < len(left) <= MOST_OPEN:
        surest = max((weighed_by(_candidate(one, table, known), weights()) for one in left), key=_margin)
        if surest.margin <= MARGIN:
            return
        yield surest
        known = (*known, settled(surest))
        left.remove(surest.candidate.column)


def candidates(table: Table, first: int, last: int) -> list[Candidate]:
    """The columns of the cells [first, last) whose heading says nothing, each beside all that are known."""
    coded = _coded(table, first, last)
    left = _open(coded, first, last)
    known = _known(coded.columns, left)
    return [_candidate(one, coded, known) for one in left]


def weighed_by(one: Candidate, by: Weights) -> Weighed:
    """What a column weighs by these weights."""
    several = [by[name] for name in one.shown if name in by]
    sums = dict(zip(ROLES, map(sum, zip(*several, strict=True)), strict=True)) if several else {}
    return Weighed(one, {role: sums.get(role, 0) for role in one.possible})


def reasons(one: Weighed) -> list[str]:
    """Why a column is what no heading says: what it weighs for its role and the runner-up, and the factors."""
    first, second = sorted(one.totals, key=lambda role: -one.totals[role])[:2]
    by, at = weights(), ROLES.index(first)
    sums = {name: by[name][at] - by[name][ROLES.index(second)] for name in one.candidate.shown if name in by}
    heaviest = sorted(sums.items(), key=lambda sum_of: (-abs(sum_of[1]), sum_of[0]))[:_TOLD]
    told = ", ".join(f"{name} {weight:+d}" for name, weight in heaviest if weight)
    return [
        f"no heading says what it is: it weighs {one.totals[first]} for {first}, {one.totals[second]} for {second}",
        f"for {first} against {second} weigh {told}",
    ]


def _open(table: Table, first: int, last: int) -> list[Column]:
    """The columns that hold something without any heading, or of a level of which no heading says whose.

    `Price` over `Ask` and over a blank: both are levels of one measure, and of one it is said whose.
    """
    headed = {one.at: one for one in table.columns}
    lone = {one.at: one for one in _lone(table.columns)}
    found = [headed.get(at) or Column(at=at, text="") for at in range(first, last)]
    return [one for one in found if _is_open(one, lone) and _is_filled(one, table)]


def _is_open(column: Column, lone: Mapping[int, Column]) -> bool:
    if column.role != LEVEL or column.side is not None:
        return column.role == UNKNOWN and not column.text
    beside = (lone.get(column.at - 1), lone.get(column.at + 1))
    sided = [one for one in beside if one is not None and _are_of_one(column, one)]
    return any(one.text.startswith(f"{column.text} ") for one in sided)


def _is_filled(column: Column, table: Table) -> bool:
    """Whether a column holds anything but the numbers of its rows."""
    texts = (row.cells[column.at].text for row in table.sample[:LOOKED_AT])
    is_filled = sum(not is_null(text) for text in texts if text) >= _LEAST_FILLED
    return is_filled and not counts_rows(column, table.sample)


def _known(columns: Sequence[Column], others: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of a known role that are none of the others."""
    places = {one.at for one in others}
    return tuple([one for one in columns if one.role != UNKNOWN and one.at not in places])


def _candidate(column: Column, table: Table, known: tuple[Column, ...]) -> Candidate:
    lone = _nearest(_lone(known), column)
    shown = frozenset(evidence(column.at, table.sample, table.locale, known, lone))
    lies = lone is not None and not shown.isdisjoint((f"lies_above.{lone.side}", f"lies_below.{lone.side}"))
    side = _OTHER[str(lone.side)] if lone is not None and lies and not shown.isdisjoint(NEAR) else None
    taken = {role_name(one) for one in known}
    if shown.isdisjoint(_WORDED):
        taken.add("name")
    roles = ROLES if column.role == UNKNOWN else (NOTHING, *SIDES)
    possible = [role for role in roles if (role == side if role in SIDES else role not in taken)]
    return Candidate(column, known, shown, tuple(possible))


def settled(one: Weighed) -> Column:
    """The column in the role that it weighs most for: as the lone level, or another size, is but for its side."""
    column, known = one.candidate.column, one.candidate.known
    if one.role in SIDES and (lone := _nearest(_lone(known), column)) is not None:
        return replace(lone, at=column.at, text=column.text, side=one.role, side_assumed=True, unheaded=True)
    own = Column(at=column.at, text=column.text, role=_NAMED.get(one.role, one.role), unheaded=True)
    if one.role not in _SIZES:
        return own
    like = _nearest([other for other in known if other.role == SIZE], column)
    side = _SIZES[one.role]
    return replace(like or own, at=column.at, text=column.text, role=SIZE, side=side, unheaded=True)


def _margin(one: Weighed) -> int:
    return one.margin


def _nearest(columns: Sequence[Column], to: Column) -> Column | None:
    return min(columns, key=lambda one: (abs(one.at - to.at), one.at), default=None)


def _lone(columns: Sequence[Column]) -> list[Column]:
    """The levels of one side that no other side stands beside."""
    sided = [one for one in columns if one.role == LEVEL and one.side in SIDES]
    return [one for one in sided if not any(_are_market(one, other) for other in sided)]


def _are_market(one: Column, other: Column) -> bool:
    """Whether two levels are both sides of one measure."""
    return one.side != other.side and _are_of_one(one, other)


def _are_of_one(one: Column, other: Column) -> bool:
    """Whether two levels are of one measure, which one of them may leave open."""
    if one.measure != other.measure and None not in (one.measure, other.measure):
        return False
    return all(getattr(one, name) == getattr(other, name) for name in _TERMS)


def _coded(table: Table, first: int, last: int) -> Table:
    """The table, with the columns without a heading whose texts are codes: identifiers, currencies, sides in words."""
    bare = [one for one in _open(table, first, last) if not (one.text or _are_letters(one, table))]
    roles = [unmistakable(one, table.sample) for one in bare]
    coded = [replace(one, role=role, unheaded=True) for one, role in zip(bare, roles, strict=True) if role]
    return replace(table, columns=_with(table.columns, coded)) if coded else table


def _are_letters(column: Column, table: Table) -> bool:
    """Whether a column holds single letters, which may be sides, classes or marks."""
    return any(len(row.cells[column.at].text) == 1 for row in table.sample)


def _with(columns: tuple[Column, ...], others: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, left to right, those at the places of others replaced."""
    places = {one.at: one for one in (*columns, *others)}
    return tuple(sorted(places.values(), key=lambda one: one.at)) if others else columns
