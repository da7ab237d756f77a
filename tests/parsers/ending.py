"""What of a mail must end as a quote or as a refusal, found without any rule of the engine's (spec 6.5).

It reads the mail by itself: texts by the standard library, workbooks by openpyxl, PDFs by pdfminer. It is given where the
engine says that quotes and refusals stand, and finds what stands in none of them:

- A **line of a run**, that is of lines without an empty one between them of which one is quoted: it has an instrument and
  a figure, or a market. An instrument is an identifier with its check digit, `TICKER coupon maturity`, or in front of the
  line a name with a tenor or a number (`5y`, `IG42`) that a quoted line of the run has in the same form.
- A **row of a table** of which one row is quoted: it has an identifier with its check digit, and a figure.
- A **mail without quotes** in which an identifier with its check digit stands beside a price.

A figure is a number that may be a price, a yield or a spread, alone or as a market of two: no size (`2.5mm`), percentage,
date, year or time, and no part of a word. A market is two prices near each other. A price has decimals, a fraction or
32nds, no sign, and is from 20 to 250.

So headings, texts and sizes alone are nothing that must end. Nor is what is quoted from an earlier mail (`> `), what
stands below `-- `, a row that begins as a sum or an example (`Total`, `e.g.`), or a table or mail that is no offer at all: one of which no
row is quoted, and one whose words say that it confirms, states or announces (`_NO_OFFER`), or asks for prices.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import NamedTuple
from xml.etree import ElementTree as ET

import openpyxl
from pdfminer.high_level import extract_text
from pdfminer.psexceptions import PSException

from parsers.outcome import MailOutcome

_CODE = re.compile(r"(?<![A-Za-z0-9])[A-Z0-9*@#]{7,12}(?![A-Za-z0-9])")
_BOND = re.compile(
    r"(?<![\w.])[A-Z][A-Z0-9&]{0,11}\s+(?:\d{1,2}(?:[.,]\d{1,4}|\s\d/\d{1,2})?%?s?|FRN)\s+"
    r"(?:\d{1,2}/\d{1,2}/(?:20)?\d\d|\d{1,2}/(?:20)?\d\d|20\d\d-\d\d-\d\d|'?[2-6]\d|20[2-6]\d|PERP)(?![\w.,/-])"
)
_NAME = re.compile(r"\s*((?:[A-Za-z][\w.]*\s+){0,3}(?:\d{1,2}[yYmMwW]|[A-Z]{2,6}\d{1,2}))(?=[\s:])")
_DECIMAL = r"\d{1,4}(?:[.,]\d{1,6})?"
_NO_LEVEL = r"(?![\w:%'’]|[.,]\d|[/-]\w|\s?(?:%|[kKmM]{1,2}\b|mio\b|mln\b|bn\b))"
_FIGURE = re.compile(
    rf"(?<![\w.,:/'’-])(?!(?:19|20)\d\d(?![.,]\d))[+-]?{_DECIMAL}(?:-[0-3]\d[+\d]?|\s\d/(?:2|4|8|16|32))?"
    rf"(?:\s?[/-]\s?[+-]?{_DECIMAL})?{_NO_LEVEL}"
)
_PRICE = re.compile(
    rf"(?<![\w.,:/'’+-])(\d{{2,3}})(?:[.,]\d{{1,6}}|-(?:[0-2]\d|3[01])[+\d]?|\s\d/(?:2|4|8|16|32)){_NO_LEVEL}"
)
_MARKET = re.compile(r"(?<![\w.,:/'’+-])(\d{2,3}[.,]\d{1,6})\s?[/-]\s?(\d{2,3}[.,]\d{1,6})(?![\w:%'’]|[.,/-]\d)")
_DAY = re.compile(r"\d{1,2}([/.-])\d{1,2}\1\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}:\d\d")
_ASIDE = re.compile(
    r"\W*(?:example|e\.g\.|(?:sub-?)?(?:total|average|avg|sum|summe|gesamt|durchschnitt|totale|media|promedio)\b)",
    re.IGNORECASE,
)
_NO_OFFER = re.compile(
    r"\b(?:confirm|statement|calendar|invoice|bwic|owic|depotauszug|we bought|we sold)", re.IGNORECASE
)
_BLOCKS = frozenset({"p", "div", "br", "tr", "li", "table", "h1", "h2", "h3", "h4", "pre", "blockquote", "td", "th"})
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CELL = re.compile(r"(?P<sheet>.+)!(?P<column>[A-Z]{1,3})(?P<row>\d+)")
_BLANK = re.compile(r"[\s|]+")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "-" * 6)
_MOST_MEMBERS, _MOST_ROWS = 50, 5_000
_DAMAGED = (
    RuntimeError,
    ValueError,
    KeyError,
    IndexError,
    OSError,
    zipfile.BadZipFile,
    ET.ParseError,
    csv.Error,
    PSException,
)
_LEAST_PRICE, _MOST_PRICE = 20, 250
_WIDEST = 1.1
"""An ask is at most so many times the bid."""
_LEAST_TEXT = 6
"""Characters of a source that can hold a line; what is shorter stands in too many."""


class Block(NamedTuple):
    """Consecutive lines, or the rows of one table, each with its number."""

    texts: tuple[tuple[int, str], ...]  # a row's cells are parted by tabs
    is_table: bool = False
    sheet: str | None = None


class Source(NamedTuple):
    """Where a quote or a refusal stands, as the engine tells it."""

    text: str
    is_quote: bool
    sheet: str | None = None
    row: int | None = None


def sources_of(outcome: MailOutcome) -> list[Source]:
    """Those of a mail's outcome."""
    found = [Source(quote.raw_text or "", True, quote.sheet, quote.row) for quote in outcome.quotes]
    for reject in outcome.rejects:
        if reject.level == "row":
            place = _CELL.fullmatch(reject.locator or "")
            sheet, row = (place["sheet"], int(place["row"])) if place is not None else (None, None)
            found.append(Source(reject.raw_text or "", False, sheet, row))
    return found


class Due(NamedTuple):
    """A line or row that must end, and whether it does."""

    text: str
    is_ended: bool


def due(raw: bytes, sources: Sequence[Source]) -> Iterator[Due]:
    """The lines and rows of runs and tables that must end."""
    ends = [folded for source in sources if len(folded := _folded(source.text)) >= _LEAST_TEXT]
    quoted = [folded for source in sources if source.is_quote and len(folded := _folded(source.text)) >= _LEAST_TEXT]
    for block in blocks(message_from_bytes(raw, policy=policy.default)):
        if block.sheet is not None:
            yield from _of_sheet(block, [source for source in sources if source.sheet == block.sheet])
            continue
        forms = {_form(text) for _, text in block.texts if _stands_in(text, quoted)}
        if not forms:
            continue
        for _, text in block.texts:
            if _is_priced_row(text) if block.is_table else _is_priced_line(text, forms - {None}):
                yield Due(text, _stands_in(text, ends))


def _of_sheet(block: Block, sources: Sequence[Source]) -> Iterator[Due]:
    """The rows of a sheet, told by their numbers: of two that make one quote the first has it, with both texts."""
    rows = {source.row: source.text for source in sources}
    if not any(source.is_quote for source in sources):
        return
    for number, text in block.texts:
        if _is_priced_row(text):
            above = rows.get(number - 1, "")
            yield Due(text, number in rows or all(above.count(code) > 1 for code in _codes(text)))


def priced(raw: bytes) -> list[str]:
    """The lines and rows of a mail in which a valid identifier stands beside a price."""
    message = message_from_bytes(raw, policy=policy.default)
    texts = [str(message["subject"] or ""), *(text for block in blocks(message) for _, text in block.texts)]
    if any(map(_NO_OFFER.search, texts)):
        return []
    return [text for text in texts if _is_priced_row(text) and _has_price(text)]


def _folded(text: str) -> str:
    return _BLANK.sub("", text).translate(_DASHES)


def _stands_in(text: str, sources: Iterable[str]) -> bool:
    folded = _folded(text)
    return len(folded) >= _LEAST_TEXT and any(folded in source or source in folded for source in sources)


def _codes(text: str) -> list[str]:
    return [match[0] for match in _CODE.finditer(text) if is_identifier(match[0])]


def _is_priced_row(text: str) -> bool:
    """Whether a row has a valid identifier and a figure, and adds up no others."""
    if not _codes(text) or _ASIDE.match(text):
        return False
    return _has_figure(_without_codes(text))


def _is_priced_line(text: str, forms: AbstractSet[str | None]) -> bool:
    """Whether a line has an instrument and a figure beside it, or a market."""
    if _ASIDE.match(text):
        return False
    if _is_priced_row(text):
        return True
    bond = _BOND.search(text)
    if bond is not None:
        return _has_figure(_BOND.sub(" ", text))
    name = _NAME.match(text)
    return _has_market(text) or (name is not None and _form(text) in forms and _has_figure(text[name.end() :]))


def _form(text: str) -> str | None:
    """The form of the name in front of a line: letters and digits alike."""
    name = _NAME.match(text)
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "0", name[1]))) if name is not None else None


def _without_codes(text: str) -> str:
    return _CODE.sub(lambda match: "_" * len(match[0]) if is_identifier(match[0]) else match[0], text)


def _without_days(text: str) -> str:
    return _DAY.sub(lambda match: "_" * len(match[0]), text)


def _has_figure(text: str) -> bool:
    return _FIGURE.search(_without_days(text)) is not None


def _has_price(text: str) -> bool:
    whole = (int(match[1]) for match in _PRICE.finditer(_without_days(_without_codes(text))))
    return any(_LEAST_PRICE <= value <= _MOST_PRICE for value in whole)


def _has_market(text: str) -> bool:
    pairs = (sorted(float(side.replace(",", ".")) for side in match.groups()) for match in _MARKET.finditer(text))
    return any(low < high <= low * _WIDEST for low, high in pairs)


def blocks(message: EmailMessage) -> Iterator[Block]:
    """The runs and tables of a mail's parts."""
    for part in message.walk():
        if part.is_multipart():
            continue
        name = (part.get_filename() or "").lower()
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes):
            continue
        if part.get_content_type() == "text/html":
            yield from _of_html(_decoded(part, data))
        elif part.get_content_type() == "text/plain" and not name.endswith((".csv", ".tsv")):
            yield from _of_text(_decoded(part, data))
        else:
            yield from _of_file(name, data)


def _decoded(part: EmailMessage, data: bytes) -> str:
    for charset in (part.get_content_charset() or "utf-8", "utf-8", "cp1252", "latin-1"):
        try:
            return data.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return ""


def _of_file(name: str, data: bytes) -> Iterator[Block]:
    try:
        if name.endswith((".csv", ".tsv")):
            text = data.decode("utf-8-sig", "replace")
            dialect = max(",;\t|", key=text.count)
            yield _table("\t".join(row) for row in csv.reader(io.StringIO(text), delimiter=dialect))
        elif name.endswith((".htm", ".html")):
            yield from _of_html(data.decode("utf-8", "replace"))
        elif name.endswith((".xlsx", ".xlsm")):
            yield from _of_workbook(data)
        elif name.endswith(".docx"):
            yield from _of_word(data)
        elif name.endswith(".pdf"):
            yield _table(extract_text(io.BytesIO(data)).split("\n"))
        elif name.endswith(".eml"):
            yield from blocks(message_from_bytes(data, policy=policy.default))
        elif name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for member in archive.namelist()[:_MOST_MEMBERS]:
                    yield from _of_file(member.lower(), archive.read(member))
    except _DAMAGED:
        return


def _table(rows: Iterable[str], sheet: str | None = None) -> Block:
    return Block(tuple(enumerate(rows, 1)), is_table=True, sheet=sheet)


def _of_text(text: str) -> Iterator[Block]:
    """The runs of a text: lines without an empty one between them, down to the signature."""
    run: list[str] = []
    for line in re.split(r"\r\n|\r|\n", text):
        if line == "-- ":
            break
        if line.strip() and not line.startswith(">"):
            run.append(line)
        elif run:
            yield Block(tuple(enumerate(run)))
            run = []
    if run:
        yield Block(tuple(enumerate(run)))


def _of_workbook(data: bytes) -> Iterator[Block]:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    for sheet in book.worksheets:
        rows = sheet.iter_rows(max_row=_MOST_ROWS, values_only=True)
        yield _table(("\t".join("" if value is None else str(value) for value in row) for row in rows), sheet.title)


def _of_word(data: bytes) -> Iterator[Block]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        body = ET.fromstring(archive.read("word/document.xml"))[0]
    lines: list[str] = []
    for element in body:
        if element.tag == f"{_WORD}tbl":
            rows = element.iter(f"{_WORD}tr")
            yield _table("\t".join(_said(cell) for cell in row.iter(f"{_WORD}tc")) for row in rows)
        else:
            lines += [_said(element)]
    yield from _of_text("\n".join(lines))


def _said(element: ET.Element) -> str:
    return "".join(text.text or "" for text in element.iter(f"{_WORD}t"))


def _of_html(text: str) -> Iterator[Block]:
    page = _Page()
    page.feed(text)
    page.close()
    yield from page.tables
    yield from _of_text("\n".join(page.lines))


class _Page(HTMLParser):
    """The tables of a page, and its lines outside them."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Block] = []
        self.lines: list[str] = [""]
        self._open: list[list[list[str]]] = []  # tables, rows, cells
        self._silent = self._pre = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  as HTMLParser calls it
        if tag in ("style", "script", "title"):
            self._silent += 1
        elif tag == "pre":
            self._pre += 1
        if tag == "table":
            self._open.append([])
        elif tag == "tr" and self._open:
            self._open[-1].append([])
        elif tag in ("td", "th") and self._open:
            if not self._open[-1]:
                self._open[-1].append([])
            self._open[-1][-1].append("")
        elif tag in _BLOCKS:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script", "title"):
            self._silent = max(self._silent - 1, 0)
        elif tag == "pre":
            self._pre = max(self._pre - 1, 0)
        if tag == "table" and self._open:
            self.tables.append(_table("\t".join(map(str.strip, row)) for row in self._open.pop()))
        elif tag in _BLOCKS:
            self._break()

    def _break(self) -> None:
        if self._open and self._open[-1] and self._open[-1][-1]:
            self._open[-1][-1][-1] += "\n" if self._open[-1][-1][-1].strip() else ""
        elif not self._open and self.lines[-1].strip():
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        data = data if self._pre else re.sub(r"[ \t\r\n]+", " ", data)
        if self._open and self._open[-1] and self._open[-1][-1]:
            self._open[-1][-1][-1] += data
        elif not self._open:
            first, *others = data.split("\n")
            self.lines[-1] += first
            self.lines += others


def _value(character: str) -> int:
    return int(character, 36) if character.isalnum() else "*@#".index(character) + 36


def is_identifier(code: str) -> bool:
    """Whether a code is an ISIN, FIGI, CUSIP or SEDOL by its check digit, and no plain number or word."""
    if not (code[-1].isdigit() and any(map(str.isalpha, code)) and sum(map(str.isdigit, code)) > 1):
        return False
    if len(code) == 12 and code[:2].isalpha() and code.isalnum():
        return _is_figi(code) if code[:3] == "BBG" else _is_isin(code)
    if len(code) == 9:
        return _is_doubled(code)
    return len(code) == 7 and code.isalnum() and code[0].isalpha() and not set(code) & set("AEIOU") and _is_sedol(code)


def _is_isin(code: str) -> bool:
    digits = "".join(str(_value(character)) for character in code)
    doubled = [int(digit) * (2 if at % 2 else 1) for at, digit in enumerate(reversed(digits))]
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


def _is_figi(code: str) -> bool:
    return _is_doubled(code)


def _is_doubled(code: str) -> bool:
    """By the check digit of CUSIPs and FIGIs: each second character doubled, the digits added up."""
    numbers = [_value(character) * (1 + at % 2) for at, character in enumerate(code[:-1])]
    return (10 - sum(number // 10 + number % 10 for number in numbers) % 10) % 10 == int(code[-1])


def _is_sedol(code: str) -> bool:
    return sum(map(int.__mul__, (1, 3, 1, 7, 3, 9, 1), map(_value, code))) % 10 == 0
