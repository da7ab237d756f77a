from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from parsers.codes import AssetClass, QuoteType
from parsers.quote import Quote
from parsers.quotes.keys import apart, dedupe_key, instrument_key, place_keys

QUOTE = Quote(
    message_key="m",
    part_path="1",
    line=3,
    char_start=12,
    quote_type=QuoteType.price_pct,
    asset_class=AssetClass("corp_hy"),
    description="CHTR 4 1/2 05/32",
    ticker="CHTR",
    coupon=Decimal("4.5"),
    maturity_text="05/32",
    currency="USD",
    bid=Decimal("86.25"),
)


def line_key(quote: Quote) -> str:
    return place_keys(quote)[0]


def record_id(quote: Quote) -> str:
    return place_keys(quote)[1]


def test_a_record_is_named_by_its_place_not_by_what_it_says() -> None:
    assert record_id(QUOTE) == record_id(replace(QUOTE, bid=Decimal(87), parser_version="2"))
    assert record_id(QUOTE) != record_id(replace(QUOTE, char_start=13))
    assert record_id(QUOTE) != record_id(replace(QUOTE, quote_type=QuoteType.yield_pct))


def test_the_records_of_a_line_share_its_key() -> None:
    assert line_key(QUOTE) == line_key(replace(QUOTE, char_start=40, quote_type=QuoteType.yield_pct, tenor="5Y"))
    assert line_key(QUOTE) != line_key(replace(QUOTE, line=4))


def test_records_at_one_place_have_ids_of_their_own() -> None:
    first, second, other = apart([quote := replace(QUOTE, record_id="a"), quote, replace(QUOTE, record_id="b")])
    assert (first.record_id, other.record_id) == ("a", "b")
    assert second.record_id not in {"a", "b"}


def test_a_market_sent_again_has_the_same_dedupe_key_whatever_its_zeros_and_place() -> None:
    again = replace(QUOTE, message_key="n", line=9, bid=Decimal("86.250"))
    assert dedupe_key(QUOTE, "k") == dedupe_key(again, "k")
    assert dedupe_key(QUOTE, "k") != dedupe_key(replace(QUOTE, bid=Decimal("86.5")), "k")
    assert dedupe_key(QUOTE, "k") != dedupe_key(QUOTE, "other")


def test_an_identifier_keys_the_instrument_else_what_describes_it() -> None:
    named = replace(QUOTE, instrument_id="XS2641318121", id_type="isin")
    assert instrument_key(named, None) == "isin:XS2641318121"
    described = instrument_key(QUOTE, None)
    assert described.startswith("desc:")
    assert described == instrument_key(replace(QUOTE, description="Chtr 4.5% 05/32", coupon=Decimal("4.50")), None)
    assert described != instrument_key(replace(QUOTE, coupon=Decimal("4.75")), None)


def test_a_text_alone_keys_the_instrument_by_its_letters_and_digits() -> None:
    bare = replace(QUOTE, ticker=None, coupon=None, maturity_text=None, description="FTX customer claims")
    assert instrument_key(bare, None) == instrument_key(replace(bare, description="FTX  Customer Claims"), None)
    assert instrument_key(bare, None) != instrument_key(replace(bare, tenor="5Y"), None)


def test_a_bond_has_one_key_whether_its_currency_is_printed_or_not() -> None:
    bare = replace(QUOTE, ticker=None, coupon=None, maturity_text=None)
    for quote in (QUOTE, bare):
        assert len({instrument_key(replace(quote, currency=one), None) for one in ("USD", None, "EUR")}) == 1


def test_markets_of_a_described_bond_in_two_currencies_are_no_copies() -> None:
    described, named = instrument_key(QUOTE, None), "isin:XS2641318121"
    euros = replace(QUOTE, currency="EUR")
    assert dedupe_key(QUOTE, described) != dedupe_key(euros, described)
    assert dedupe_key(QUOTE, named) == dedupe_key(euros, named)


def test_half_a_surrogate_pair_in_a_name_has_a_key_of_its_own() -> None:
    halves = [replace(QUOTE, sheet=name) for name in ("run \ud83d", "run \ud83c", "run ?")]
    assert len({record_id(quote) for quote in halves}) == 3
