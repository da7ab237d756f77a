from __future__ import annotations

import time
from decimal import Decimal

import pytest

from parsers.documents.workbooks.numberformat import shown_number


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        ("98.375", "General", "98.375"),
        ("98.375", None, "98.375"),
        ("98.375", "0.00", "98.38"),
        ("-25", "#,##0.00;[RED]-#,##0.00", "-25.00"),
        ("0.0425", '0.00% "EUR"', "4.25% EUR"),
        ("98.5", "0.00E+00", "98.5"),
        ("5", "0.000", "5.000"),
        ("98.3", "0.0##", "98.3"),
        ("0.0425", "0.00%", "4.25%"),
        ("98.375", "# ?/8", "98 3/8"),
        ("98.5", "# ?/?", "98 1/2"),
        ("0.5", "# ?/?", "1/2"),
        ("98.996", "# ?/8", "99"),
        ("99.515625", "# ??/32", "99 16/32"),
        ("98.375", "# ?/²", "98 3/8"),
        ("98.375", "# ?/" + "9" * 5000, "98 3/8"),
        ("1234567.8", "#,##0.00", "1,234,567.80"),
        ("-12", "0;(0)", "(12)"),
        ("-12.5", "0.0", "-12.5"),
        ("-0.001", "0.00", "0.00"),
        ("0", '0;-0;"-"', "-"),
        ("1", ";;;", ""),
        ("5000000", '0.0,,"mm"', "5.0mm"),
        ("1234.5", "[$€-407] #,##0.00", "€ 1,234.50"),
        ("12", "_(* #,##0.00_);_(* (#,##0.00)", "12.00"),
        ("3", '0.00" bp"', "3.00 bp"),
        ("245", "0.00E+00", "245"),
        ("98.375", "GENERAL", "98.375"),
    ],
)
def test_a_number_is_shown_as_its_format_says(value: str, code: str | None, shown: str) -> None:
    assert shown_number(Decimal(value), code) == shown


def test_a_number_of_no_use_to_a_price_is_not_spelled_out() -> None:
    assert len(shown_number(Decimal("1e300"), "0.00")) < 20


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        ("98.25", "0." + "0" * 30, "98.250000000000000"),
        ("98.25", "0." + "#" * 30, "98.25"),
        ("999999999999999", "0." + "0" * 30 + "%", "99999999999999900.000000000000000%"),
    ],
)
def test_a_format_of_more_decimals_than_a_number_has_shows_the_number(value: str, code: str, shown: str) -> None:
    assert shown_number(Decimal(value), code) == shown


@pytest.mark.parametrize("code", ["[" * 200_000, "[$" * 100_000, "[$" + "a" * 200_000, '"' * 200_001])
@pytest.mark.slow
def test_a_format_that_opens_what_it_never_closes_takes_no_time(code: str) -> None:
    began = time.process_time()
    shown_number(Decimal("98.25"), code)
    assert time.process_time() - began < 2
