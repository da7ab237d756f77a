"""Mail n of a seed: who writes, in which format, about what; its bytes and its truth."""

from __future__ import annotations

import html
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from ingest.generate import bodies, documents
from ingest.generate.lists import lists_of
from ingest.generate.mime import Attachment, Envelope, write
from ingest.generate.pool import FIRST_DAY, POOL, QUOTES, TYPES, place, pooled, sheet_of, writer, zipped
from ingest.generate.runs import run

if TYPE_CHECKING:
    from ingest.generate.books import Book
    from ingest.generate.dealers import Dealer

# format -> share of the mails in percent
MIX = {"text": 65, "xlsx": 15, "pdf": 10, "html": 5, "docx": 3, "csv": 1.5, "zip": 0.5}
TEXT_QUOTES = 6  # in a run, in the mean: 9.2 a mail over all formats
LARGE = 1 / 2500  # of the mails carry a document of the long tail
LISTS = 0.25  # of the runs that could be a list of axes, talk or covers
OPEN_AT, WORKING_SECONDS = time(6, 30), 11 * 3600


@dataclass(frozen=True, slots=True)
class Composed:
    """A mail with its truth: gold lines, the first of them `meta`."""

    case: str  # the file's name without .eml
    raw: bytes
    lines: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a mail says, before it is written."""

    dealer: Dealer
    book: Book
    body: str
    quotes: list[dict[str, Any]]
    subtype: str = "plain"
    attachment: Attachment | None = None
    formats: tuple[str, ...] = ("text",)
    prefix: str = ""  # of the subject


def compose(seed: int, number: int) -> Composed:
    """The mail. A function of its arguments alone."""
    random = Random(f"{seed} mail {number}")  # noqa: S311 -- drawn, not secret
    form = "large" if random.random() < LARGE else random.choices(list(MIX), list(MIX.values()))[0]
    sent = datetime.combine(FIRST_DAY + timedelta(days=random.randrange(5)), OPEN_AT)
    sent += timedelta(seconds=random.randrange(WORKING_SECONDS))
    if form in POOL:
        carried = pooled(seed, form, random.randrange(POOL[form]))
        sent = datetime.combine(carried.day, sent.time())
        dealer = carried.dealer
    else:
        dealer, book = writer(random)
    person = random.choice(dealer.people)
    if form in POOL:
        body = "\n".join(bodies.cover(random, dealer, person)) + "\n"
        said = _Said(dealer, carried.book, body, carried.quotes, attachment=carried.attachment, formats=(carried.form,))
    elif form == "text":
        said = _text(random, seed, dealer, book, person=person, sent=sent)
    else:
        said = _table(random, seed, dealer, book, form=form, day=sent.date(), person=person)
    case = f"{seed}-{number:07d}"
    raw = write(_envelope(random, said, person, case, sent), said.body, said.subtype, said.attachment)
    meta = {
        "kind": "meta",
        "formats": list(said.formats),
        "asset_classes": [said.book.cls],
        "language": dealer.language,
    }
    meta |= {"traps": [], "source": "generated"}
    return Composed(case, raw, [{"case": case, **line} for line in (meta, *said.quotes)])


def _text(random: Random, seed: int, dealer: Dealer, book: Book, *, person: str, sent: datetime) -> _Said:
    lists = lists_of(dealer, book)
    if lists and random.random() < LISTS:
        lines, quotes = random.choice(lists)(random, seed, dealer, book, _count(random, 1))
    elif dealer.columns or book.grid == "surface":
        sheet = sheet_of(random, seed, dealer, book, quotes=TEXT_QUOTES, day=sent.date())
        lines = [sheet.title, "", *documents.text_lines(sheet)]
        quotes = sheet.truth(lambda row, _: {"part_path": "1", "line": row + sheet.header_rows + 3})
    else:
        lines, quotes = run(random, seed, dealer, book, _count(random, len(book.runs)))
    when = f"{sent:%d.%m.%Y %H:%M}" if dealer.language == "de" else f"{sent:%d/%m/%Y %H:%M}"
    body = bodies.around(random, dealer, person, lines, when)
    if random.random() < bodies.FORWARD:
        body = bodies.forwarded(
            random, dealer, body, (_address(dealer, person), when, _subject(random, dealer, book, sent))
        )
    quotes = [quote | {"line": quote["line"] + body.above} for quote in quotes]
    return _Said(dealer, book, "\n".join(body.lines) + "\n", quotes, prefix=body.prefix)


def _table(random: Random, seed: int, dealer: Dealer, book: Book, *, form: str, day: date, person: str) -> _Said:
    sheet = sheet_of(random, seed, dealer, book, quotes=QUOTES[form], day=day)
    quotes = sheet.truth(lambda row, column: place(form, sheet, row, column))
    cover = bodies.cover(random, dealer, person)
    if form == "html":
        end = "<br>\n".join(html.escape(line) for line in bodies.signature(dealer, person))
        text = f"<p>{html.escape(cover[0])}</p>\n<p>{html.escape(sheet.title)}</p>\n"
        text = f"<html><body>{text}{documents.html_table(sheet, dealer.number)}\n<p>{end}</p></body></html>\n"
        return _Said(dealer, book, text, quotes, subtype="html", formats=("html",))
    name, content = f"{book.key}_{day:%d%m%y}.csv", documents.csv_file(sheet, dealer.decimal)
    formats: tuple[str, ...] = ("csv",)
    if form == "zip":
        quotes = [quote | {"part_path": f"2/zip:{name}"} for quote in quotes]
        name, content, formats = f"{book.key}.zip", zipped(name, content), ("zip", "csv")
    attachment = Attachment.of(name, TYPES[form], content)
    return _Said(dealer, book, "\n".join(cover) + "\n", quotes, attachment=attachment, formats=formats)


def _count(random: Random, each: int) -> int:
    """How many lines, so that the mean is kept whatever a line of the class yields."""
    return max(1, int(TEXT_QUOTES * random.uniform(0.4, 1.6) / each + random.random()))


def _envelope(random: Random, said: _Said, person: str, case: str, sent: datetime) -> Envelope:
    dealer = said.dealer
    return Envelope(
        (person, _address(dealer, person)),
        "desk@buyside.example",
        said.prefix + _subject(random, dealer, said.book, sent),
        f"{sent:%a, %d %b %Y %H:%M:%S} {dealer.offset}",
        f"{case}.{random.getrandbits(40):010x}@{dealer.domain}",
    )


def _subject(random: Random, dealer: Dealer, book: Book, sent: datetime) -> str:
    day = f"{sent:%d.%m.}" if dealer.language == "de" else f"{sent:%d/%m}" if dealer.decimal == "," else f"{sent:%d %b}"
    return f"{random.choice(book.titles[dealer.language])} {day}"


def _address(dealer: Dealer, person: str) -> str:
    surname = person.rsplit(maxsplit=1)[-1].lower()
    return f"{normalize('NFD', surname).encode('ascii', 'ignore').decode()}@{dealer.domain}"
