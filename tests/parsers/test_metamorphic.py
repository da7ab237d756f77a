"""What must not change a mail's quotes: the order of columns, rows of noise, a forward, the locale, the format."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from parsers.goldform import gold_lines
from parsers.parse import parse_mail
from parsers.scoring.pairing import value
from tests.parsers.wild.dealer import Dealer, dealer_of
from tests.parsers.wild.mails import csv_file, docx_file, envelope, html_table, pdf_file, text_table, xlsx_file
from tests.parsers.wild.runs import run_of
from tests.parsers.wild.sheets import Sheet, sheet_of

SAMPLES = Path(__file__).parent.parent.parent / "samples"
SAME = ("quote_type", "bid", "ask", "mid", "talk_low", "talk_high", "asset_class", "quote_kind", "side", "tenor")
NOISE = ("SPX 5,980 -0.3%, VIX 14.2, WTI 71.05.", "Desk line (212) 555-0155 x4417.", "Two deals priced yesterday.")
REMARKS = "EUR swaps steepened 2bp\nStrong demand for AT1s\nEM sovereigns traded heavy\nMunis outperformed\nBWICs light"
Quotes = Counter[tuple[object, ...]]


def quotes(raw: bytes) -> Quotes:
    """What a mail says, without where it says it."""
    lines = [line for line in map(json.loads, gold_lines(parse_mail(raw))) if line["kind"] == "quote"]
    return Counter((name_of(line), *(value(line, name) for name in SAME)) for line in lines)


def name_of(line: dict[str, str]) -> str:
    return line.get("instrument_id") or re.sub(r"[^a-z0-9]", "", line.get("description", "").lower())


def lone_texts(folder: Path) -> list[tuple[str, EmailMessage, str]]:
    """The mails of a folder that are a text and nothing else, and have quotes."""
    found = []
    for file in sorted(folder.glob("*.eml")):
        message = message_from_bytes(file.read_bytes(), policy=policy.default)
        assert isinstance(message, EmailMessage)
        if message.get_content_type() == "text/plain" and not re.match(
            r"(?i)(fw|fwd|re|rv|tr|wg|enc):", message["subject"]
        ):
            found.append((file.stem, message, message.get_content()))
    return [one for one in found if quotes(bytes(one[1]))]


def with_body(message: EmailMessage, body: str, subject: str | None = None) -> bytes:
    made = EmailMessage()
    for name in ("From", "To", "Date", "Message-ID"):
        made[name] = message[name]
    made["Subject"] = subject or message["subject"]
    made.set_content(body, charset="utf-8")
    return made.as_bytes()


def inline(message: EmailMessage, body: str) -> bytes:
    head = f"From: {message['from']}\nSent: {message['date']}\nTo: {message['to']}\nSubject: {message['subject']}"
    return with_body(message, f"Fyi\n\n-----Original Message-----\n{head}\n\n{body}", f"FW: {message['subject']}")


def attached(message: EmailMessage, body: str) -> bytes:
    made = EmailMessage()
    made["From"], made["Subject"], made["Date"] = "x@other.example", "Fwd", message["date"]
    made.set_content("See below.\n")
    made.add_attachment(message_from_bytes(with_body(message, body), policy=policy.default))
    return made.as_bytes()


def noisy(message: EmailMessage, body: str) -> bytes:
    """Sentences above the text."""
    return with_body(message, "\n".join(["Hello all,", "", *NOISE, "", body]))


def with_lines(message: EmailMessage, body: str, change: Callable[[str], str]) -> bytes:
    return with_body(message, "\n".join(change(line) if line.strip() else line for line in body.splitlines()))


def bulleted(message: EmailMessage, body: str) -> bytes:
    """A list of what holds two figures and more, and stands in no columns."""
    form = re.compile(r"\w(?!.*\S {3,}\S.* {3,}\S).*\d.*\d")
    return with_lines(message, body, lambda line: f"- {line}" if form.match(line) else line)


def dashed(message: EmailMessage, body: str) -> bytes:
    """A mail program made hyphens longer."""
    return with_lines(
        message, body, lambda line: re.sub(r"(?<=\d) ?- ?(?=\d)", lambda dash: dash[0].replace("-", "–"), line)
    )


def shouted(message: EmailMessage, body: str) -> bytes:
    """All in capitals, as many dealers write."""
    return with_lines(message, body, lambda line: re.sub("[a-z]+", lambda word: word[0].upper(), line))


def spaced(message: EmailMessage, body: str) -> bytes:
    """A blank line behind each."""
    return with_body(message, body.replace("\n", "\n\n"))


def remarked(message: EmailMessage, body: str) -> bytes:
    """Remarks on other markets among the lines, behind each blank one."""
    return with_body(message, re.sub(r"\n[ \t]*\n", lambda blank: f"{blank[0]}{REMARKS}{blank[0]}", body))


CHANGES = [inline, attached, noisy, remarked, bulleted, dashed, shouted, spaced]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_only_told_otherwise_leaves_the_quotes_of_samples(
    change: Callable[[EmailMessage, str], bytes],
) -> None:
    for name, message, body in lone_texts(SAMPLES):
        assert quotes(change(message, body)) == quotes(with_body(message, body)), name


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_only_told_otherwise_leaves_the_quotes_of_the_gold(
    shared: Callable[[str], Path], change: Callable[[EmailMessage, str], bytes]
) -> None:
    wrong = [
        name
        for name, message, body in lone_texts(shared("gold") / "dev")
        if quotes(change(message, body)) != quotes(with_body(message, body))
    ]
    assert wrong == []


def sheet_mail(dealer: Dealer, sheet: Sheet, form: str, title: str) -> bytes:
    message = envelope(title)
    if form == "text":
        message.set_content("\n".join(text_table(dealer, sheet)) + "\n", charset="utf-8")
    elif form == "html":
        message.set_content(f"<html><body>{html_table(sheet)}</body></html>", subtype="html", charset="utf-8")
    else:
        message.set_content("Attached.\n")
        write = {"csv": csv_file, "xlsx": xlsx_file, "pdf": pdf_file, "docx": docx_file}[form]
        data, kind = write(dealer, sheet, title)
        main, _, sub = kind.partition("/")
        message.add_attachment(data, maintype=main, subtype=sub, filename=f"run.{form}")
    return message.as_bytes()


SEEDS = range(0, 400, 40)


def plain_sheets() -> list[tuple[int, Dealer, Sheet, str]]:
    found = []
    for seed in SEEDS:
        dealer = dealer_of(seed)
        if dealer.book.tables:
            found.append((seed, dealer, sheet_of(dealer, "plain"), dealer.book.titles[0]))
    return found


def test_a_sheet_says_the_same_in_every_format() -> None:
    for seed, dealer, sheet, title in plain_sheets():
        expected = quotes(sheet_mail(dealer, sheet, "xlsx", title))
        assert expected, seed
        for form in ("csv", "html", "pdf", "docx", "text"):
            assert quotes(sheet_mail(dealer, sheet, form, title)) == expected, (seed, form)


def test_the_order_of_columns_means_nothing() -> None:
    for seed, dealer, sheet, title in plain_sheets():
        order = list(range(len(sheet.rows[0])))
        random.Random(seed).shuffle(order)
        other = replace(sheet, rows=[[row[at] for at in order] for row in sheet.rows])
        assert quotes(sheet_mail(dealer, other, "csv", title)) == quotes(sheet_mail(dealer, sheet, "csv", title)), seed


def test_rows_of_noise_are_no_quotes() -> None:
    for seed, dealer, sheet, title in plain_sheets():
        width = len(sheet.rows[0])
        total = ["Total", *[""] * (width - 2), "123"]
        rows = [
            sheet.rows[0],
            *sheet.rows[1:3],
            [""] * width,
            *sheet.rows[3:],
            total,
            ["* indicative only", *[""] * (width - 1)],
        ]
        other = replace(sheet, rows=rows)
        assert quotes(sheet_mail(dealer, other, "xlsx", title)) == quotes(sheet_mail(dealer, sheet, "xlsx", title)), (
            seed
        )


def test_a_decimal_comma_says_the_same_as_a_point() -> None:
    for seed in SEEDS:
        dealer = replace(dealer_of(seed), mark=".")
        pointed = run_of(dealer).lines
        made = []
        for lines in (pointed, [re.sub(r"(?<=\d)\.(?=\d)", ",", line) for line in pointed]):
            message = envelope(dealer.book.titles[0])
            message.set_content("\n".join(lines) + "\n", charset="utf-8")
            made.append(Counter(key[1:] for key in quotes(message.as_bytes()).elements()))
        assert made[0] == made[1], seed
