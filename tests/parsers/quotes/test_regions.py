from __future__ import annotations

import pytest

from parsers.quotes.regions import Place, currency_of, region_of


@pytest.mark.parametrize(
    ("place", "printed", "expected"),
    [
        (Place("corp_ig", isin="XS2641318121"), "EUR", ("EUR", False)),
        (Place("govt_intl", isin="DE0001102580"), None, ("EUR", True)),
        (Place("govt_intl", text="UKT 4.25 07/34"), None, ("GBP", True)),
        (Place("em_hard_ccy", isin="ARARGE3209S6"), None, ("USD", True)),
        (Place("cds_index", text="Xover S46 5y"), None, ("EUR", True)),
        (Place("fx_forward", text="USDBRL 3M NDF"), None, ("BRL", False)),
        (Place("fx_option", text="EURUSD 1M ATM"), None, (None, False)),
        (Place("corp_hy", desk="europe"), None, ("EUR", True)),
        (Place("corp_hy", offset_hours=-5.0), None, ("USD", True)),
        (Place("corp_hy", offset_hours=1.0), None, (None, False)),
        (Place("corp_hy", offset_hours=1.0, language="de"), None, ("EUR", True)),
        (Place("govt_latam_local", offset_hours=-3.0, language="pt"), None, ("BRL", True)),
        (Place("govt_latam_local", offset_hours=-3.0, language="es"), None, (None, False)),
        (Place("cmbs", cusip="05493VAG9"), None, ("USD", True)),
    ],
)
def test_the_currency_is_printed_or_its_markets(
    place: Place, printed: str | None, expected: tuple[str | None, bool]
) -> None:
    assert currency_of(place, printed) == expected


@pytest.mark.parametrize(
    ("place", "currency", "expected"),
    [
        (Place("corp_ig", isin="CA0636711016"), "CAD", "canada"),
        (Place("em_hard_ccy", isin="USP2253TJQ33"), "USD", "latin_america"),
        (Place("em_hard_ccy", isin="US71654QX154", text="PEMEX 6.7 02/32"), "USD", "latin_america"),
        (Place("govt_latam_local"), "MXN", "latin_america"),
        (Place("corp_ig", isin="US0378331005"), "USD", "north_america"),
        (Place("clo", cusip="67592CAA4"), "USD", "north_america"),
        (Place("corp_ig", isin="XS2641318121"), "EUR", "europe"),
        (Place("corp_ig", isin="XS2641318121"), "USD", "unknown"),
        (Place("corp_ig", desk="europe"), "USD", "europe"),
    ],
)
def test_the_region_follows_issuer_then_currency_then_desk(place: Place, currency: str, expected: str) -> None:
    assert region_of(place, currency) == expected
