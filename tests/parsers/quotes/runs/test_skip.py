from __future__ import annotations

import pytest

from parsers.quotes.runs.lines import skip


@pytest.mark.parametrize(
    "text",
    [
        "Disclaimer: This e-mail is confidential and intended solely for the addressee.",
        "This message is for institutional clients only.",
        "Haftungsausschluss: Diese Nachricht dient ausschließlich der Information.",
        "Aviso legal: esta mensagem é confidencial",
    ],
)
def test_a_disclaimer_is_known_by_its_beginning(text: str) -> None:
    assert skip.is_disclaimer(text)
    assert not skip.is_disclaimer("XYZ 5 03/34 98/99")


@pytest.mark.parametrize(
    "text", ["Best regards", "Thanks,", "Thx Marco", "Mit freundlichen Grüßen", "Saludos", "Abs,", "Cordiali saluti,"]
)
def test_a_greeting_closes_a_mail(text: str) -> None:
    assert skip.is_closing(text)


@pytest.mark.parametrize("text", ["ABS", "Best Buy 4.45 10/28 98/99", "Best bids", "BANKS", ""])
def test_a_section_or_a_run_is_no_greeting(text: str) -> None:
    assert not skip.is_closing(text)


@pytest.mark.parametrize(
    "text",
    [
        "+44 20 7555 0139",
        "(212) 555-0146",
        "212-555-0128",
        "704.555.0157",
        "tél. 01 55 50 01 77",
        "+1 (646) 555-0190",
        "+55 11 5555-0182",
    ],
)
def test_a_telephone_number_is_one(text: str) -> None:
    assert skip.has_phone(text)


@pytest.mark.parametrize(
    "text", ["BNS FRN 28 SOFR+89 100.22/100.28", "T+325 99.25 99.75", "XYZ 5 03/34 98.25/98.75 5x5"]
)
def test_a_level_is_no_telephone_number(text: str) -> None:
    assert not skip.has_phone(text)


@pytest.mark.parametrize(
    "text",
    [
        "e.g.: XYZ 5 03/34 98/99",
        "Example of our format: XS2641318121 98.25/98.75",
        "Legend: XS2641318121 98.25/98.75 means bid/ask",
        "Example XS2641318121 98.25 98.75",
        "Légende : 98/99",
    ],
)
def test_a_line_that_shows_how_to_read_is_an_example(text: str) -> None:
    assert skip.is_example(text)


@pytest.mark.parametrize("text", ["Example Corp 5 03/34 98/99", "Sample Bank Plc 98/99", "Legend Holdings 6 27 98/99"])
def test_an_issuer_of_such_a_name_is_none(text: str) -> None:
    assert not skip.is_example(text)


def test_blanks_stand_for_a_telephone_number() -> None:
    assert skip.without_phone("SIRI 5 27  98-98.5  call 212 555 0100 now") == f"SIRI 5 27  98-98.5  call {' ' * 13}now"


def test_rules_and_prose_are_told_from_runs() -> None:
    assert skip.is_passed_over("=====|====")
    assert skip.is_passed_over("e.g.: XYZ 5 03/34 98/99")
    assert not skip.is_passed_over("XYZ 5 03/34 98/99")
    assert skip.is_art("=====|====")
    assert skip.is_art("")
    assert not skip.is_art("XYZ")
    assert skip.is_prose("We think that the market will go on to trade well into the end of the year as funds buy")
    assert not skip.is_prose("XYZ 5 03/34 98.25/98.75 5x5 firm")
    assert skip.starts_signature("-- ")
    assert skip.ends("-- ")
    assert skip.ends("pls ignore below")
    assert not skip.ends("XYZ 5 03/34 98/99")


def test_a_list_of_what_was_issued_says_so_in_front() -> None:
    assert skip.is_of_issues("Two deals priced: Clarios $750mm 6.75% 2031 at par")
    assert skip.is_of_issues("Worst performers: Nissan 4.81 30s +9bp")
    assert skip.is_of_issues("Leilão do Tesouro amanhã: LTN 2027 e 2030")
    assert skip.is_of_issues("Neuemission: Mercedes 5J EUR 750 Mio. bei MS+65")
    assert not skip.is_of_issues("Best bid: X 5 03/34 98")
    assert not skip.is_of_issues("Loan pricing: ACME TLB 99/99.5")
    assert not skip.is_of_issues("HY: priced in line, X 5 03/34 98/99")


def test_bonds_yet_to_be_sold_are_primary() -> None:
    assert skip.is_primary("New issue calendar: F 5y IPT T+150a, GM 10y T+180a.")
    assert not skip.is_primary("F 5y 182/188, GM 5y 121/126")


def test_two_dashes_below_two_letters_underline_them() -> None:
    assert skip.is_underlined("HY", "--")
    assert not skip.is_underlined("Regards", "--")
