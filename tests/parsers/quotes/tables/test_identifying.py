from __future__ import annotations

import pytest

from parsers.quotes.tables.cells.identifying import identifier, in_name


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("isin", "XS26 7300 3005", ("isin", "XS2673003005")),
        ("isin", "XS2672002001", ("isin", "XS2672002001")),  # a wrong check digit is the assembler's to judge
        ("cusip", "XS2621001002", ("isin", "XS2621001002")),
        ("isin", "037833100", ("cusip", "037833100")),
        ("identifier", "037833100", ("cusip", "037833100")),
        ("identifier", "DE000A3MQT06", ("isin", "DE000A3MQT06")),
        ("red_code", "34AFFFAC9", ("red_code", "34AFFFAC9")),
        ("wkn", "110258", ("wkn", "110258")),
        ("isin", "US12345AB10", ("isin", "US12345AB10")),  # a character too few
        ("isin", "EUR AT1", None),
        ("isin", "GOUVERNEMENT DU CANADA", None),
        ("cusip", "Total", None),
    ],
)
def test_an_identifier_cell_is_what_its_form_and_heading_say(
    role: str, text: str, expected: tuple[str, str] | None
) -> None:
    assert identifier(role, text) == expected


def test_a_local_code_may_have_a_hyphen_and_no_digit() -> None:
    assert identifier("local_code", "BENDE-N") == ("local_code", "BENDE-N")
    assert identifier("local_code", "CETES") is None


def test_a_name_may_hold_an_isin_or_a_cusip() -> None:
    assert in_name("AAPL 4.85 05/10/33 (US0378331005)") == (("isin", "US0378331005"),)
    assert in_name("MSFT 3.5 02/12/35 46625HRL6") == (("cusip", "46625HRL6"),)
    assert in_name("GUARANTEED20") == in_name("F 6.1 32") == ()
