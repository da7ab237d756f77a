"""Mail n of a seed: who writes, in which format, about what; its bytes and its truth."""

from __future__ import annotations

import html
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from ingest.generate import documents
from ingest.generate.market import Dealer, data, dealers
from ingest.generate.mime import Attachment, Envelope, write
from ingest.generate.runs import run, signature
from ingest.generate.tables import Table, table

if TYPE_CHECKING:
    from ingest.generate.kinds import Kind

# format -> (share of the mails in percent, mean number of quotes in one): 9.2 quotes a mail on average
MIX = {"text": (65, 6), "xlsx": (15, 18), "pdf": (10, 15), "html": (5, 12), "docx": (3, 10), "csv": (2, 10)}
POOL = {"xlsx": 160, "pdf": 120, "docx": 40}  # documents made once a seed
FIRST_DAY = datetime(2026, 11, 16, 6, 30)  # noqa: DTZ001 -- local time of the dealer, his offset is written beside it
WORKING_SECONDS = 11 * 3600
_OFFICE = "application/vnd.openxmlformats-officedocument"
_TYPES = {
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "pdf": "application/pdf",
    "csv": "text/csv",
}


@dataclass(frozen=True, slots=True)
class Composed:
    """A mail with its truth: gold lines, the first of them `meta`."""

    case: str  # the file's name without .eml
    raw: bytes
    lines: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Pooled:
    """A document that many mails may carry, all of the same dealer."""

    dealer: Dealer
    kind: Kind
    attachment: Attachment
    quotes: list[dict[str, Any]]


def compose(seed: int, number: int) -> Composed:
    """The mail. A function of its arguments alone."""
    random = Random(f"{seed} mail {number}")  # noqa: S311 -- drawn, not secret
    form = random.choices(list(MIX), [share for share, _ in MIX.values()])[0]
    if form in POOL:
        pooled = _pooled(seed, form, random.randrange(POOL[form]))
        dealer, kind = pooled.dealer, pooled.kind
    else:
        dealer, kind = _dealer(random)
    person = random.choice(dealer.people)
    attachment, subtype = None, "plain"
    if form == "text":
        text, quotes = run(random, seed, dealer, kind, _lines(random, form, kind))
        body = _body(text, dealer, person)
    elif form == "html":
        sheet = table(random, seed, dealer, kind, _lines(random, form, kind))
        body, subtype = _html_body(random, dealer, person, sheet), "html"
        quotes = sheet.truth(lambda row, column: {"part_path": "1", "table_idx": 1, "row": row + 2, "col": column + 1})
    elif form == "csv":
        sheet = table(random, seed, dealer, kind, _lines(random, form, kind))
        attachment = Attachment.of(f"{kind.code}.csv", _TYPES[form], documents.csv_file(sheet, dealer.language))
        quotes = sheet.truth(lambda row, column: {"part_path": "2", "row": row + 2, "col": column + 1})
        body = _cover(random, dealer, person)
    else:
        attachment, quotes, body = pooled.attachment, pooled.quotes, _cover(random, dealer, person)
    case = f"{seed}-{number:07d}"
    raw = write(_envelope(random, dealer, kind, person, case), body, subtype, attachment)
    meta = {"kind": "meta", "formats": [form], "asset_classes": [kind.code], "language": dealer.language}
    meta |= {"traps": [], "source": "generated"}
    return Composed(case, raw, [{"case": case, **line} for line in (meta, *quotes)])


@cache
def _pooled(seed: int, form: str, index: int) -> _Pooled:
    random = Random(f"{seed} {form} {index}")  # noqa: S311 -- drawn, not secret
    dealer, kind = _dealer(random)
    sheet = table(random, seed, dealer, kind, _lines(random, form, kind))
    make = {"xlsx": documents.xlsx, "docx": documents.docx, "pdf": documents.pdf}[form]
    attachment = Attachment.of(f"{kind.code}_{kind.currency}_{index}.{form}", _TYPES[form], make(sheet))
    return _Pooled(dealer, kind, attachment, sheet.truth(lambda row, column: _place(form, sheet, row, column)))


def _place(form: str, sheet: Table, row: int, column: int) -> dict[str, Any]:
    if form == "xlsx":
        return documents.xlsx_place(sheet, row, column)
    if form == "pdf":
        return {"part_path": "2", "page": 1}
    return {"part_path": "2", "table_idx": 1, "row": row + 2, "col": column + 1}


def _dealer(random: Random) -> tuple[Dealer, Kind]:
    dealer = random.choice(dealers())
    return dealer, dealer.kind(random.choice(dealer.classes))


def _lines(random: Random, form: str, kind: Kind) -> int:
    """How many instruments, so that the mean of the format is kept whatever a line of the class yields."""
    each = len(kind.in_runs) if form == "text" else len(kind.in_tables) * max(1, len(kind.tenors))
    wanted = MIX[form][1] * random.uniform(0.5, 1.5) / each
    return max(1, int(wanted + random.random()))


def _envelope(random: Random, dealer: Dealer, kind: Kind, person: str, case: str) -> Envelope:
    sent = FIRST_DAY + timedelta(days=random.randrange(5), seconds=random.randrange(WORKING_SECONDS))
    surname = person.rsplit(maxsplit=1)[-1].lower()
    address = normalize("NFD", surname).encode("ascii", "ignore").decode()
    day = f"{sent:%d.%m.}" if dealer.language == "de" else f"{sent:%d %b}"
    return Envelope(
        (person, f"{address}@{dealer.domain}"),
        "desk@buyside.example",
        f"{random.choice(kind.subjects)} {day}",
        f"{sent:%a, %d %b %Y %H:%M:%S} {dealer.offset}",
        f"{case}.{random.getrandbits(40):010x}@{dealer.domain}",
    )


def _cover(random: Random, dealer: Dealer, person: str) -> str:
    words = data()["words"][dealer.language]
    text = [random.choice(words["greetings"]), "", random.choice(words["covers"]), "", random.choice(words["closings"])]
    return _body(text, dealer, person)


def _body(text: list[str], dealer: Dealer, person: str) -> str:
    return "\n".join([*text, *signature(dealer, person)]) + "\n"


def _html_body(random: Random, dealer: Dealer, person: str, sheet: Table) -> str:
    words = data()["words"][dealer.language]
    greeting, heading = html.escape(random.choice(words["greetings"])), html.escape(sheet.kind.heading)
    end = "<br>\n".join(html.escape(line) for line in signature(dealer, person))
    return (
        f"<html><body><p>{greeting}</p>\n<p>{heading}</p>\n{documents.html_table(sheet)}\n<p>{end}</p></body></html>\n"
    )
