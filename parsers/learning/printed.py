"""What a mail prints: its lines and cells, and every figure that these can be read as."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from parsers.alternatives import readings_of
from parsers.document import Document, Grid, Line
from parsers.mail.unpack import unpack
from parsers.quotes.context import PartContext
from parsers.reading import FoundIn, Reader
from parsers.scoring.pairing import value
from parsers.taught import Taught

LEVELS = ("bid", "ask", "mid")
"""Those that are printed in figures: a talk may be in words, `mid 90s`."""
SIZES = ("bid_size", "ask_size")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)")
_TICKS = re.compile(r"(?<!\d)(\d{1,3})-(\d\d)([0-7+])?(?!\d)")
_FRACTION = re.compile(r"(?:(?<!\d)(\d{1,4})[ -])?(?<!\d)(\d{1,2})/(\d{1,2})(?!\d)")
_PAR = re.compile(r"\bpar\b", re.IGNORECASE)
_PADDED = 4  # noughts and one: `900` for 3.69 behind 3.6850
_UNITS = (1, 10**3, 10**6, 10**9)


class _Watched(Reader):
    """The reader of parts, which remembers every document."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.documents: list[Document] = []

    def _find(self, document: Document, context: PartContext) -> FoundIn:
        self.documents.append(document)
        return super()._find(document, context)


def documents_of(raw: bytes, taught: Taught) -> list[Document]:
    """What the parts of a mail hold, as the search for quotes has them."""
    found = unpack(raw, {}, lambda _: None)
    key = hashlib.sha256(raw).hexdigest()
    reader = _Watched(key, taught, "", found.envelope.facts.sender, found.budget)
    readings_of([part for part in found.parts if part.state is None], reader.read)
    return reader.documents


def texts_of(documents: Sequence[Document]) -> Iterator[str]:
    """Every line and cell."""
    for document in documents:
        for block in document.blocks:
            if isinstance(block, Line):
                yield block.text
            else:
                yield from (cell.text for row in block.rows for cell in row.cells if cell.text)


def figures_of(documents: Sequence[Document]) -> frozenset[Decimal]:
    """Every figure that is printed, in each way that it can be read; with the values of workbooks' cells."""
    found = {figure for text in texts_of(documents) for figure in figures_in(text)}
    for document in documents:
        for block in document.blocks:
            if isinstance(block, Grid):
                values = (cell.value for row in block.rows for cell in row.cells)
                found |= {figure for one in values if isinstance(one, Decimal) for figure in (one, one * 100)}
    return frozenset(figure.normalize() for figure in found)


def figures_in(text: str) -> set[Decimal]:
    """The figures of a text, each in all ways that it can be read."""
    is_par = _PAR.search(text) is not None
    found = {Decimal(100)} if is_par else set()
    found |= {Decimal(re.sub(r"\D", "", match[0])).normalize() for match in _GROUPED.finditer(text)}
    for match in _PLAIN.finditer(text):
        bare = match[0]
        for form in (bare.replace(",", ""), bare.replace(".", "").replace(",", ".")):
            try:
                found.add(Decimal(form).normalize())
            except InvalidOperation:
                continue
        found |= {
            Decimal(match[0]) + Decimal(unicodedata.numeric(letter)).normalize()
            for letter in text[match.end() : match.end() + 2].strip()[:1]
            if match[0].isdecimal() and letter.isnumeric() and not letter.isdecimal()
        }
    for match in _TICKS.finditer(text):
        eighths = 4 if match[3] == "+" else int(match[3] or 0)
        found.add((int(match[1]) + (Decimal(match[2]) + Decimal(eighths) / 8) / 32).normalize())
    for match in _FRACTION.finditer(text):
        if int(match[3]):
            part = Decimal(match[2]) / int(match[3])
            found |= {(int(match[1] or 0) + part).normalize(), *({(100 + part).normalize()} if is_par else ())}
    return found


def nowhere(truth: Mapping[str, Any], figures: frozenset[Decimal]) -> str | None:
    """The first field of a quote of the truth whose figure the mail does not print."""
    levels = {name: found for name in LEVELS if isinstance(found := value(truth, name), Decimal)}
    has_whole = any(abs(figure).normalize() in figures for figure in levels.values())
    for name, figure in levels.items():
        if abs(figure).normalize() not in figures and not _is_shortened(abs(figure), figures, beside=has_whole):
            return name
    for name in SIZES:
        size = value(truth, name)
        if isinstance(size, Decimal) and not any((size / unit).normalize() in figures for unit in _UNITS):
            return name
    return None


def _is_shortened(figure: Decimal, figures: frozenset[Decimal], *, beside: bool) -> bool:
    """Whether the figure's end is printed, its beginning in front of it or `beside` it.

    `16` for 116 behind 121, `20` for 100.20 behind 100.14, `18` for 99-18, `3/4` for 98 3/4, `102'08.5`.
    """
    whole, rest = divmod(figure, 1)
    ticks, eighths = divmod(rest * 256, 8)
    ends = {rest.normalize(), (rest * 32).normalize(), ticks.normalize(), (ticks * 10 + eighths).normalize()}
    if (beside or whole.normalize() in figures) and not ends.isdisjoint(figures):
        return True
    digits = f"{figure:f}".replace(".", "")
    shorts = [f"{one:f}" for one in figures if one == one.to_integral_value() and one >= 0]
    return beside and any((digits + "0" * more).endswith(short) for more in range(_PADDED) for short in shorts)
