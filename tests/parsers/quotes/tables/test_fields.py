from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from parsers.document import Cell
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.fields import Fields, code_of, coupon_of, maturity_of, nameless
from parsers.values.separators import Locale
from parsers.values.times.dates import DateOrder


def fields(*headings: str) -> Fields:
    return Fields.of([column(at, (text,)) for at, text in enumerate(headings)])


@pytest.mark.parametrize(
    ("headings", "texts", "name"),
    [
        (("Security", "Bid"), ("F 5.8 03/27", "98"), "F 5.8 03/27"),
        (("Ticker", "Issuer", "5Y"), ("F", "Ford Motor", "180/185"), "Ford Motor"),
        (("Ticker", "Issuer", "Cpn", "Mat"), ("F", "Ford Motor", "5.8", "03/27"), "F 5.8 03/27"),
        (("Symbol", "Issuer"), ("BCE.PR.K", "BCE Inc"), "BCE.PR.K"),
        (("Debtor", "Claim type"), ("FTX Trading", "customer claims"), "FTX Trading customer claims"),
        (("Issuer", "Facility"), ("Acme Corp", "TLB"), "Acme Corp TLB"),
        (("Deal", "Class"), ("BBCMS 2023-C19", "A5"), "BBCMS 2023-C19 A5"),
        (("Ticker", "Cpn", "Maturity"), ("F", "5.8", "03/15/27"), "F 5.8 03/15/27"),
        (("Tranche", "Bid"), ("IG42 0-3%", "32.5"), "IG42 0-3%"),
        (("Clave", "Serie", "Vencimiento"), ("PEMEX", "19", "12/11/2029"), "PEMEX 19 12/11/2029"),
        (("Bid", "Ask"), ("1", "2"), None),
    ],
)
def test_the_name_of_a_row_is_put_together_from_its_columns(
    headings: tuple[str, ...], texts: tuple[str, ...], name: str | None
) -> None:
    columns = fields(*headings)
    assert columns.name(columns.texts([Cell(text) for text in texts])) == name


def test_a_workbooks_date_is_the_maturity() -> None:
    due = maturity_of(Cell("01/02/30", value=datetime(2030, 2, 1)), DateOrder.mdy)  # noqa: DTZ001 -- workbooks have none
    assert due is not None
    assert due.date == date(2030, 2, 1)


@pytest.mark.parametrize("shown", ["2030-02-01 0:00:00", "2030-02-01 00:00", "2030-02-01 12:00:00 AM", "2030-02-01"])
def test_the_text_of_a_workbooks_date_is_without_midnight(shown: str) -> None:
    due = maturity_of(Cell(shown, value=datetime(2030, 2, 1)), DateOrder.mdy)  # noqa: DTZ001 -- workbooks have none
    assert due is not None
    assert due.text == "2030-02-01"


def test_a_year_alone_is_kept_as_text() -> None:
    due = maturity_of(Cell("2034", value=Decimal(2034)), DateOrder.mdy)
    assert due is not None
    assert (due.date, due.text) == (None, "2034")


@pytest.mark.parametrize(
    ("text", "rate", "kind", "margin"),
    [
        ("4 1/4", "17/4", "fixed", None),
        ("3,125", "25/8", "fixed", None),
        ("0", "0", "zero", None),
        ("SOFR+104", None, "float", "104"),
        ("FRN", None, "float", None),
        ("n/a", None, "unknown", None),
    ],
)
def test_a_coupon_is_a_rate_or_a_margin(text: str, rate: str | None, kind: str, margin: str | None) -> None:
    found = coupon_of(Cell(text), Locale.comma)
    assert (found.rate is not None and str(found.rate)) == (rate or False)
    assert (found.kind, str(found.margin_bp) if found.margin_bp else None) == (kind, margin)


def test_currencies_are_codes_or_signs() -> None:
    assert [code_of(text) for text in ("eur", "€", "C$", "Euro", None)] == ["EUR", "EUR", "CAD", None, None]


def test_a_description_of_numbers_alone_names_nothing() -> None:
    assert nameless("5.8 03/27")
    assert not nameless("F 5.8 03/27")
