from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from parsers.quote import Quote
from parsers.quotes.draft import Instrument
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.plans.instruments import dateless, titled_instrument

Read = Callable[..., list[Quote]]


def test_the_title_of_a_curves_column_names_the_instrument() -> None:
    found = titled_instrument(Instrument(description="row"), "USD OIS", None, "USD")
    assert (found.description, found.currency) == ("USD OIS", "USD")


def test_a_month_of_delivery_is_added_to_the_name() -> None:
    assert titled_instrument(Instrument(description="FN 5.5"), None, "oct", None).description == "FN 5.5 Oct"


def test_a_lone_dollar_names_no_currency() -> None:
    assert titled_instrument(Instrument(description="x", currency="CAD"), "Curve", None, "$").currency == "CAD"


def test_the_day_in_the_title_of_a_curve_is_no_coupon() -> None:
    vols = Instrument(description="EUR vols, close 17 Nov 2026", coupon=Fraction(17), coupon_type="fixed")
    assert dateless(vols, "swaption", Fields.of([])).coupon is None
    assert dateless(vols, "corp_ig", Fields.of([])) is vols
    basis = Instrument(description="Basis 17-Nov-2026", maturity_text="17-Nov-2026", tenor="5Y")
    assert dateless(basis, "irs", Fields.of([])).maturity_text is None


def test_a_row_of_one_instrument_keeps_it() -> None:
    known = Instrument(description="row")
    assert titled_instrument(known, None, None, "EUR") is known


def test_the_spread_of_a_loan_is_kept_as_its_margin(read: Read) -> None:
    (loan,) = read("Facility | Spread | Bid | Ask\nLX131555 Acme TLB | 450 | 99 | 99.5", "Leveraged loans")
    assert (loan.asset_class, loan.coupon_margin_bp, loan.bid) == ("leveraged_loan", Decimal(450), Decimal(99))


def test_an_original_face_is_a_fact_of_the_instrument_and_no_size(read: Read) -> None:
    (bond,) = read("CUSIP | OF | Talk\n30166QAG4 | 5,000,000 | 99", "BWIC ABS")
    assert (bond.orig_face, bond.bid_size) == (Decimal(5_000_000), None)


def test_a_rate_is_a_coupon_of_bonds(read: Callable[..., list[Quote]]) -> None:
    (found,) = read("Émetteur | Code ISIN | Taux | Échéance | Prix\nEDF | FR0013367612 | 4,375 | 12/10/2029 | 103,42")
    assert (found.coupon, found.coupon_type) == (Decimal("4.375"), "fixed")


def test_a_programmes_column_of_a_grid_of_coupons_names_both(read: Read) -> None:
    quotes = read("Coupon | FN30 Dec | GN30 Dec\n4.0 | 93-08 | 93-24", "TBA prices")
    assert [(quote.description, quote.settle_text) for quote in quotes] == [
        ("FN30 4.0 Dec", "dec"),
        ("GN30 4.0 Dec", "dec"),
    ]


def test_prices_of_linkers_known_by_their_cusips_are_in_32nds(read: Read) -> None:
    (found,) = read("CUSIP | Cpn | Mat | Px\n91282CJH5 | 1.75 | 01/15/34 | 98-16", "TIPS")
    assert (found.quote_type, found.mid) == ("price_pct", Decimal("98.5"))
