"""Two gold mails in one: what each says must stay its own, whatever stands above it."""

from __future__ import annotations

import html
import io
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from parsers import reading
from parsers.document import Document, Grid, Line
from parsers.documents.readers import read_document
from parsers.parse import parse_mail
from parsers.quotes.runs.lines import skip
from tests.parsers.wild.mails import envelope

FIELDS = ("asset_class", "quote_type", "quote_kind", "bid", "ask", "mid", "talk_low", "talk_high", "currency")
PAIRS = 60
MOST_WRONG = 2
"""Pairs of a form in which something of the one was taken for the other's."""
FORWARDED = re.compile(r"(?:fw|fwd|re|rv|tr|wg|enc):", re.IGNORECASE)

Rows = list[list[str]]


@dataclass(frozen=True)
class Piece:
    """What one mail has to say: a run, or tables with what stands above each as its first rows."""

    name: str
    title: str
    run: tuple[str, ...] = ()
    tables: tuple[Rows, ...] = ()


def said(raw: bytes) -> Counter[tuple[str, ...]]:
    quotes = parse_mail(raw).quotes
    return Counter((q.instrument_id or "", *(str(getattr(q, name)) for name in FIELDS)) for q in quotes)


def opening(text: str) -> tuple[str, ...]:
    """The lines of a text up to its greeting at the end."""
    lines = text.splitlines()
    closed = (at for at, line in enumerate(lines) if skip.is_closing(line) or skip.starts_signature(line))
    return tuple(lines[: next(closed, len(lines))])


def rows_of(blocks: Document) -> tuple[Rows, ...]:
    """The visible tables, the lines above each as rows of one cell."""
    found: list[Rows] = []
    above: list[str] = []
    for block in blocks.blocks:
        if isinstance(block, Line):
            above += [block.text] if block.text.strip() else []
        elif not (block.hidden or block.quoted):
            rows = [[cell.text for cell in row.cells if not cell.hidden] for row in block.rows if not row.hidden]
            width = max(map(len, rows), default=0)
            found.append(
                [[text, *[""] * (width - 1)] for text in above] + [row + [""] * (width - len(row)) for row in rows]
            )
            above = []
    return tuple(rows for rows in found if rows and rows[0])


def documents_of(raw: bytes) -> list[Document]:
    """The documents of a mail that hold tables."""
    found: list[Document] = []

    def spied(*args: object, **more: object) -> Document:
        found.append(read_document(*args, **more))  # type: ignore[arg-type]
        return found[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "read_document", spied)
        parse_mail(raw)
    return [one for one in found if any(isinstance(block, Grid) for block in one.blocks)]


@pytest.fixture(scope="module")
def pieces(shared: Callable[[str], Path]) -> tuple[list[Piece], list[Piece]]:
    """The runs and the tables of the gold corpus, those of one text or one document."""
    runs, sheets = [], []
    for file in sorted((shared("gold") / "dev").glob("*.eml")):
        raw = file.read_bytes()
        message = message_from_bytes(raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        title = str(message["subject"])
        if FORWARDED.match(title) or not said(raw):
            continue
        documents = documents_of(raw)
        if len(documents) == 1 and sum(map(len, rows_of(documents[0]))) < 40:
            sheets.append(Piece(file.stem, title, tables=rows_of(documents[0])))
        elif message.get_content_type() == "text/plain":
            runs.append(Piece(file.stem, title, run=opening(message.get_content())))
    return runs, sheets


def as_page(piece: Piece) -> str:
    body = "<br>".join(html.escape(line).replace("  ", "&nbsp; ") for line in piece.run)
    for rows in piece.tables:
        cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
        body += f"<table border=1>{''.join(f'<tr>{row}</tr>' for row in cells)}</table><br>"
    return f"<p>{html.escape(piece.title)}</p><div>{body}</div>"


def as_text(piece: Piece) -> str:
    parts = ["\n".join(piece.run)] if piece.run else []
    for rows in piece.tables:
        widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
        parts.append("\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in rows))
    return "\n\n".join([piece.title + "\n" + parts[0], *parts[1:]])


def page(*pieces: Piece) -> bytes:
    message = envelope("Daily runs")
    body = "<br>".join(map(as_page, pieces))
    message.set_content(f"<html><body>{body}</body></html>", subtype="html", charset="utf-8", cte="base64")
    return message.as_bytes()


def text(*pieces: Piece) -> bytes:
    message = envelope("Daily runs")
    message.set_content("\n\n".join(map(as_text, pieces)), charset="utf-8", cte="base64")
    return message.as_bytes()


def sheet(*pieces: Piece) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for piece in pieces:
        book.worksheets[0].append([piece.title])
        for rows in piece.tables:
            for row in [*rows, [""]]:
                book.worksheets[0].append([cell or None for cell in row])
    file = io.BytesIO()
    book.save(file)
    message = envelope("Daily runs")
    message.set_content("Attached.\n")
    message.add_attachment(file.getvalue(), maintype="application", subtype="octet-stream", filename="run.xlsx")
    return message.as_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("write", [page, text, sheet])
def test_two_tables_in_one_mail_keep_their_own_quotes(
    pieces: tuple[list[Piece], list[Piece]], write: Callable[..., bytes], record_property: Callable[[str, object], None]
) -> None:
    _, sheets = pieces
    rng = random.Random(write.__name__)
    record_property("count", check([rng.sample(sheets, 2) for _ in range(PAIRS)], write))


@pytest.mark.slow
@pytest.mark.parametrize("write", [page, text])
def test_a_run_and_a_table_in_one_mail_keep_their_own_quotes(
    pieces: tuple[list[Piece], list[Piece]], write: Callable[..., bytes], record_property: Callable[[str, object], None]
) -> None:
    runs, sheets = pieces
    rng = random.Random(write.__name__)
    pairs = [[rng.choice(runs), rng.choice(sheets)] for _ in range(PAIRS)]
    record_property("count", check([pair if rng.random() < 0.5 else pair[::-1] for pair in pairs], write))


def check(pairs: list[list[Piece]], write: Callable[..., bytes]) -> str:
    """What was counted."""
    wrong = [
        [one.name, other.name]
        for one, other in pairs
        if said(write(one, other)) != said(write(one)) + said(write(other))
    ]
    assert len(wrong) <= MOST_WRONG, wrong
    return f"two gold mails in one, {write.__name__}: {len(pairs)} pairs, {len(wrong)} wrong {wrong or ''}".rstrip()
