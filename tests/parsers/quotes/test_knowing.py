"""What the user's dictionary of instruments does to rows."""

from __future__ import annotations

import gc
import mmap
import weakref
from pathlib import Path

import pytest

from parsers.account import account
from parsers.dealers import Dealers
from parsers.parse import parse_mail
from parsers.quote import Quote
from parsers.quotes.answers.knowing import known_of
from parsers.quotes.work import RowCosts, Work
from parsers.sandbox import Sandbox, SandboxOptions
from parsers.securities.dictionary import Dictionary
from parsers.securities.master import load
from parsers.taught import Taught

MASTER = """security_id,isin,ticker,coupon,maturity,asset_class,currency,unit
APPLE46,US037833BX70,AAPL,4.65,2046-02-23,corp_hy,USD,price_pct
ABC28,XS2641318121,ABC,4.5,2028-10-15,covered_bond,EUR,
UNKNOWN,US5949181045,,,,,,
"""
MAY_CHANGE = {
    "security_id",
    "parser_version",
    "asset_class",
    "class_source",
    "flags",
    "confidence",
    "status",
    "dedupe_key",
}
"""Columns that say what is known, by what, and of which class a row is; or follow from its class."""


@pytest.fixture
def master(tmp_path: Path) -> Path:
    file = tmp_path / "securities.csv"
    file.write_text(MASTER, "utf-8")
    return file


@pytest.fixture
def taught(master: Path) -> Taught:
    return Taught.of(Dealers.load(None), load(master))


def mail(body: str, subject: str = "Hello", content_type: str = "text/plain") -> bytes:
    head = f"From: r@desk.example\nSubject: {subject}\nDate: Fri, 27 Nov 2026 09:00:00 +0000\n"
    return f"{head}Content-Type: {content_type}; charset=utf-8\n\n{body}\n".encode()


def table(heading: str, cell: str, *, others: str = "") -> str:
    return f"{others}<table><tr><th>{heading}<th>Bid<th>Ask</tr><tr><td>{cell}<td>99.5<td>99.75</tr></table>"


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("AAPL 4.65 46 99.5/99.75", "APPLE46"),
        ("AAPL 4.65 2/46 99.5/99.75", "APPLE46"),
        ("AAPL 4.65 Feb46 99.5/99.75", "APPLE46"),
        ("AAPL 4.65 02/23/46 99.5/99.75", "APPLE46"),
        ("US037833BX70 99.5/99.75", "APPLE46"),
        ("CUSIP 037833BX7 99.5/99.75", "APPLE46"),
        ("XS2641318121 99.5/99.75", "ABC28"),
        ("AAPL 4.65 46 USD 99.5/99.75", "APPLE46"),
        ("AAPL 4.65 3/46 99.5/99.75", None),
        ("AAPL 4.5 46 99.5/99.75", None),
        ("EUR AAPL 4.65 46 99.5/99.75", None),
        ("US0378331005 AAPL 4.65 46 99.5/99.75", None),
        ("US037833BX70 CUSIP 594918104 99.5/99.75", None),
        ("US037833BX70 CUSIP 037833100 99.5/99.75", None),
        ("US037833BX71 XYZ 4 44 99.5/99.75", None),
    ],
)
def test_the_instrument_that_is_known_stands_in_security_id(body: str, known: str | None, taught: Taught) -> None:
    assert {quote.security_id for quote in parse_mail(mail(body, "IG"), taught).quotes} == {known}


IN_EUROS = "<table><tr><th>Bond<th>Ccy<th>Bid<th>Ask</tr><tr><td>AAPL 4.65 02/46<td>EUR<td>99.5<td>99.75</tr></table>"


@pytest.mark.parametrize(
    "raw",
    [
        mail("AAPL 4.65 46 EUR 99.5/99.75"),
        mail("AAPL 4.65 46 99.5/99.75 EUR"),
        mail("AAPL 4.65 46 99.5/99.75 Euro"),
        mail("AAPL 4.65 46 €99.5/€99.75"),
        mail("AAPL 4.65 46 99.5/99.75", "EUR"),
        mail("EUR bonds\n\nAAPL 4.65 46 99.5/99.75"),
        mail("AAPL 4.65 02/46\n99.5 / 99.75", "EUR"),
        mail("AAPL bonds\n4.65 02/46 99.5/99.75 EUR"),
        mail(IN_EUROS, content_type="text/html"),
        mail(IN_EUROS.replace("EUR", "").replace("99.5<", "€ 99.5<"), content_type="text/html"),
        mail(IN_EUROS.replace("EUR", ""), "EUR", "text/html"),
    ],
)
def test_of_an_instrument_that_a_row_is_not_its_class_is_not_taken_either(raw: bytes, taught: Taught) -> None:
    found = parse_mail(raw, taught).quotes
    assert {(quote.security_id, str(quote.asset_class), quote.class_source) for quote in found} == {
        (None, "unknown", "none")
    }


def test_of_identifiers_that_are_of_two_instruments_no_class_is_taken(taught: Taught) -> None:
    raw = mail("US037833BX70 CUSIP 037833100 99.5/99.75")
    without, found = parse_mail(raw), parse_mail(raw, taught)
    assert [alike(quote) for quote in without.quotes] == [alike(quote) for quote in found.quotes]
    assert [reject.code for reject in without.rejects] == [reject.code for reject in found.rejects]
    assert found.quotes or found.rejects
    assert all(str(quote.asset_class) == "unknown" and quote.status == "review" for quote in found.quotes)


def alike(quote: Quote) -> dict[str, object]:
    return {name: getattr(quote, name) for name in Quote.__struct_fields__ if name not in MAY_CHANGE}


@pytest.mark.parametrize(
    "raw",
    [
        mail("AAPL 4.65 46 99.5/99.75\nABC 4.5 10/28 T+45/40\nUS037833BX70 99.5/99.75 5x5"),
        mail(table("ISIN", "US037833BX70"), content_type="text/html"),
        mail(table("Bond", "ABC 4.5 10/28"), "IG", "text/html"),
    ],
)
def test_nothing_that_is_printed_is_filled_and_an_instruments_key_stays(raw: bytes, taught: Taught) -> None:
    without, found = parse_mail(raw).quotes, parse_mail(raw, taught).quotes
    assert without
    assert [alike(quote) for quote in found] == [alike(quote) for quote in without]
    assert all(quote.security_id for quote in found)
    assert not any(quote.security_id for quote in without)


@pytest.mark.parametrize(
    ("raw", "decided"),
    [
        (mail("US037833BX70 99.5/99.75"), "corp_hy dictionary"),
        (mail("XS2641318121 ABC 4.5 10/28 99.5/99.75"), "covered_bond dictionary"),
        (mail("US037833BX70 99.5/99.75", "IG"), "corp_ig subject"),
        (mail("Convertibles\n\nUS037833BX70 99.5/99.75"), "convertible heading"),
        (mail("US037833BX70 BTP 4 2/46 99.5/99.75"), "corp_hy dictionary"),
        (mail("AAPL 4.65 46 99.5/99.75"), "corp_hy dictionary"),
        (mail("AAPL 4.65% 2/46 T+80/75"), "corp_hy dictionary"),
        (mail("ABC 4 1/2 10/15/28: 99.5/99.75"), "covered_bond dictionary"),
        (mail("ABC 4½ 15.10.2028 99.5/99.75"), "covered_bond dictionary"),
        (mail("ABC 4.5 28 99.5/99.75", "High yield"), "corp_hy subject"),
        (mail("ABC 4.5 9/28 99.5/99.75"), "unknown none"),
        (mail("ABC 4.5 10.11.2028 99.5/99.75"), "unknown none"),
        (mail(table("Bond", "ABC 4.5 10/28"), content_type="text/html"), "covered_bond dictionary"),
        (mail("US5949181045 99.5/99.75"), "unknown none"),
        (mail("US0378331005 99.5/99.75"), "unknown none"),
        (mail(table("ISIN", "US037833BX70"), content_type="text/html"), "corp_hy dictionary"),
        (
            mail(table("ISIN", "US037833BX70", others="<p>Covered bonds</p>"), content_type="text/html"),
            "covered_bond heading",
        ),
    ],
)
def test_its_class_is_taken_where_neither_the_words_around_nor_the_kind_of_identifier_say_one(
    raw: bytes, decided: str, taught: Taught
) -> None:
    assert {f"{quote.asset_class} {quote.class_source}" for quote in parse_mail(raw, taught).quotes} == {decided}


def test_a_dictionary_is_not_kept_once_another_is_asked(taught: Taught, tmp_path: Path) -> None:
    (quote,) = parse_mail(mail("US037833BX70 99.5/99.75"), taught).quotes
    assert taught.securities is not None
    file = tmp_path / "dictionary"
    file.write_bytes(taught.securities.whole)
    with file.open("rb") as opened:
        content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    kept = weakref.ref(content)
    known = known_of(Dictionary.open(content), quote, None)
    del content
    assert known_of(taught.securities, quote, None) == known is not None
    gc.collect()
    assert kept() is None


def test_the_account_of_a_quote_tells_what_is_known(taught: Taught) -> None:
    raw = mail("US037833BX70 99.5/99.75\n\nABC 4.5 10/28 99.5/99.75\n\nDEF 3 9/29 98/99")
    told = []
    for quote in parse_mail(raw, taught).quotes:
        found = account(raw, quote.part_path, quote.record_id, taught)
        assert found is not None
        told.append([line for line in found.decided if "dictionary" in line])
    assert told == [
        [
            "class corp_hy by the dictionary of instruments, which knows it",
            "the dictionary of instruments knows it: APPLE46, class corp_hy, currency USD, unit price_pct",
        ],
        [
            "class covered_bond by the dictionary of instruments, which knows it",
            "the dictionary of instruments knows it: ABC28, class covered_bond, currency EUR",
        ],
        [],
    ]


def test_a_child_knows_what_its_parent_was_taught(master: Path, taught: Taught) -> None:
    raw = mail("US037833BX70 99.5/99.75\nAAPL 4.65 46 99.5/99.75")
    with Sandbox(SandboxOptions(securities=master)) as sandbox:
        assert sandbox.parse(raw) == parse_mail(raw, taught)
        (first, _) = parse_mail(raw, taught).quotes
        assert sandbox.account(raw, first.part_path, first.record_id) == account(
            raw, first.part_path, first.record_id, taught
        )


def test_look_ups_are_of_the_work_that_a_part_may_be() -> None:
    without, asking = Work(), Work(looks_up=True)
    for work in (without, asking):
        work.line("US037833BX70 99.5/99.75")
    assert without.left > asking.left
    assert asking.apart().of_look_ups == asking.of_look_ups > 0 == without.of_look_ups
    row = ["US037833BX70", "AAPL", "4.65", "2046-02-23", "USD", "99.5", "99.75"]
    cost = RowCosts(of_look_ups=asking.of_look_ups).of(row)
    assert cost == RowCosts().of(row) + asking.of_look_ups
    assert 200_000 * cost < Work().for_tables
