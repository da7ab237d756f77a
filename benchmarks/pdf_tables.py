"""What is found of the tables in PDFs whose tables are known, for a scorer of the ICDAR 2013 table competition.

usage: .venv/bin/python -m benchmarks.pdf_tables FOLDER > grids.json

FOLDER, or folders in it, hold the competition's files: `*.pdf`, and beside each `*-reg.xml`, where its tables are (two,
`…a-reg.xml` and `…b-reg.xml`, where there are two truths). Written as JSON: {"system", "cpu" in seconds, "pages",
"tasks": {"full": grids by document, "clipped": a list for each truth, by document}}. A grid is {"page", "cells"}, with
{"table"}, its id in the truth, in `clipped`; a cell is [first row, last row, first column, last column, text]. `full`
is what `read_pdf` gives, a grid for each page; `clipped` what stands of the page's tables inside the truth's regions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, parse

import pypdfium2
from msgspec import Struct

from parsers.document import Document, Grid
from parsers.documents.fold import fold
from parsers.documents.pdf.footnotes import with_marks
from parsers.documents.pdf.page import Page
from parsers.documents.pdf.pdfium import pdfium_pages
from parsers.documents.pdf.reader import MAX_PAGES, read_pdf, standing
from parsers.documents.pdf.rows import spacing
from parsers.documents.pdf.struck import with_struck_words
from parsers.documents.pdf.tables.columns import Table
from parsers.documents.pdf.tables.found import tables_of

_MARGIN = 2.0  # points around a region

Found = dict[str, object]
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Region(Struct, frozen=True):
    """Where a table of the truth stands, as far as one page goes."""

    table: str
    page: int
    box: Box  # from the page's bottom, as the truth has it: left, bottom, right, top


def regions(file: Path) -> list[Region]:
    """Of one truth."""
    return [
        Region(table.get("id", ""), int(region.get("page", "1")), _box(region))
        for table in parse(file).getroot().iter("table")  # noqa: S314 -- files of a benchmark that its user chose
        for region in table.iter("region")
    ]


def _box(region: Element) -> Box:
    boxes = [[float(box.get(side, "0")) for side in ("x1", "y1", "x2", "y2")] for box in region.iter("bounding-box")]
    across, up = [x for box in boxes for x in box[::2]], [y for box in boxes for y in box[1::2]]
    return min(across), min(up), max(across), max(up)


def full(document: Document) -> Iterator[Found]:
    """The grids, one for each page that they stand on."""
    for grid in (block for block in document.blocks if isinstance(block, Grid)):
        pages = defaultdict(list)
        for row in grid.rows:
            pages[row.page].append(row)
        for page, rows in pages.items():
            cells = [
                [at, at + cell.row_span - 1, cell.column - 1, cell.column + cell.col_span - 2, cell.text]
                for at, row in enumerate(rows)
                for cell in row.cells
                if cell.origin is None
            ]
            yield {"page": page, "cells": cells}


def clipped(tables: dict[int, list[Table]], heights: dict[int, float], truth: list[Region]) -> Iterator[Found]:
    """Of the tables of each page, the cells whose middle is in a region of the truth."""
    for region in truth:
        left, bottom, right, top = region.box
        shown = (left, heights[region.page] - top, right, heights[region.page] - bottom)
        for table in tables[region.page]:
            cells = list(_cells(table, shown))
            if cells:
                yield {"page": region.page, "table": region.table, "cells": cells}


def _cells(table: Table, inside: Box) -> Iterator[list[object]]:
    for at, row in enumerate(table.cells):
        for column, held in enumerate(row):
            words, _ = standing(held)
            span = table.span(at, column)
            if not words or span is None:
                continue
            x = (min(word.x0 for word in words) + max(word.x1 for word in words)) / 2
            y = (min(word.top for word in words) + max(word.bottom for word in words)) / 2
            if inside[0] - _MARGIN <= x <= inside[2] + _MARGIN and inside[1] - _MARGIN <= y <= inside[3] + _MARGIN:
                text = fold(" ".join(word.text for word in words))
                yield [at, at + span[0] - 1, column, column + span[1] - 1, text]


def tables_on(page: Page) -> list[Table]:
    """As the reader finds them."""
    page = with_marks(with_struck_words(page) if page.across else page)
    return tables_of(page, spacing(page.words))[0] if page.words else []


def main() -> None:
    """Read, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    tasks: dict[str, dict[str, list[object]]] = {"full": {}, "clipped": {}}
    cpu, pages = 0.0, 0
    for file in sorted(args.folder.rglob("*.pdf")):
        data = file.read_bytes()
        began = time.process_time()
        document = read_pdf(data)
        cpu += time.process_time() - began
        heights = {number: page.get_size()[1] for number, page in enumerate(pypdfium2.PdfDocument(data), 1)}
        pages += len(heights)
        tables = {page.number: tables_on(page) for page in pdfium_pages(data, MAX_PAGES)}
        stems = [file.stem, f"{file.stem[:-1]}b"] if file.stem.endswith("a") else [file.stem]
        truths = [path for stem in stems if (path := file.with_name(f"{stem}-reg.xml")).exists()]
        tasks["full"][file.stem] = list(full(document))
        tasks["clipped"][file.stem] = [list(clipped(tables, heights, regions(path))) for path in truths]
    print(json.dumps({"system": "otclog", "cpu": cpu, "pages": pages, "tasks": tasks}))


if __name__ == "__main__":
    main()
