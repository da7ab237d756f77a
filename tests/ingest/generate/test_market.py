from __future__ import annotations

from stdnum import cusip, isin

from ingest.generate.kinds import KINDS
from ingest.generate.market import INSTRUMENTS, dealers, instruments


def test_identifiers_are_valid_and_given_once_in_the_whole_market() -> None:
    given: list[str] = []
    for code, currency in KINDS:
        id_type = KINDS[code, currency].id_type
        for instrument in instruments(5, code, currency):
            if id_type == "isin":
                assert isin.is_valid(instrument.identifier or "")
            elif id_type == "cusip":
                assert cusip.is_valid(instrument.identifier or "")
            if instrument.identifier is not None:
                given.append(instrument.identifier)
    assert len(set(given)) == len(given) == INSTRUMENTS * (len(KINDS) - 2), "CDS names have none"


def test_names_of_credit_references_are_unique_for_they_have_no_identifier() -> None:
    for currency in ("USD", "EUR"):
        assert len({one.name for one in instruments(5, "cds_single", currency)}) == INSTRUMENTS


def test_every_dealer_can_quote_his_classes_and_is_nobody_real() -> None:
    assert len(dealers()) >= 6
    for dealer in dealers():
        assert dealer.domain.endswith(".example")
        assert all(dealer.kind(code).code == code for code in dealer.classes)


def test_every_kind_has_a_dealer() -> None:
    quoted = {(dealer.kind(code).code, dealer.kind(code).currency) for dealer in dealers() for code in dealer.classes}
    assert quoted == set(KINDS)


def test_a_german_name_has_the_decimal_comma() -> None:
    with_fraction = next(one for one in instruments(5, "corp_ig", "EUR") if one.coupon and one.coupon % 1)
    assert "," in with_fraction.named("de")
    assert "," not in with_fraction.named("en")
