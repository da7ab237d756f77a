"""pipelines.cli_read"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

from parsers.codes import EXPECTED_CODES
from pipelines.tables.schemas import QUOTES, REJECTS

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


def test_prices_as_json_have_every_column_exact_decimals_and_times_in_utc(
    extracted: Home, json_lines: JsonLines
) -> None:
    rows = json_lines(extracted, "prices")
    assert set(rows[0]) == set(QUOTES.schema.names)
    assert all(isinstance(row["bid"], str | None) and row["received_ts"].endswith("Z") for row in rows)
    narrowed = json_lines(extracted, "prices", "--isin", next(row["isin"] for row in rows if row["isin"]))
    assert 0 < len(narrowed) < len(rows)
    assert json_lines(extracted, "prices", "--since-day", "2999-01-01") == []


def test_prices_as_a_table_show_the_source_and_tell_of_more(
    extracted: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert otclog(extracted, "prices").stderr == ""
    monkeypatch.setattr("pipelines.cli_read.SHOWN", 5)
    result = otclog(extracted, "prices")
    shown = result.stdout.splitlines()
    assert "source" in shown[0]
    assert all("mails-" in line for line in shown[1:4])
    assert "only the 5 latest quoted are shown" in result.stderr


@pytest.mark.slow
def test_rejects_and_explanations_are_printed(extracted: Home, otclog: Otclog, json_lines: JsonLines) -> None:
    (locked,) = json_lines(extracted, "rejects", "--code", "PASSWORD_PROTECTED")
    codes = {str(row["code"]) for row in json_lines(extracted, "rejects")}
    assert {row["code"] for row in json_lines(extracted, "rejects", "--unexpected")} == codes - EXPECTED_CODES
    assert set(locked) == {*REJECTS.schema.names, "sender", "subject"}
    row = json_lines(extracted, "prices", "--limit", "1")[0]
    (found,) = json_lines(extracted, "explain", row["record_id"])
    assert {name: found[name] for name in row} == row
    assert "SHA-256 equal" in found["mail_proof"]
    assert row["record_id"] in otclog(extracted, "explain", row["record_id"]).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["prices", "--class", "corp_igg"], "--class corp_igg: there is no such value; did you mean corp_ig"),
        (["prices", "--type", "price"], "did you mean price_"),
        (["prices", "--kind", "zzz"], "it is one of axe, bwic"),
        (["prices", "--status", "doubtful"], "it is one of accepted, review"),
        (["prices", "--region", "mars"], "--region mars"),
        (["prices", "--since-day", "yesterday"], "'yesterday' is no day: write YYYY-MM-DD"),
        (["rejects", "--since-day", "2026-02-30"], "'2026-02-30' is no day"),
        (["rejects", "--code", "ROW_NOPRICE"], "did you mean ROW_NO_PRICE"),
        (["rejects", "--level", "sheet"], "it is one of mail, part, row"),
    ],
)
def test_a_value_that_no_row_can_have_is_refused_with_those_that_it_can(
    home: Home, otclog: Otclog, words: list[str], says: str
) -> None:
    result = otclog(home, *words)
    assert result.exit_code == 2, result.output
    assert says in result.stderr


def test_a_table_of_accepted_markets_says_so_in_no_column(extracted: Home, otclog: Otclog) -> None:
    words = otclog(extracted, "prices", "--kind", "market", "--status", "accepted").stdout.splitlines()[0].split()
    assert "doubts" in words
    assert {"kind", "status"} & set(words) == set()


def test_a_filter_that_no_price_meets_says_what_is_near_it(
    extracted: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    dealer = json_lines(extracted, "prices", "--limit", "1")[0]["dealer"]
    result = otclog(extracted, "prices", "--dealer", f"{dealer}x", "--isin", "XS0000000000")
    assert result.exit_code == 0
    assert (result.stdout, "nothing to show\n" in result.stderr) == ("", True)
    assert f"--dealer {dealer}x: no price has it; did you mean {dealer}" in result.stderr
    assert "--isin XS0000000000: no price has it" in result.stderr


@pytest.mark.parametrize("words", [["prices"], ["rejects"], ["explain", "abc"]])
def test_before_the_first_extract_a_line_says_what_to_do(home: Home, otclog: Otclog, words: list[str]) -> None:
    result = otclog(home, *words)
    assert result.exit_code == 1, result.output
    assert "run `otclog extract` first" in result.stderr
    assert "Traceback" not in result.stderr
