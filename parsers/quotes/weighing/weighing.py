"""Of which class the rows of a block are, by what all of them show together.

A block are the rows that were read as of one class under the same words (`Told`). What it weighs for a class is the
mean of what its rows weigh, with what the words over them weigh: rows of one block are no witnesses apart. Where a
class outweighs the one that was read by more than `MARGIN`, the block is read again under it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from parsers.quote import Quote
from parsers.quotes.answers.told import SETTLED, Anew, Told
from parsers.quotes.draft import Draft
from parsers.quotes.listed import Weights
from parsers.quotes.weighing.evidence import MOST_TEXT, evidence, of_told
from parsers.quotes.weighing.weights import CLASSES, weights
from parsers.quotes.work import Work

MOST_ROWS = 24
"""Rows of a block that are weighed, evenly drawn."""
MARGIN = 40
"""By how much a class must outweigh the one that was read: odds of 55 to 1 (docs/decisions/weighing.md)."""
MARGIN_OVER_WORDS = 80
"""The same where words around the rows say the class that was read, and not the other: odds of 3,000 to 1."""
_OF_A_ROW, _OF_A_CHARACTER = 50, 1
"""Units of work for each row that is weighed, and for each character that is looked at: ligatures take most."""
_TOLD = 8
"""Factors that are told."""


class Weighed(Struct, frozen=True):
    """A block, and what it weighs for each class."""

    told: Told
    read: str  # the class that its rows were read under
    rows: int  # of them that were weighed
    shown: Mapping[str, int]  # pieces of evidence, with how many of these rows show each
    totals: tuple[int, ...]  # in the order of `CLASSES`

    @property
    def ranked(self) -> list[tuple[int, str]]:
        """The classes with their weights, the heaviest first; of equals the first in the spec."""
        return sorted(zip(self.totals, CLASSES, strict=True), key=lambda one: -one[0])

    @property
    def margin(self) -> int | None:
        """By how much the class that was read outweighs every other; None where nobody said one."""
        if self.read not in CLASSES:
            return None
        at = CLASSES.index(self.read)
        return self.totals[at] - max(*self.totals[:at], *self.totals[at + 1 :])

    @property
    def best(self) -> str:
        """The class that the block is of: the one that was read, unless another outweighs it."""
        if self.read not in CLASSES:  # of what nobody said anything the heaviest class is wrong too often
            return self.read
        total, name = self.ranked[0]
        over = total - self.totals[CLASSES.index(self.read)]
        return name if over > margin(self.told, self.read, name) else self.read


def margin(told: Told, read: str, name: str) -> int:
    """By how much a class must outweigh the one that rows were read under, with this said around them."""
    said = {one for one, _ in told.by} | told.also
    return MARGIN_OVER_WORDS if read in said and name not in said else MARGIN


def weigh(drafts: Iterable[Draft], work: Work | None = None) -> list[Weighed]:
    """What each block weighs, in reading order; rows whose class is settled are in none.

    The work is counted before it is done: of a part that has none left the further blocks stay as they were read.
    """
    work = work or Work()
    blocks: dict[tuple[Told, str], list[Draft]] = {}
    for draft in drafts:
        if draft.told is not None and draft.class_source not in SETTLED:
            blocks.setdefault((draft.told, draft.asset_class), []).append(draft)
    found = []
    for (told, read), rows in blocks.items():
        some = drawn(rows)
        work.spend(sum(map(_work_of, some)))
        if work.is_done:
            break
        found.append(_weighed(told, read, some))
    return found


def _work_of(row: Draft) -> int:
    texts = (row.raw_text, row.instrument.description or "")
    return _OF_A_ROW + _OF_A_CHARACTER * sum(min(len(text), MOST_TEXT) for text in texts)


def _weighed(told: Told, read: str, rows: Sequence[Draft]) -> Weighed:
    shown = shown_by(told, rows)
    return Weighed(told, read, len(rows), shown, totals_of(shown, len(rows), weights()))


def anew_of(weighed: Iterable[Weighed]) -> tuple[Anew, ...]:
    """The blocks that are of another class than they were read under."""
    return tuple([Anew(one.told, one.read, best) for one in weighed if (best := one.best) != one.read])


def drawn(rows: Sequence[Draft]) -> Sequence[Draft]:
    """At most `MOST_ROWS` of the rows, as far apart as they can be."""
    if len(rows) <= MOST_ROWS:
        return rows
    return [rows[at * len(rows) // MOST_ROWS] for at in range(MOST_ROWS)]


def shown_by(told: Told, rows: Sequence[Draft]) -> Mapping[str, int]:
    """The evidence of a block, with how many of its rows show each piece; what is said over them all of them show."""
    shown = Counter(dict.fromkeys(of_told(told), len(rows)))
    for row in rows:
        shown.update(evidence(row))
    return shown


def totals_of(shown: Mapping[str, int], rows: int, by: Weights) -> tuple[int, ...]:
    """What evidence weighs for each class, a row on the mean."""
    by_times: dict[int, list[tuple[int, ...]]] = {}  # most are shown by all rows: what these weigh is added up at once
    for name, times in shown.items():
        if (weight := by.get(name)) is not None:
            by_times.setdefault(times, []).append(weight)
    totals = [0] * len(CLASSES)
    for times, several in by_times.items():
        sums = map(sum, zip(*several, strict=True))
        totals = [total + times * one for total, one in zip(totals, sums, strict=True)]
    return tuple([total // rows for total in totals])


def is_whole(before: Iterable[Quote], after: Iterable[Quote]) -> bool:
    """Whether a second reading has at least as many quotes in each line and row as the first."""
    return not Counter(map(_place, before)) - Counter(map(_place, after))


def reasons(weighed: Weighed) -> list[str]:
    """Why a block of a known class is read under another: the factors with their sums, and the runner-up."""
    by, (first, second) = weights(), weighed.ranked[:2]
    at = CLASSES.index(first[1])
    sums = {name: by[name][at] * times // weighed.rows for name, times in weighed.shown.items() if name in by}
    heaviest = sorted(sums.items(), key=lambda one: (-abs(one[1]), one[0]))[:_TOLD]
    read = weighed.totals[CLASSES.index(weighed.read)]
    told = ", ".join(f"{name} {total:+d}" for name, total in heaviest if total)
    return [
        f"{weighed.rows} rows together weigh {first[0]} for {first[1]}, {second[0]} for {second[1]}",
        f"they were read as {weighed.read} first, for which they weigh {read}",
        f"for {first[1]} weigh {told}",
    ]


def _place(quote: Quote) -> tuple[str | None, int | None, int | None, int | None, int | None]:
    return (quote.sheet, quote.page, quote.table_idx, quote.row, quote.line)
