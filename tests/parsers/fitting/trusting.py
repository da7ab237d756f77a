"""The cases of trust: rows of mails whose quotes are known, each with what it shows and whether it is right."""

from __future__ import annotations

import hashlib
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from parsers.alternatives import readings_of
from parsers.codes import Code
from parsers.document import Document
from parsers.duplicates import marked
from parsers.goldform import gold_form
from parsers.mail.unpack import unpack
from parsers.quotes.context import PartContext
from parsers.quotes.finding import rows_of
from parsers.quotes.keys import apart
from parsers.reading import FoundIn, Reader
from parsers.scoring.figures import score_mail
from parsers.scoring.pairing import Line
from parsers.taught import Taught
from tests.parsers.fitting.harder import HARDER, Harder
from tests.parsers.fitting.options import mails_of

COUNTS = {"gold-dev": 1.0, "gold-second": 1.0, "desks": 1.0, "dealers": 0.5, "real": 3.0}
"""What a row of each corpus counts: a generator's dealers are much alike, and few real mails show any row."""
OF_HARDER = 0.35
"""What a row of a gold mail that was made harder counts."""
MOST_OF_A_MAIL = 20
"""Rows that a mail counts at most: those of one mail are right or wrong together."""


class Case(Struct, frozen=True):
    """A row that was read."""

    corpus: str  # `gold-dev`; of gold mails made harder `gold-dev, heading`
    mail: str
    dealer: str  # whose mail it is, by which folds are made
    factors: tuple[str, ...]
    is_exact: bool  # all that is scored is right; where the truth knows prices alone, these
    is_priced: bool  # instrument, type and levels are right
    weight: float


def cases(shared: Path, share: int = 1) -> Iterator[Case]:
    """The cases of all corpora, of each `share`th mail. Raises FileNotFoundError: a corpus is not there."""
    for corpus, name, raw, truth in mails_of(COUNTS, shared, share):
        yield from cases_of(corpus, name, raw, truth or ())


def cases_of(corpus: str, name: str, raw: bytes, truth: Sequence[Line]) -> Iterator[Case]:
    """The cases of a mail; of one of gold also as it is when it is made harder."""
    truths = [line for line in truth if line["kind"] == "quote"]
    yield from _judged(corpus, name, raw, truths)
    if corpus.startswith("gold") and truths:
        for kind, harder in HARDER.items():
            yield from _judged(corpus, name, raw, truths, (kind, harder))


def _judged(
    corpus: str, name: str, raw: bytes, truths: Sequence[Line], change: tuple[str, Harder] | None = None
) -> Iterator[Case]:
    found = unpack(raw, {}, lambda _: None)
    sender = found.envelope.facts.sender or ""
    reader = _Watched(hashlib.sha256(raw).hexdigest(), Taught.load(None), "", sender, found.budget)
    if change is not None:
        reader.chance, reader.harder = random.Random(zlib.crc32(raw + change[0].encode())), change[1]
    readings = readings_of([part for part in found.parts if part.state is None], reader.read)
    quotes = [quote for quote in marked(readings) if quote.duplicate_of is None]
    lines: list[Line] = [gold_form(quote) | {"record": quote.record_id} for quote in quotes]
    wrongs = {str(one.found["record"]): one.kind for one in score_mail(truths, lines).wrongs if one.found is not None}
    weight = COUNTS[corpus] * (1.0 if change is None else OF_HARDER) * min(1.0, MOST_OF_A_MAIL / max(len(quotes), 1))
    for quote in quotes:
        wrong = wrongs.get(quote.record_id)
        is_exact = wrong != "false" if corpus == "dealers" else wrong is None
        yield Case(
            corpus=corpus if change is None else f"{corpus}, {change[0]}",
            mail=name,
            dealer=_dealer(corpus, name, sender),
            factors=reader.shown[quote.record_id],
            is_exact=is_exact,
            is_priced=wrong != "false",
            weight=weight,
        )


def _dealer(corpus: str, name: str, sender: str) -> str:
    """Whose mail it is: of real ones the archive's, of desks and random dealers one's own."""
    if corpus == "real":
        return name.partition("-")[0]
    return sender.rpartition("@")[2] if corpus.startswith("gold") else name


class _Watched(Reader):
    """The reader of parts, which may make them harder, refuses no row, and remembers what each shows."""

    harder: Harder | None = None
    chance = random.Random(0)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shown: dict[str, tuple[str, ...]] = {}  # by record_id

    def _find(self, document: Document, context: PartContext) -> FoundIn:
        if self.harder is not None:
            document, context = self.harder(document, context, self.chance)
        rows = list(rows_of(document, context))
        quotes = apart([row.quote for row in rows])
        self.shown.update((quote.record_id, row.factors) for quote, row in zip(quotes, rows, strict=True))
        return FoundIn(quotes, (), Code.NO_QUOTE_CONTENT, "")
