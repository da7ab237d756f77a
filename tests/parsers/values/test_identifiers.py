from __future__ import annotations

import pytest

from parsers.values.identifiers import check, compact, derived


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(
            ("isin", value)
            for value in ("US0378331005", "XS2641318121", "USP2253TJQ33", "BRSTNCNTB0O7", "MX0MGO0000H9")
        ),
        *(("cusip", value) for value in ("037833100", "46625HJT8", "91282CJZ5", "P2253TJQ3", "D96637AG4", "01F050619")),
        *(("sedol", value) for value in ("0263494", "B0YBKJ7", "BH4HKS3")),
        *(("figi", value) for value in ("BBG000BLNQ16", "BBG000B9XRY4", "NRG92C84SB39")),
        *(("lei", value) for value in ("5493001KJTIIGC8Y1R12", "7H6GLXDRUGQFU57RNE97", "7LTWFZYICNSX8D621K86")),
        *(("loanx_id", value) for value in ("LX131555", "LX000001")),
        *(("red_code", value) for value in ("2I65BYCL7", "2I666VDK8", "2I667K")),
        ("wkn", "110258"),
    ],
)
def test_a_true_identifier_passes(kind: str, value: str) -> None:
    assert check(kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("isin", value) for value in ("US0378331050", "US0373831005", "ZZ0378331005")),
        *(("cusip", value) for value in ("68389X106", "037833101", "G0177J109", "L8367WAC1")),
        *(("sedol", value) for value in ("B0YBKJ8", "A0YBKJ7")),
        *(("figi", value) for value in ("BBG000BLNQ17", "BBG0E0BLNQ12", "BBG000BLP604")),
        *(("lei", value) for value in ("7LTWFZYICNSX8D621K68", "5493001KJTIIGC8Y1R13")),
        *(("loanx_id", value) for value in ("LX12345", "LX1234567")),
        *(("red_code", value) for value in ("2I65BYCL8", "2I65BRPR3")),
        ("wkn", "11O258"),
        ("common_code", "26413181"),
        ("unknown", "1"),
    ],
)
def test_a_false_identifier_fails(kind: str, value: str) -> None:
    assert not check(kind, value)


def test_spaces_and_labels_are_no_part_of_an_identifier() -> None:
    assert compact("ISIN: XS26 4131\u00a08121") == "XS2641318121"
    assert compact("#037833100") == "037833100"


@pytest.mark.parametrize(
    ("isin", "expected"),
    [
        ("US0378331005", ("cusip", "037833100")),
        ("DE0001102580", ("wkn", "110258")),
        ("XS2641318121", ("common_code", "264131812")),
        ("CH0224397213", ("valor", "22439721")),
        ("GB00BMV7TC88", ("sedol", "BMV7TC8")),
        ("FR001400CF13", None),
    ],
)
def test_an_isin_holds_its_national_number(isin: str, expected: tuple[str, str] | None) -> None:
    assert derived(isin) == expected
