from __future__ import annotations

import io
from collections.abc import Callable
from decimal import Decimal
from itertools import permutations

import pytest
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas

from parsers.codes import Code, PartState
from parsers.dealers import Dealers
from parsers.documents import kinds
from parsers.mail.facts import Facts
from parsers.mail.part import Part
from parsers.quotes.work import Work
from parsers.reading import Reader, dealer_of

Make = Callable[..., Part]
RUN = "BACR 5.2 05/26 T+85/80 5x5\n"
FORWARD = f"FYI\n\n-----Original Message-----\nFrom: Basil <b@arborstone.example>\nSent: Tuesday, November 17, 2026 4:05 PM\nTo: Remy\nSubject: IG\n\n{RUN}"


def with_subject(part: Part, subject: str, depth: int = 0) -> Part:
    facts = replace(part.envelope.facts, subject=subject)
    return replace(part, envelope=replace(part.envelope, facts=facts, depth=depth))


def test_a_part_with_prices_is_parsed_and_its_quotes_name_it(part: Make, reader: Reader) -> None:
    found = reader.read(part("2/zip:a.zip!run.txt", RUN, is_body=False, file_name="run.txt"))
    assert (found.state, found.code, found.parser) == (PartState.parsed, None, "text")
    assert [(quote.part_path, quote.file_name, quote.bid) for quote in found.quotes] == [
        ("2/zip:a.zip!run.txt", "run.txt", Decimal(85))
    ]


def test_a_note_above_what_is_passed_on_speaks_of_its_prices(part: Make, reader: Reader) -> None:
    mail = FORWARD.replace("FYI\n", "All bid side, prices in EUR.\n").replace(RUN, "BMW 3.25 03/30 101.2\n")
    found = reader.read(with_subject(part("1", mail), "FW: IG"))
    assert [(quote.bid, quote.currency) for quote in found.quotes] == [(Decimal("101.2"), "EUR")]


def test_prose_has_no_quote_content_and_is_kept_to_judge_the_mail_by(part: Make, reader: Reader) -> None:
    prose = reader.read(part("1", "Rates drifted lower, we like the belly here.\n"))
    assert (prose.state, prose.code, prose.has_table) == (PartState.rejected, Code.NO_QUOTE_CONTENT, False)
    assert prose.text == "Rates drifted lower, we like the belly here."


@pytest.mark.parametrize(
    ("content_type", "code"),
    [("application/x-what", Code.UNSUPPORTED_TYPE), (kinds.ENCRYPTED_OFFICE, Code.PASSWORD_PROTECTED)],
)
def test_a_part_that_cannot_be_read_has_its_code(content_type: str, code: Code, part: Make, reader: Reader) -> None:
    found = reader.read(part("2", "x", content_type, is_body=False))
    assert (found.state, found.code, found.quotes) == (PartState.rejected, code, ())


@pytest.mark.parametrize(("rows", "code"), [("AAPL 3.5 33,84.25,85.5\n", None), ("", Code.PART_TOO_LARGE)])
def test_of_a_part_beyond_the_limits_the_rows_read_stay_and_the_rest_is_refused(
    rows: str, code: Code | None, part: Make, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parsers.documents.csv.MAX_ROWS", 2)
    table = f"Bond,Bid,Ask\n{rows or ',,'}\n" + "MSFT 3.5 33,84.25,85.5\n"
    found = reader.read(part("2", table, kinds.CSV, is_body=False))
    assert (len(found.quotes), found.code) == (1 if rows else 0, code)
    refused = [reject for reject in found.rejects if reject.level == "part"]
    assert [(each.code, each.part_path) for each in refused] == ([(Code.PART_TOO_LARGE, "2")] if rows else [])


def test_what_a_reply_quotes_is_history_and_no_quote_of_its_own(part: Make, reader: Reader) -> None:
    reply = with_subject(part("1", f"thanks\n\nOn 17 Nov 2026 Zola wrote:\n> {RUN}"), "Re: IG")
    found = reader.read(reply)
    assert (found.state, found.quotes, found.has_history, found.text.strip()) == (
        PartState.rejected,
        (),
        True,
        "thanks",
    )


def test_what_a_forward_quotes_is_the_first_senders(part: Make, reader: Reader) -> None:
    found = reader.read(with_subject(part("1", FORWARD), "FW: IG"))
    assert [(quote.sender, quote.dealer, quote.forwarded_by) for quote in found.quotes] == [
        ("b@arborstone.example", "arborstone.example", "r@desk.example")
    ]
    assert reader.read(with_subject(part("1", FORWARD), "Re: IG")).quotes == ()
    marked = part("1", f"---------- Forwarded message ---------\n{FORWARD}")
    assert [quote.sender for quote in reader.read(with_subject(marked, "IG")).quotes] == ["b@arborstone.example"]


def test_only_a_body_has_history(part: Make, reader: Reader) -> None:
    found = reader.read(with_subject(part("2", FORWARD, is_body=False, file_name="run.txt"), "Re: IG"))
    assert (found.has_history, len(found.quotes)) == (False, 1)


def test_a_mail_inside_a_mail_was_forwarded_by_the_outer_sender(part: Make, reader: Reader) -> None:
    inner = part("2/msg:1", RUN)
    envelope = replace(inner.envelope, facts=Facts(sender="b@arborstone.example"), depth=1)
    found = reader.read(replace(inner, envelope=envelope))
    assert [(quote.sender, quote.forwarded_by) for quote in found.quotes] == [
        ("b@arborstone.example", "r@desk.example")
    ]


def test_a_body_without_prices_says_what_holds_for_the_attachments_of_its_mail(part: Make, reader: Reader) -> None:
    table = "Bond,Bid,Ask\nACME 5 30,98.5,99\nBOLT 6 31,97,97.5\n"
    body = with_subject(part("1", "Hi, run attached, all prices in GBP.\n"), "Runs")
    reader.read(body)
    attached = replace(part("2", table, kinds.CSV, is_body=False, file_name="run.csv"), envelope=body.envelope)
    assert [quote.currency for quote in reader.read(attached).quotes] == ["GBP", "GBP"]
    elsewhere = replace(attached, envelope=replace(attached.envelope, depth=1))
    assert [quote.currency for quote in reader.read(elsewhere).quotes] == [None, None]


def test_behind_an_unknown_address_stands_its_domain_and_behind_none_nobody() -> None:
    dealers = Dealers.parse('["desk.example"]\nname = "The Desk"\n')
    known, unknown = dealer_of("r@desk.example", dealers), dealer_of("r@other.example", dealers)
    assert known is not None
    assert unknown is not None
    assert (known.name, unknown.name, dealer_of(None, dealers)) == ("The Desk", "other.example", None)


def test_what_of_a_part_was_passed_over_is_told(part: Make, reader: Reader) -> None:

    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(40, 700, "morning all")
    canvas.showPage()
    canvas.rect(0, 0, 500, 700, fill=1)
    canvas.save()
    found = reader.read(replace(part("2", "", kinds.PDF, is_body=False), data=out.getvalue()))
    assert (found.code, found.detail) == (Code.NO_QUOTE_CONTENT, "no text on pages 2")


@pytest.mark.parametrize("top", [RUN, ""])
def test_a_part_whose_work_ends_early_keeps_its_rows_and_names_where_reading_ended(
    top: str, part: Make, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parsers.reading.Work", lambda **_: Work(20_000))
    below = "".join(
        f"item {word} of the list is {at}\n" for at, word in enumerate(map("".join, permutations("abcdef")))
    )
    found = reader.read(part("1", top + below))
    if top:
        assert (found.state, found.code, len(found.quotes)) == (PartState.parsed, None, 1)
    else:
        assert (found.state, found.code, found.quotes) == (PartState.rejected, Code.PART_TOO_LARGE, ())
    ended = [reject.locator for reject in found.rejects if reject.code is Code.PART_TOO_LARGE]
    assert len(ended) == (1 if top else 0)
    assert ("reading ended at line" in found.detail) == (not top)
