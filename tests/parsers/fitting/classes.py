"""Fit what each piece of evidence weighs for each class, from mails whose classes are known.

Writes `weighing/weights.toml` of the folder that --to names. Fitted on are the gold corpora of FOLDER (../shared), the
cases of desks, and 1,000 dealers made at random; with --share on one mail of N. Each block of rows is also read under a class drawn at random, and each reading is shown twice: with what
the words over it say, which names the class it is read under, and without them; so weights learn what rows show by
themselves. They are those of a multinomial logistic regression, ten times its logarithms, rounded.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import Code
from parsers.document import Document
from parsers.mail.unpack import unpack
from parsers.quotes.answers.told import Anew, Told
from parsers.quotes.assemble import assemble
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft
from parsers.quotes.finding import drafts_of
from parsers.quotes.listed import Weights
from parsers.quotes.weighing import weighing
from parsers.quotes.weighing.evidence import of_told
from parsers.quotes.weighing.weighing import drawn, margin
from parsers.quotes.weighing.weights import CLASSES
from parsers.reading import FoundIn, Reader
from parsers.taught import Taught
from tests.parsers.fitting import solving
from tests.parsers.fitting.options import FOLDS, fold_of, mails_of, options
from tests.parsers.fitting.solving import LEAST_CASES, as_file, shown_by

COUNTS = {"gold-dev": 2.0, "gold-second": 2.0, "desks": 1.0, "dealers": 0.5}
"""What a block of each corpus counts: mails of people before those of a generator, whose dealers are much alike."""
UNTOLD = 0.5
"""What a reading counts in which the class is not said."""
MISTOLD = 0.01
"""What one counts over which the words say another class than its own: desks hardly ever do that."""
HEAD = "# Written by scripts/fit: what each piece of evidence weighs for each class; listed.py says how to read it.\n"
_UNTOLD = of_told(Told(()))

Truth = Mapping[str, Any]


class Case(Struct, frozen=True):
    """The rows of one class under the same words, as they were read."""

    dealer: str  # whose mail it is, by which folds are made
    asset_class: str
    read: str  # the class that they were read under
    weight: float
    shares: Mapping[str, float]  # of the rows that show a piece of evidence
    told: Told  # what the words around them say
    is_told: bool  # it is what they say, if anything, of the class that was read; else nothing is told


def main() -> int:
    """The exit code."""
    said = options(__doc__).parse_args()
    known = list(cases(said.shared, said.share))
    if said.folds:
        sys.stdout.writelines(folded(known))
    else:
        (said.to / "weighing" / "weights.toml").write_text(as_file(HEAD, CLASSES, weights_of(known)), "utf-8")
    return 0


def cases(shared: Path, share: int = 1) -> Iterator[Case]:
    """The cases of all corpora, of each `share`th mail. Raises FileNotFoundError: a corpus is not there."""
    for corpus, name, raw, truth in mails_of(COUNTS, shared, share):
        if truth is not None:
            yield from counted_cases_of(corpus, name, raw, [line for line in truth if line["kind"] == "quote"])


def counted_cases_of(corpus: str, name: str, raw: bytes, truths: Sequence[Truth]) -> Iterator[Case]:
    """The cases of a mail, by what its corpus counts; those of desks and random dealers are a dealer's of their own."""
    for case in cases_of(raw, truths):
        dealer = case.dealer if corpus.startswith("gold") else name
        yield replace(case, weight=case.weight * COUNTS[corpus], dealer=dealer)


def cases_of(raw: bytes, truths: Sequence[Truth]) -> Iterator[Case]:
    """The cases of a mail; rows of which nobody knows the class are in none."""
    found = unpack(raw, {}, lambda _: None)
    sender = found.envelope.facts.sender or ""
    reader = _Watched("", Taught.load(None), "", sender, found.budget)
    for part in found.parts:
        if part.state is None:
            reader.read(part)
    chance = random.Random(zlib.crc32(json.dumps(truths, sort_keys=True).encode()))  # workbooks say when they were made
    for document, context, drafts in reader.seen:
        blocks = _blocks(drafts, truths, context.part_path)
        others = {key: chance.choice([name for name in CLASSES if name != key[2]]) for key in blocks}
        anew = tuple(Anew(told, read, others[told, read, name]) for told, read, name in blocks)
        again = drafts_of(document, replace(context, anew=anew))
        for (told, read, name), rows in blocks.items():
            for one, block in ((read, rows), (others[told, read, name], _reread(again, told, rows))):
                some = drawn([row for row in block if row.asset_class == one])
                if some:
                    yield from _cases(sender.rpartition("@")[2], name, one, some, _saying(told, name, one))


def _cases(dealer: str, name: str, read: str, rows: Sequence[Draft], told: Told) -> Iterator[Case]:
    """A block with what is said over it, and without."""
    own = {
        piece: count / len(rows) for piece, count in weighing.shown_by(Told(()), rows).items() if piece not in _UNTOLD
    }
    weight = 1.0 if read == name else MISTOLD
    yield Case(dealer, name, read, weight, own | dict.fromkeys(of_told(told), 1.0), told, is_told=True)
    yield Case(dealer, name, read, UNTOLD, own | dict.fromkeys(_UNTOLD, 1.0), Told(()), is_told=False)


def _blocks(drafts: Iterable[Draft], truths: Sequence[Truth], part: str) -> Mapping[tuple[Told, str, str], list[Draft]]:
    """The rows that were read as of one class under the same words, and are of one class."""
    found: dict[tuple[Told, str, str], list[Draft]] = defaultdict(list)
    for draft in drafts:
        name = class_in(truths, draft, part)
        if name in CLASSES and draft.told is not None:
            found[draft.told, draft.asset_class, str(name)].append(draft)
    return found


def _reread(drafts: Iterable[Draft], told: Told, rows: Iterable[Draft]) -> list[Draft]:
    """The same rows in another reading."""
    places = {_place(row) for row in rows}
    return [row for row in drafts if row.told and replace(row.told, weighed=()) == told and _place(row) in places]


def _place(draft: Draft) -> tuple[object, ...]:
    return (draft.sheet, draft.page, draft.table_idx, draft.row, draft.line)


def _saying(told: Told, name: str, read: str) -> Told:
    """What is said around rows, as if it said the class that they were read under."""

    def said(one: str | None) -> str | None:
        return read if one == name else one

    return Told(
        by=tuple((said(one), source) for one, source in told.by),
        also=frozenset(str(said(one)) for one in told.also),
        remark=said(told.remark),
        default=(str(said(told.default[0])), told.default[1]),
    )


class _Watched(Reader):
    """The reader of parts, which remembers what held quotes, and weighs nothing."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seen: list[tuple[Document, PartContext, Sequence[Draft]]] = []

    def _find(self, document: Document, context: PartContext) -> FoundIn:
        drafts = drafts_of(document, context)
        quotes = tuple(quote for draft in drafts for quote in assemble(draft, context)[0])
        if quotes:
            self.seen.append((document, context, drafts))
        return FoundIn(quotes, (), Code.NO_QUOTE_CONTENT, "")


def class_in(truths: Sequence[Truth], draft: Draft, part_path: str) -> str | None:
    """The class that the truth has for a row's place; of a mail of one class that one."""
    classes = {quote.get("asset_class") for quote in truths}
    if len(classes) < 2:
        return next(iter(classes), None)
    rows = {draft.row, *(level.row for level in draft.levels)} - {None}
    here = {
        quote.get("asset_class")
        for quote in truths
        if quote.get("part_path", part_path) == part_path
        and quote.get("sheet") == draft.sheet
        and (quote.get("line") == draft.line if draft.line is not None else quote.get("row") in rows)
        and quote.get("page", draft.page) == draft.page
    }
    return here.pop() if len(here) == 1 else None


def weights_of(known: Sequence[Case]) -> Weights:
    """The weights that fit the cases; evidence in fewer than three of them has none."""
    times = Counter(name for case in known if case.is_told and case.read == case.asset_class for name in case.shares)
    names = sorted(name for name, count in times.items() if count >= LEAST_CASES)
    shown = shown_by([case.shares for case in known], names)
    right, weight = [case.asset_class for case in known], [case.weight for case in known]
    return solving.weights_of(names, shown, CLASSES, right, weight)


class Judged(Struct, frozen=True):
    """What weighing says of a case."""

    case: Case
    heaviest: str  # the class that it weighs most for
    after: str  # the class that it is read under at last


def judged(known: Sequence[Case], by: Weights) -> Iterator[Judged]:
    """What weights say of cases that they need not have been fitted on."""
    names = sorted(by)
    totals = shown_by([case.shares for case in known], names) @ np.array([by[name] for name in names])
    for case, total in zip(known, totals, strict=True):
        heaviest = CLASSES[int(total.argmax())]
        least = margin(case.told, case.read, heaviest)
        is_over = case.read in CLASSES and total.max() - total[CLASSES.index(case.read)] > least
        yield Judged(case, heaviest, heaviest if is_over else case.read)


def folded(known: Sequence[Case]) -> Iterator[str]:
    """By five folds of dealers, each weighed by what the others fit: lines of figures."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for fold in range(FOLDS):
        out = [case for case in known if fold_of(case.dealer) == fold]
        by = weights_of([case for case in known if fold_of(case.dealer) != fold])
        for one in judged(out, by):
            case, truth = one.case, one.case.asset_class
            group = ("read right" if case.read == truth else "misread", "told so" if case.is_told else "not told")
            counts[group]["blocks"] += 1
            counts[group]["heaviest is right"] += one.heaviest == truth
            counts[group]["right after weighing"] += one.after == truth
    for (read, told), count in sorted(counts.items()):
        yield f"{read}, {told}: {', '.join(f'{name} {number}' for name, number in count.items())}\n"


if __name__ == "__main__":
    sys.exit(main())
