from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.codes import Code, MailState, PartState
from parsers.dealers import Dealers
from parsers.documents.budget import MAX_TOTAL_BYTES
from parsers.documents.package import RATIO_FREE_BYTES
from parsers.outcome import MailOutcome
from parsers.parse import MAX_MAIL_BYTES, parse_mail, unparsed
from parsers.taught import Taught
from tests.parsers.desk import mail

RUN = "USD IG fins\nBACR 5.2 05/26 T+85/80 5x5\nC 4.45 09/27 T+62/58 10x10\n"
TABLE = "<table><tr><th>CUSIP<th>Bond<th>Bid Px<th>Ask Px</tr><tr><td>037833100<td>AAPL 3.5 33<td>84.25<td>85.5</tr></table>"
CSV = "CUSIP,Bond,Bid Px,Ask Px\n037833100,AAPL 3.5 33,84.25,85.5\n"


def codes(outcome: MailOutcome) -> dict[str, str]:
    return {part.part_path: str(part.code or part.state) for part in outcome.parts}


def balanced(outcome: MailOutcome) -> bool:
    """Counts add up, states fit codes, and every refusal is in the list once (spec 6.5)."""
    refused = [reject.part_path for reject in outcome.rejects if reject.level == "part"]
    return (
        refused == [part.part_path for part in outcome.parts if part.code]
        and all((part.code is None) == (part.state is not PartState.rejected) for part in outcome.parts)
        and len({part.part_path for part in outcome.parts}) == len(outcome.parts)
        and (outcome.state is MailState.parsed) == bool(outcome.quotes)
        and [reject.code for reject in outcome.rejects if reject.level == "mail"]
        == ([outcome.code] if outcome.code else [])
        and sum(part.quotes for part in outcome.parts) == len(outcome.quotes)
    )


def test_a_run_in_the_body_becomes_quotes() -> None:
    raw = bytes(mail(RUN))
    outcome = parse_mail(raw)
    assert (outcome.state, outcome.code, codes(outcome)) == (MailState.parsed, None, {"1": "parsed"})
    assert [quote.bid for quote in outcome.quotes] == [85, 62]
    assert {quote.message_key for quote in outcome.quotes} == {hashlib.sha256(raw).hexdigest()}
    assert (outcome.sender, outcome.dealer, outcome.message_id) == (
        "remy@desk.example",
        "desk.example",
        "1@desk.example",
    )
    assert balanced(outcome)


def test_the_same_bytes_give_the_same_outcome_and_say_which_parser_made_it() -> None:
    raw = bytes(mail(RUN))
    assert parse_mail(raw) == parse_mail(raw)
    other = Taught.of(Dealers.parse('["desk.example"]\nname = "The Desk"\n'))
    assert parse_mail(raw, other).dealer == "The Desk"
    assert parse_mail(raw, other).parser_version != parse_mail(raw).parser_version


def test_html_with_a_table_is_taken_and_the_other_alternative_skipped() -> None:
    message = mail(RUN)
    message.add_alternative(TABLE, subtype="html")
    outcome = parse_mail(bytes(message))
    assert codes(outcome) == {"1": "skipped", "2": "parsed"}
    assert [quote.part_path for quote in outcome.quotes] == ["2"]


def test_a_body_that_repeats_its_attachment_names_the_rows_it_copies() -> None:
    message = mail("")
    message.set_content(TABLE, subtype="html")
    message.add_attachment(CSV.encode(), "text", "csv", filename="px.csv")
    outcome = parse_mail(bytes(message))
    body, attached = sorted(outcome.quotes, key=lambda quote: quote.part_path)
    assert (body.part_path, body.duplicate_of) == ("1", attached.record_id)
    assert attached.duplicate_of is None
    assert balanced(outcome)


def test_a_covering_note_carries_a_code_and_a_lone_body_does_not() -> None:
    message = mail("Please find attached.")
    message.add_attachment(CSV.encode(), "text", "csv", filename="px.csv")
    assert codes(parse_mail(bytes(message))) == {"1": "NO_QUOTE_CONTENT", "2": "parsed"}
    lone = parse_mail(bytes(mail("Rates drifted lower into the auction, and we like the belly of the curve here.")))
    assert (lone.state, lone.code, codes(lone)) == (MailState.parsed_empty, Code.NO_QUOTE_CONTENT, {"1": "parsed"})
    assert balanced(lone)


def test_an_inline_forward_speaks_with_its_first_senders_voice() -> None:
    text = f"FYI\n\n-----Original Message-----\nFrom: Basil <b@arborstone.example>\nSent: Tuesday, November 17, 2026 4:05 PM\nTo: Remy\nSubject: IG\n\n{RUN}"
    outcome = parse_mail(bytes(mail(text, subject="FW: IG")))
    first = outcome.quotes[0]
    assert (first.sender, first.dealer, first.forwarded_by) == (
        "b@arborstone.example",
        "arborstone.example",
        "remy@desk.example",
    )
    assert first.quote_date is not None
    assert (first.quote_date.isoformat(), first.line) == ("2026-11-17", 10)
    assert "from_history" in first.flags


def test_a_reply_speaks_for_itself_alone() -> None:
    history = "\nOn 17 Nov 2026 Zola wrote:\n" + "".join(f"> {line}\n" for line in RUN.splitlines())
    reply = parse_mail(bytes(mail("KO 5 05/34 T+44/41 5x5\n" + history, subject="Re: IG")))
    assert [quote.line for quote in reply.quotes] == [1]
    only = parse_mail(bytes(mail("thanks\n" + history, subject="Re: IG")))
    assert (only.state, only.code) == (MailState.parsed_empty, Code.QUOTED_HISTORY_ONLY)


@pytest.mark.parametrize(
    ("raw", "state", "code"),
    [
        pytest.param(b"", "rejected", "EMPTY_MAIL", id="no bytes"),
        pytest.param(bytes(mail(" \n")), "rejected", "EMPTY_MAIL", id="white space"),
        pytest.param(bytes(range(256)) * 9, "rejected", "MALFORMED_MIME", id="binary"),
        pytest.param(
            bytes(mail(RUN, Auto_Submitted="auto-replied")), "parsed_empty", "BOUNCE_OR_AUTOREPLY", id="auto-reply"
        ),
        pytest.param(
            bytes(mail("x would like to recall it", subject="Recall: run")),
            "parsed_empty",
            "RECALL_NOTICE",
            id="recall",
        ),
        pytest.param(
            bytes(mail("Please disregard my earlier run, levels to follow.")),
            "parsed_empty",
            "RECALL_NOTICE",
            id="disregard",
        ),
        pytest.param(
            bytes(mail("Log in to view: https://portal.example/1")), "parsed_empty", "EXTERNAL_LINK_ONLY", id="link"
        ),
        pytest.param(
            b"Subject: x\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n",
            "rejected",
            "ENCRYPTED_MAIL",
            id="PGP",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 600,
            "rejected",
            "TOO_MANY_PARTS",
            id="parts",
        ),
    ],
)
def test_mails_that_hold_no_run_carry_their_code(raw: bytes, state: str, code: str) -> None:
    outcome = parse_mail(raw)
    assert (str(outcome.state), str(outcome.code), outcome.quotes) == (state, code, ())
    assert balanced(outcome)


def test_a_french_reminder_is_no_recall() -> None:
    outcome = parse_mail(bytes(mail("BACR 5.2 05/26 T+85/80 5x5\n", "Rappel : run USD IG")))
    assert (outcome.state, len(outcome.quotes)) == (MailState.parsed, 1)
    outcome = parse_mail(bytes(mail("Remy souhaite rappeler le message « run ».\n", "Rappel : run USD IG")))
    assert outcome.code is Code.RECALL_NOTICE


@pytest.mark.parametrize("greeting", ["", "Hi,\n\n"])
def test_a_body_that_is_sealed_makes_an_encrypted_mail(greeting: str) -> None:
    sealed = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"
    outcome = parse_mail(bytes(mail(greeting + sealed)))
    assert (outcome.state, outcome.code) == (MailState.rejected, Code.ENCRYPTED_MAIL)


SEALED = b"--b\nContent-Type: multipart/encrypted; boundary=s\n\n--s\nContent-Type: application/pgp-encrypted\n\n1\n--s\n\nx\n--s--\n"


@pytest.mark.parametrize(
    ("text", "state"), [(RUN, MailState.parsed), ("This mail is confidential.", MailState.rejected)]
)
def test_a_run_beside_what_is_sealed_is_read(text: str, state: MailState) -> None:
    head = b"Subject: USD IG\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n"
    outcome = parse_mail(head + text.encode() + b"\n" + SEALED + b"--b--\n")
    assert balanced(outcome)
    assert (outcome.state, codes(outcome)["2.2"]) == (
        (state, "PASSWORD_PROTECTED") if state is MailState.parsed else (state, "skipped")
    )
    assert outcome.code is (None if outcome.quotes else Code.ENCRYPTED_MAIL)


def test_one_odd_parameter_costs_no_other_part_its_quotes() -> None:
    raw = (
        b"Subject: runs\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nBACR 5.2 05/26 T+85/80 5x5\n--b\n"
        b"Content-Type: text/plain; charset*=a; charset*0=b\nContent-Disposition: attachment; filename*=a; filename*0=b\n\n"
        b"hello\n--b--\n"
    )
    assert len(parse_mail(raw).quotes) == 1


def test_office_files_and_archives_share_what_one_mail_may_unpack() -> None:
    message = mail(RUN)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", "<document/>")
        package.writestr("word/media/image1.bmp", bytes(RATIO_FREE_BYTES))
    for number in range(MAX_TOTAL_BYTES // RATIO_FREE_BYTES + 1):  # other bytes each: none is a copy
        message.add_attachment(packed.getvalue() + b"%02d" % number, "application", "octet-stream", filename="a.docx")
    found = codes(parse_mail(bytes(message)))
    assert (found["1"], found["2"], list(found.values()).count("ARCHIVE_LIMIT")) == ("parsed", "NO_QUOTE_CONTENT", 1)


def test_a_mail_beyond_the_limit_is_refused_with_its_facts() -> None:
    outcome = parse_mail(b"From: a@b.c\nSubject: big\n\n" + bytes(MAX_MAIL_BYTES))
    assert (outcome.state, outcome.code, outcome.subject) == (MailState.rejected, Code.MAIL_TOO_LARGE, "big")


def test_a_rejected_part_never_stops_its_siblings() -> None:
    message = mail(RUN)
    message.add_attachment(b"PK\x03\x04cut", "application", "zip", filename="a.zip")
    outcome = parse_mail(bytes(message))
    assert codes(outcome) == {"1": "parsed", "2": "CORRUPT_PART"}
    assert outcome.state is MailState.parsed


def test_unexpected_refusals_reject_a_mail_without_rows_and_expected_ones_do_not() -> None:
    broken, calendar = mail("note, nothing in it but words"), mail("note, nothing in it but words")
    broken.add_attachment(b"PK\x03\x04cut", "application", "zip", filename="a.zip")
    calendar.add_attachment(b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", "text", "calendar", filename="a.ics")
    assert (parse_mail(bytes(broken)).state, parse_mail(bytes(broken)).code) == (MailState.rejected, None)
    assert (parse_mail(bytes(calendar)).state, parse_mail(bytes(calendar)).code) == (
        MailState.parsed_empty,
        Code.NO_QUOTE_CONTENT,
    )


def test_beside_quotes_a_table_that_nobody_understands_is_a_refused_row() -> None:
    unknown = "<table><tr><td>Name<td>Rating<td>Average Bid</tr><tr><td>Alix<td>2<td>100.61</table>"
    message = mail(subject="HY run")
    message.set_content(f"{TABLE}<p>and</p>{unknown}", subtype="html")
    outcome = parse_mail(bytes(message))
    assert (len(outcome.quotes), codes(outcome)) == (1, {"1": "parsed"})
    assert [(reject.level, reject.code, reject.raw_text) for reject in outcome.rejects] == [
        ("row", Code.TABLE_NOT_RECOGNISED, "Name | Rating | Average Bid")
    ]
    assert balanced(outcome)


HUNGARIAN = "ISIN | Megnevezés | Vétel | Eladás | Névérték\nHU0000403118 | MÁK 2030/A | 98,25 | 98,75 | 10\n"


def test_a_mail_of_an_unknown_language_with_identifiers_beside_prices_is_not_as_expected() -> None:
    outcome = parse_mail(bytes(mail(HUNGARIAN, subject="jegyzés")))
    assert (outcome.state, codes(outcome)) == (MailState.rejected, {"1": "TABLE_NOT_RECOGNISED"})
    assert {reject.raw_text for reject in outcome.rejects} == {HUNGARIAN.splitlines()[1]}
    assert balanced(outcome)


@pytest.mark.parametrize(
    ("subject", "note", "name"),
    [
        ("Trade confirmation 8812", "see attached", "8812.csv"),
        ("your order", "We hereby confirm your purchase as follows", "8812.csv"),
        ("your order", "see attached", "trade_confirmation_8812.csv"),
    ],
)
def test_a_confirmation_with_identifiers_beside_prices_is_as_expected(subject: str, note: str, name: str) -> None:
    message = mail(note, subject=subject)
    message.add_attachment(HUNGARIAN.replace(" | ", ";").encode(), "text", "csv", filename=name)
    outcome = parse_mail(bytes(message))
    assert (outcome.state, outcome.code) == (MailState.parsed_empty, Code.NO_QUOTE_CONTENT)
    assert set(codes(outcome).values()) == {"NO_QUOTE_CONTENT"}
    assert balanced(outcome)


def test_a_covering_note_beside_prices_may_name_one() -> None:
    message = mail(HUNGARIAN)
    message.add_attachment(CSV.encode(), "text", "csv", filename="px.csv")
    assert codes(parse_mail(bytes(message))) == {"1": "NO_QUOTE_CONTENT", "2": "parsed"}


def test_a_barred_part_ends_with_its_code_and_the_others_are_read() -> None:
    message = mail(RUN)
    message.add_attachment(CSV.encode(), "text", "csv", filename="px.csv")
    outcome = parse_mail(bytes(message), barred={"2": Code.PARSE_TIMEOUT})
    assert codes(outcome) == {"1": "parsed", "2": "PARSE_TIMEOUT"}
    assert balanced(outcome)


def test_a_mail_that_nobody_got_through_is_one_rejected_part() -> None:
    outcome = unparsed("ab" * 32, 1, "0", Code.PARSE_TIMEOUT, "slow")
    assert (outcome.state, codes(outcome)) == (MailState.rejected, {"1": "PARSE_TIMEOUT"})
    assert balanced(outcome)


@given(st.binary(max_size=3000))
@settings(max_examples=150, deadline=None)
def test_no_input_raises(raw: bytes) -> None:
    assert balanced(parse_mail(raw))


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=20))
@settings(max_examples=150, deadline=None)
def test_no_damage_to_a_real_mail_raises(at: int, junk: bytes) -> None:
    message = mail(RUN)
    message.add_alternative(TABLE, subtype="html")
    message.add_attachment(CSV.encode(), "text", "csv", filename="px.csv")
    raw = bytes(message)
    place = at % len(raw)
    assert balanced(parse_mail(raw[:place] + junk + raw[place + len(junk) :]))
    assert balanced(parse_mail(raw[:place]))
