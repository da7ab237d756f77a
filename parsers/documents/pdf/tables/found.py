"""The tables of a page: those drawn with lines first, then those that gaps show in what is left."""

from __future__ import annotations

from collections.abc import Iterable

from parsers.documents.pdf.page import Page, Word
from parsers.documents.pdf.rows import Spacing, text_rows
from parsers.documents.pdf.tables.columns import Table, tables
from parsers.documents.pdf.tables.prose import TextColumns
from parsers.documents.pdf.tables.ruled import ruled_tables


def tables_of(page: Page, measure: Spacing) -> tuple[list[Table], list[TextColumns]]:
    """The tables, and where text stands in columns."""
    ruled = ruled_tables(page, measure)
    unruled, texts = tables(text_rows(words_outside(page.words, ruled)), measure)
    return ruled + unruled, texts


def words_outside(words: Iterable[Word], found: Iterable[Table]) -> list[Word]:
    """The words that no table has."""
    taken = {id(word) for table in found for row in table.cells for cell in row for word in cell}
    return [word for word in words if id(word) not in taken]
