"""Fit what each piece of evidence weighs for each role of a column, from tables whose headings are known.

Writes `tables/columns/weights.toml` of the folder that --to names. Fitted on are the tables of the gold corpora of FOLDER
(../shared) and of 1,000 dealers made at random; with --share on one mail of N. Each heading is taken away in turn: the
column is a case, and the role that its heading gave it is right, or `nothing` where it is none that it can have here (a side
that lies too far off, say). So is each column that had no known heading before.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from parsers.codes import Code
from parsers.document import Document, Grid
from parsers.mail.unpack import unpack
from parsers.quotes.context import PartContext
from parsers.quotes.listed import Weights
from parsers.quotes.tables.columns.evidence import role_name
from parsers.quotes.tables.columns.table import table_of
from parsers.quotes.tables.columns.unheaded import MARGIN, Candidate, candidates, weighed_by
from parsers.quotes.tables.columns.weights import NOTHING, ROLES
from parsers.quotes.tables.grids.block import Block
from parsers.quotes.tables.grids.split import blocks
from parsers.reading import FoundIn, Reader
from parsers.taught import Taught
from tests.parsers.fitting import solving
from tests.parsers.fitting.options import FOLDS, fold_of, mails_of, options
from tests.parsers.fitting.solving import LEAST_CASES, as_file, shown_by

COUNTS = {"gold-dev": 2.0, "gold-second": 2.0, "dealers": 0.5}
"""What a column of each corpus counts: mails of people before those of a generator, whose dealers are much alike."""
HEAD = "# Written by scripts/fit: what each piece of evidence weighs for each role of a column; listed.py says how to read it.\n"


class Case(Struct, frozen=True):
    """A column without its heading."""

    dealer: str  # whose mail it is, by which folds are made
    role: str  # what it is
    column: Candidate
    weight: float


def main() -> int:
    """The exit code."""
    said = options(__doc__).parse_args()
    known = list(cases(said.shared, said.share))
    if said.folds:
        sys.stdout.writelines(folded(known))
    else:
        file = said.to / "tables" / "columns" / "weights.toml"
        file.write_text(as_file(HEAD, ROLES, weights_of(known)), "utf-8")
    return 0


def cases(shared: Path, share: int = 1) -> Iterator[Case]:
    """The cases of all corpora, of each `share`th mail. Raises FileNotFoundError: a corpus is not there."""
    for corpus, name, raw, _ in mails_of(COUNTS, shared, share):
        yield from cases_of(raw, COUNTS[corpus], None if corpus.startswith("gold") else name)


def cases_of(raw: bytes, weight: float, dealer: str | None = None) -> Iterator[Case]:
    """The cases of a mail, which is its sender's where it is no other dealer's."""
    found = unpack(raw, {}, lambda _: None)
    sender = found.envelope.facts.sender or ""
    reader = _Watched("", Taught.load(None), "", sender, found.budget)
    for part in found.parts:
        if part.state is None:
            reader.read(part)
    for grid in reader.seen:
        for block in blocks(grid.rows):
            yield from _of_block(block, weight, dealer or sender.rpartition("@")[2])


def _of_block(block: Block, weight: float, dealer: str) -> Iterator[Case]:
    if block.header is None or not block.body:
        return
    columns = block.header.columns
    right = {one.at: role_name(one) for one in table_of(columns, block.body, headed=True).columns}
    for at in (None, *right):
        others = [one for one in columns if one.at != at]
        for one in candidates(table_of(others, block.body, headed=True), block.first, block.last):
            if at is None or one.column.at == at:
                role = right.get(one.column.at, NOTHING)
                yield Case(dealer, role if role in one.possible else NOTHING, one, weight)


class _Watched(Reader):
    """The reader of parts, which remembers the tables that it meets."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seen: list[Grid] = []

    def _find(self, document: Document, context: PartContext) -> FoundIn:  # noqa: ARG002  as the reader asks it
        self.seen += [block for block in document.blocks if isinstance(block, Grid)]
        return FoundIn((), (), Code.NO_QUOTE_CONTENT, "")


def weights_of(known: Sequence[Case]) -> Weights:
    """The weights that fit the cases; evidence in fewer than three of them has none."""
    times = Counter(name for case in known for name in case.column.shown)
    names = sorted(name for name, count in times.items() if count >= LEAST_CASES)
    shown = shown_by([dict.fromkeys(case.column.shown, 1.0) for case in known], names)
    return solving.weights_of(names, shown, ROLES, [case.role for case in known], [case.weight for case in known])


def role_by(case: Case, by: Weights) -> str:
    """The role that a column is given by weights that it need not have been fitted on."""
    found = weighed_by(case.column, by)
    return found.role if found.margin > MARGIN else NOTHING


def folded(known: Sequence[Case]) -> Iterator[str]:
    """By five folds of dealers, each weighed by what the others fit: lines of figures."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for fold in range(FOLDS):
        by = weights_of([case for case in known if fold_of(case.dealer) != fold])
        for case in (case for case in known if fold_of(case.dealer) == fold):
            got = role_by(case, by)
            counts[case.role]["columns"] += 1
            counts[case.role]["right"] += got == case.role
            counts[got]["wrong"] += got != case.role
    for role in ROLES:
        yield f"{role}: {', '.join(f'{name} {number}' for name, number in counts[role].items())}\n"


if __name__ == "__main__":
    sys.exit(main())
