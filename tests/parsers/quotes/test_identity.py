from __future__ import annotations

import pytest

from parsers.codes import Flag
from parsers.quotes.draft import Instrument
from parsers.quotes.identity import identity

ISIN, CUSIP = ("isin", "US0378331005"), ("cusip", "037833100")


@pytest.mark.parametrize(
    ("identifiers", "kind", "value"),
    [
        ((CUSIP, ISIN), "isin", ISIN[1]),
        ((("figi", "BBG000BLNQ16"), CUSIP), "cusip", CUSIP[1]),
        ((("wkn", "110258"),), "wkn", "110258"),
        ((("local_code", "950199"),), "description", None),
        ((("isin", "XS2641318122"),), "description", None),
        ((("red_code", "2I65BYCL8"),), "red_code", "2I65BYCL8"),
    ],
)
def test_the_best_valid_identifier_names_the_instrument(
    identifiers: tuple[tuple[str, str], ...], kind: str, value: str | None
) -> None:
    found = identity(Instrument(identifiers=identifiers))
    assert (found.id_type, found.instrument_id) == (kind, value)


def test_a_wrong_check_digit_is_flagged() -> None:
    for wrong in (("isin", "XS2641318122"), ("red_code", "2I65BYCL8")):
        assert Flag.id_check_failed in identity(Instrument(identifiers=(wrong,))).flags


def test_an_isin_and_a_cusip_that_disagree_are_both_kept_and_the_preferred_one_names() -> None:
    found = identity(Instrument(identifiers=(("cusip", "46625HJT8"), ISIN)))
    assert Flag.id_conflict in found.flags
    assert (found.id_type, found.columns["isin"], found.columns["cusip"]) == ("cusip", ISIN[1], "46625HJT8")


def test_the_first_of_two_isins_is_the_identifier() -> None:
    found = identity(Instrument(identifiers=(("isin", "US0378331005"), ("isin", "XS2641318121"))))
    assert found.instrument_id == "US0378331005"


@pytest.mark.parametrize(
    ("isin", "kind", "number"),
    [("XS2641318121", "common_code", "264131812"), ("DE0001102580", "wkn", "110258"), (ISIN[1], *CUSIP)],
)
def test_what_is_derived_is_never_the_printed_identifier_but_one_beside_it(isin: str, kind: str, number: str) -> None:
    """Ruling 18: id_derived concerns the other identifier columns."""
    found = identity(Instrument(identifiers=(("isin", isin),)))
    assert (found.id_type, found.instrument_id, found.columns[kind], found.is_derived) == ("isin", isin, number, True)


def test_the_national_number_inside_an_isin_is_a_derived_column() -> None:
    found = identity(Instrument(identifiers=(ISIN,)))
    assert (found.columns["cusip"], found.is_derived) == (CUSIP[1], True)
    assert not identity(Instrument(identifiers=(ISIN, CUSIP))).is_derived
