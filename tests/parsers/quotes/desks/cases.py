"""The cases of desks: JSON lines, a file an asset class (that of a case's first quote), `silent` for what is no quote.

    {"subject": "IG run", "text": "F 6.1 32 @ 172-168", "quotes": [{"description": "F 6.1 32", "bid": "172", …}]}
    {"subject": "Run", "rows": [["Name", "Bid", "Ask"], ["F 6.1 32", "172", "168"]], "quotes": […], "note": "why"}

A quote has all that the mail states of it, in the gold form; what is not there is not stated, but for the fields that
`unsure` names: these are read in a way that the mail does not say, and a `note` says which. A case is a mail: a text, or
a page with one table. To begin one, as it is read today, and then to be corrected:

    .venv/bin/python -m tests.parsers.quotes.desks.cases SUBJECT [--rows] < TEXT   (rows with `|` between their cells)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from email.message import EmailMessage
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parsers.goldform import gold_lines
from parsers.parse import parse_mail
from parsers.scoring.pairing import ROW_FIELDS, Line

_FOLDER = Path(__file__).parent
_HOW_IT_WAS_READ = frozenset({"kind", "unsure", "confidence", "status", "class_source", "instrument_key", "part_path"})
_NOT_STATED = (None, "unknown", "none", False)
_TIMES = frozenset({"quote_ts", "quote_ts_source", "quote_date"})  # stated where the text has one


class Case(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a desk writes, and what it states."""

    subject: str
    quotes: tuple[Mapping[str, Any], ...]  # in reading order, as `facts` has them
    text: str | None = None
    rows: tuple[tuple[str, ...], ...] | None = None  # cells; short rows end early
    unsure: Mapping[int, tuple[str, ...]] = MappingProxyType({})  # fields that are not compared, by number of the quote
    note: str | None = None

    def __str__(self) -> str:
        return self.text or " | ".join((self.rows or [()])[0])


def named_cases() -> Iterator[tuple[str, Case]]:
    """All cases with names: the file's and the number of the line."""
    for file in sorted(_FOLDER.glob("*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").split("\n")[:-1], 1):
            yield f"{file.stem}-{number}", _case(json.loads(line))


def _case(said: dict[str, Any]) -> Case:
    rows = said.pop("rows", None)
    unsure = {at: tuple(quote["unsure"]) for at, quote in enumerate(said["quotes"]) if "unsure" in quote}
    quotes = tuple(map(facts, said["quotes"]))
    return Case(**said | {"quotes": quotes, "rows": rows and tuple(map(tuple, rows)), "unsure": unsure})


def mail_of(case: Case) -> bytes:
    """The mail of a case."""
    return mail(case.subject, page_of(case.rows) if case.rows else case.text or "", "html" if case.rows else "plain")


def mail(subject: str, content: str, kind: str = "plain") -> bytes:
    """A mail of one text, plain or html, of one day in New York."""
    message = EmailMessage()
    message["From"] = "desk@example.com"
    message["Subject"] = subject
    message["Date"] = "Wed, 18 Nov 2026 09:00:00 -0500"
    message["Message-ID"] = "<run@example>"
    message.set_content(content, subtype=kind, charset="utf-8")
    return message.as_bytes()


def page_of(rows: Iterable[Iterable[str]]) -> str:
    """A page with a table of these cells."""
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return "\n".join(["<table>", *(f"<tr>{line}</tr>" for line in lines), "</table>"])


def quotes_of(raw: bytes) -> list[Line]:
    """What a mail is read to say, in the gold form."""
    return [line for line in map(json.loads, gold_lines(parse_mail(raw))) if line["kind"] == "quote"]


def facts(quote: Line, unsure: Iterable[str] = ()) -> dict[str, Any]:
    """Of a quote in the gold form what its mail states: not how sure it is, and no time that its line does not print."""
    left_out = _HOW_IT_WAS_READ.union(unsure, () if quote.get("quote_ts_source") == "text" else _TIMES)
    stated = {name: value for name, value in quote.items() if name not in left_out}
    return {name: value for name, value in stated.items() if name in ROW_FIELDS or value not in _NOT_STATED}


def begun(subject: str, text: str, *, is_table: bool) -> str:
    """The line of a case, with what is read of it today."""
    said: dict[str, Any] = {"subject": subject}
    if is_table:
        said["rows"] = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    else:
        said["text"] = text.removesuffix("\n")
    found = quotes_of(mail_of(_case(said | {"quotes": []})))
    return json.dumps(said | {"quotes": [facts(quote) for quote in found]}, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(begun(sys.argv[1], sys.stdin.read(), is_table="--rows" in sys.argv[2:]) + "\n")
