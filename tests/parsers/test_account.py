from __future__ import annotations

import hashlib

from parsers.account import Account, account, from_bytes, to_bytes
from parsers.dealers import Dealers
from parsers.parse import parse_mail
from parsers.quote import Quote
from parsers.taught import Taught

TAUGHT = Taught.of(Dealers.parse('["desk.example"]\nname = "Desk"\nclass = "corp_hy"\n'))


def mail(body: str, content_type: str = "text/plain") -> bytes:
    return (
        f"From: r@desk.example\r\nSubject: run\r\nMessage-ID: <a@b>\r\nDate: Fri, 20 Nov 2026 11:00:00 -0500\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: {content_type}; charset=utf-8\r\n\r\n{body}"
    ).encode()


def told(raw: bytes) -> tuple[Quote, Account]:
    """The last quote of a mail, with its account."""
    quote = parse_mail(raw, TAUGHT).quotes[-1]
    found = account(raw, quote.part_path, quote.record_id, TAUGHT)
    assert found is not None
    return quote, found


def test_a_line_is_shown_with_its_neighbours_and_carets_below_its_level() -> None:
    _, found = told(mail("USD RUN\r\n\r\nABC 4 01/15/30 97/98\r\nXYZ 5 03/15/34 98.25/98.75 2x5\r\nRegards\r\n"))
    at = next(index for index, line in enumerate(found.source) if line.startswith(">"))
    assert found.source[at] == ">     4  XYZ 5 03/15/34 98.25/98.75 2x5"
    assert found.source[at + 1].count("^") == len("98.25/98.75")
    assert found.source[at + 1].index("^") == found.source[at].index("98.25")


def test_what_decided_a_line_is_told_by_the_words_that_did() -> None:
    _, found = told(mail("RUN in USD\r\n\r\nXYZ 5 03/15/34 98.25 bid YTW 5.3\r\n"))
    text = "\n".join(found.decided)
    assert "what Desk mails by the dealer table" in text
    assert "`98.25`: beside it stand side bid" in text
    assert "measure yield_pct" in text
    assert "headings over the line say: currency USD" in text


def test_a_row_is_shown_with_its_neighbours_its_cell_marked_and_its_heading_told() -> None:
    rows = "".join(f"<tr><td>{isin}</td><td>98.25</td><td>98.75</td></tr>" for isin in ("XS2641318121", "US0378331005"))
    header = "<tr><th>ISIN</th><th>Bid Px</th><th>Ask Px</th></tr>"
    _, found = told(mail(f"<p>EUR levels</p><table>{header}{rows}</table>", "text/html"))
    assert ">     3  US0378331005 ¦ »98.25« ¦ 98.75" in found.source
    assert any(
        reason.startswith("its heading `Bid Px` says: role level, measure price, side bid") for reason in found.decided
    )


def test_a_quote_of_an_attachment_is_found_under_what_the_covering_note_says_of_it() -> None:
    parts = (
        "--b\r\n\r\nall in GBP, 2 way\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; "
        "filename=x.csv\r\n\r\nBond,Coupon,Maturity,Bid Px,Ask Px\r\nXYZ,5,15/03/2034,98.25,98.75\r\n--b--\r\n"
    )
    raw = mail(parts, "multipart/mixed; boundary=b")
    quote, found = told(raw)
    assert (quote.currency, quote.part_path) == ("GBP", "2")
    assert "titles, lines, sheet, file, subject and covering note say: currency GBP" in found.decided


def test_a_quote_that_the_parser_does_not_find_has_no_account() -> None:
    raw = mail("HY RUN\r\nXYZ 5 03/15/34 98/99\r\n")
    assert account(raw, "1", hashlib.sha256(b"").hexdigest(), TAUGHT) is None
    assert account(raw, "7", "0", TAUGHT) is None


def test_an_account_travels_as_bytes() -> None:
    _, found = told(mail("HY RUN\r\nXYZ 5 03/15/34 98/99\r\n"))
    assert from_bytes(to_bytes(found) or b"") == found
    assert to_bytes(None) is None


def test_a_class_that_was_weighed_is_told_with_its_factors_and_the_runner_up() -> None:
    loans = "MUNICIPALS\r\n\r\nAcme TLB L+325 06/28 99.5/100\r\nZeta TL S+400 03/29 98.25/98.75\r\n"
    quote, found = told(mail(loans))
    assert (quote.asset_class, quote.class_source) == ("leveraged_loan", "weighed")
    text = "\n".join(found.decided)
    assert "class leveraged_loan by what the rows under the same words show together" in text
    assert "2 rows together weigh " in text
    assert "they were read as us_muni first" in text
    assert "form.leveraged_loan +" in text


def test_of_a_table_too_the_reasons_of_a_weighed_class_are_told() -> None:
    cells = (
        ("CUSIP", "Security", "Maturity", "Bid Disc Rate %", "Ask Disc Rate %"),
        ("912797AA7", "B 03/19/27", "03/19/2027", "3.645", "3.635"),
        ("912797AB5", "B 04/16/27", "04/16/2027", "3.615", "3.6075"),
        ("912797AC3", "B 05/20/27", "05/20/2027", "3.595", "3.5875"),
    )
    rows = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in cells)
    quote, found = told(mail(f"<p>Rates closing levels: swaps</p><table>{rows}</table>", "text/html"))
    assert (quote.asset_class, quote.class_source) == ("govt_us", "weighed")
    assert any(reason.startswith("3 rows together weigh ") for reason in found.decided)
