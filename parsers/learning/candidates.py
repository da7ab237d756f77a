"""The closed list of what an entry could say for a mail to read as its truth says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache

from parsers.dealers import SIDES, UNITS, is_heading, is_phrase
from parsers.document import Document, Grid, Line
from parsers.learning.lesson import Atom
from parsers.learning.printed import LEVELS, SIZES, figures_in
from parsers.lexicon import entries
from parsers.quotes.context import Dealer
from parsers.quotes.headings.columns import column
from parsers.quotes.runs.lines.aligned import cells
from parsers.scoring.pairing import Line as Quote
from parsers.scoring.pairing import instrument, value

MOST_WORDS = 80
"""Words of a mail that are tried."""
_MOST_IN_A_WORD = 3
_MOST_LETTERS = 40
_WORD = re.compile(r"[^\W\d_][^\W\d_'’.-]*")
_HEADED: Mapping[str, str] = {
    "instrument_id": "identifier",
    "bid": "bid",
    "ask": "ask",
    "mid": "mid",
    "bid_size": "bid size",
    "ask_size": "ask size",
    "currency": "currency",
    "coupon": "coupon",
}
"""A heading of each field that a cell's text can be held against."""
_KINDS = {12: "isin", 9: "cusip"}

Candidate = tuple[Atom, ...]


def candidates(truths: Sequence[Quote], documents: Sequence[Document], subject: str, dealer: Dealer) -> list[Candidate]:
    """What is tried, the best guesses first: columns by what they hold, words, then what holds for all quotes."""
    rows = [row for document in documents for row in _tables(document)]
    whole = [tuple(_columns(truths, rows, is_measured=is_measured)) for is_measured in (False, True)]
    found = [*whole, *((atom,) for atoms in whole for atom in atoms), *((atom,) for atom in _defaults(truths))]
    found += [(atom,) for atom in _words(truths, documents, subject)]
    known = dict(dealer.words) | dict(dealer.columns)
    fresh = (tuple(atom for atom in each if atom.own not in known) for each in found)
    return list(dict.fromkeys(each for each in fresh if each))


def _told(truths: Iterable[Quote], name: str) -> list[str]:
    """What the truth says in a field, each once."""
    return list(dict.fromkeys(str(truth[name]) for truth in truths if truth.get(name) not in (None, "", "unknown")))


def _defaults(truths: Sequence[Quote]) -> Iterator[Atom]:
    yield from (Atom("class", None, name) for name in _told(truths, "asset_class"))
    yield from (Atom("currency", None, code) for code in _told(truths, "currency"))
    if any(_told(truths, size) for size in SIZES):
        yield from (Atom("unit", None, unit) for unit in UNITS)
    yield Atom("thirty_seconds", None, True)
    yield from (Atom("sides", None, sides) for sides in reversed(SIDES))
    yield from (Atom("measure", None, name) for name in _told(truths, "quote_type"))


Table = list[list[str]]


def _tables(document: Document) -> Iterator[Table]:
    """The document's grids, and its lines as one whose cells stand apart."""
    for block in document.blocks:
        if isinstance(block, Grid):
            yield [[cell.text for cell in row.cells] for row in block.rows]
    yield [[text for _, _, text in cells(block.text)] for block in document.blocks if isinstance(block, Line)]


def _columns(truths: Sequence[Quote], tables: Iterable[Table], *, is_measured: bool) -> Iterator[Atom]:
    """The headings over cells that hold what the truth says, each with the field that most of them hold."""
    held: dict[str, Counter[str]] = {}
    for table in tables:
        for at, row in enumerate(table):
            for truth in truths:
                if not _is_of(row, truth):
                    continue
                head = next((up for up in reversed(table[:at]) if len(up) == len(row) and not _has_figures(up)), None)
                for text, over in zip(row, head or [], strict=False):
                    if over and (field := _field(text, truth, is_measured=is_measured)):
                        held.setdefault(over, Counter())[field] += 1
    for over, fields in held.items():
        meant = fields.most_common(1)[0][0]
        if is_heading(meant) and column(0, (over,)) != column(0, (meant,)) and len(over) <= _MOST_LETTERS:
            yield Atom("columns", _own(over), meant)


def _own(text: str) -> str:
    return " ".join(text.lower().split())


def _is_of(row: Sequence[str], truth: Quote) -> bool:
    name = instrument(truth)
    return name is not None and any(
        name in re.sub(r"[^a-z0-9]+", "", text.lower()).upper() or name in re.sub(r"[^a-z0-9]+", "", text.lower())
        for text in row
    )


def _has_figures(row: Sequence[str]) -> bool:
    return any(any(map(str.isdigit, text)) for text in row)


def _field(text: str, truth: Quote, *, is_measured: bool) -> str | None:
    """The heading of the field that a cell holds; two sizes alike are one."""
    figures = {figure.normalize() for figure in figures_in(text)}
    for name, heading in _HEADED.items():
        wanted = value(truth, name)
        if wanted is None:
            continue
        if not isinstance(wanted, Decimal):
            if _own(text) == wanted:
                return _KINDS.get(len(text.strip()), heading) if name == "instrument_id" else heading
            continue
        if name in SIZES:
            if any((wanted / unit).normalize() in figures for unit in UNITS):
                return "size" if value(truth, "bid_size") == value(truth, "ask_size") else heading
        elif wanted.normalize() in figures:
            measure = (
                phrase_of(f"heading.measure.{truth.get('quote_type')}") if is_measured and name in LEVELS else None
            )
            return f"{heading} {measure}" if measure else heading
    return None


@cache
def phrase_of(sense: str) -> str | None:
    """The phrase of the lexicon that says it, and most else of the kind beside it; in English if there is one."""
    found = [entry for entry in entries() if sense in entry.senses]
    best = min(
        found, key=lambda one: ("en" not in one.languages, -len(one.senses), len(one.phrase), one.phrase), default=None
    )
    return best.phrase if best is not None else None


def _words(truths: Sequence[Quote], documents: Sequence[Document], subject: str) -> Iterator[Atom]:
    """Words that the lexicon has not, each with all that the truth says and a word could."""
    names = " ".join(
        _own(str(truth.get(name) or "")) for truth in truths for name in ("description", "issuer", "ticker")
    )
    titles = [subject, *(text for text in _lines(documents) if not any(map(str.isdigit, text)))]
    beside = [text for text in _lines(documents) if any(map(str.isdigit, text))]
    senses = [
        f"heading.side.{side}" for side in ("bid", "ask", "mid") if any(truth.get(side) is not None for truth in truths)
    ]
    senses += [f"heading.measure.{name}" for name in _told(truths, "quote_type")]
    senses += [f"heading.benchmark.{name}" for name in _told(truths, "benchmark")]
    meant = list(dict.fromkeys(filter(None, map(phrase_of, senses))))
    classes = list(filter(None, (phrase_of(f"subject.{name}") for name in _told(truths, "asset_class"))))
    own = _unknown((*beside, *titles), names)
    yield from (Atom("words", word, phrase) for word in own for phrase in meant)
    yield from (Atom("words", word, phrase) for word in _unknown(titles, names) for phrase in classes)


def _lines(documents: Iterable[Document]) -> list[str]:
    """Lines, and rows of cells."""
    found = []
    for document in documents:
        for block in document.blocks:
            if isinstance(block, Line):
                found.append(block.text)
            else:
                found += ["\t".join(cell.text for cell in row.cells) for row in block.rows]
    return found


def _unknown(texts: Iterable[str], names: str) -> list[str]:
    """Words, alone and with those behind them, that are no phrase and of no instrument; the most frequent first."""
    counted: Counter[str] = Counter()
    for text in texts:
        words = list(_WORD.finditer(text))
        for at, first in enumerate(words):
            for last in words[at : at + _MOST_IN_A_WORD]:
                own = _own(text[first.start() : last.end()])
                if _is_one(text[first.start() : last.end()]) and own not in names:
                    counted[own] += 1
    ranked = sorted(counted, key=lambda own: (-counted[own], own.count(" "), own))
    return [own for own in ranked if not is_phrase(own)][:MOST_WORDS]


def _is_one(text: str) -> bool:
    """Whether nothing but single blanks stands between the words."""
    return len(text) <= _MOST_LETTERS and all(_WORD.fullmatch(word) for word in text.split(" "))
