"""pipelines.cli_securities, pipelines.readers.securities"""

from __future__ import annotations

import csv
import json
import os
import stat
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import conf
from conf.home import make_home
from otclog import app
from parsers.dealers import Dealers
from parsers.parse import parse_mail
from parsers.securities.known import DESCRIBED, Known, described
from parsers.securities.master import load
from parsers.taught import Taught
from pipelines.tables.store.store import store_of
from tests.pipelines.jobs.small_runs import SmallRuns


def sheet(title: str, head: str, *rows: str) -> bytes:
    lines = "".join(f"<tr><td>{'<td>'.join(row.split('|'))}</tr>" for row in rows)
    return (
        b"From: r@desk.example\nSubject: Hello\nDate: Fri, 27 Nov 2026 09:00:00 +0000\nContent-Type: text/html\n\n"
        + f"<p>{title}</p><table><tr><th>{'<th>'.join(head.split('|'))}</tr>{lines}</table>".encode()
    )


BONDS = sheet(
    "High yield bonds",
    "ISIN|Ticker|Coupon|Maturity|Ccy|Bid|Ask",
    "US037833BX70|AAPL|4.65|2046-02-23|USD|99.5|99.75",
    "US5949181045|MSFT|3.5|2030-02-12|USD|98.5|98.75",
)
BY_CUSIP = sheet("High yield bonds", "CUSIP|Bid|Ask", "037833BX7|99.5|99.75")
CONTRADICTING = sheet("Covered bonds", "CUSIP|Bid|Ask", "594918104|98.5|98.75")
UNTOLD = sheet("", "ISIN|Bid|Ask", "XS2641318121|98.5|98.75")
RUN = b"From: r@desk.example\nSubject: IG\nDate: Fri, 27 Nov 2026 09:00:00 +0000\n\nXS2802234513 99.5/99.75\n"


@pytest.fixture
def home(tmp_path: Path) -> conf.Settings:
    settings = conf.load(make_home(tmp_path / "home"), {})
    mails = [BONDS, BY_CUSIP, CONTRADICTING, UNTOLD, RUN]
    SmallRuns(store_of(settings.tables), [parse_mail(mail) for mail in mails], start=datetime.now(UTC)).run()
    return settings


def build(home: conf.Settings, file: Path, *words: str) -> Result:
    config = home.log.root.parent / "otclog.toml"
    return CliRunner().invoke(app, ["securities", "build", str(file), *words, "--config", str(config)])


def test_a_dictionary_is_built_of_what_sheets_print_and_what_they_contradict_is_left_out(
    home: conf.Settings, tmp_path: Path
) -> None:
    file = tmp_path / "securities.csv"
    done = build(home, file, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"file": str(file), "instruments": 1, "left_out": 1}
    assert "left out, for its sheets contradict each other: asset_class corp_hy, covered_bond" in done.stderr
    with file.open(newline="") as opened:
        (row,) = csv.DictReader(opened)
    assert {name: text for name, text in row.items() if text} == {
        "isin": "US037833BX70",
        "cusip": "037833BX7",
        "ticker": "AAPL",
        "coupon": "4.65",
        "maturity": "2046-02-23",
        "asset_class": "corp_hy",
        "currency": "USD",
        "unit": "price_pct",
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    known = Known("US037833BX70", "corp_hy", "USD", "price_pct")
    assert load(file).lookup(DESCRIBED, described("AAPL", Fraction("4.65"), "2046")) == known


def test_what_the_dictionary_itself_said_is_not_built_again(tmp_path: Path) -> None:
    file = tmp_path / "securities.csv"
    file.write_text("isin,asset_class\nXS2641318121,covered_bond\n")
    taught = Taught.of(Dealers.load(None), load(file))
    (quote,) = parse_mail(UNTOLD, taught).quotes
    assert quote.class_source == "dictionary"
    again = conf.load(make_home(tmp_path / "again"), {})
    mails = [parse_mail(mail, taught) for mail in (UNTOLD, BY_CUSIP)]
    SmallRuns(store_of(again.tables), mails, start=datetime.now(UTC)).run()
    built = tmp_path / "built.csv"
    assert build(again, built).exit_code == 0
    assert [line.split(",")[:2] for line in built.read_text().splitlines()[1:]] == [["", "037833BX7"]]


def test_rows_of_an_isin_and_of_the_number_in_it_are_of_one_instrument_whatever_else_they_print(tmp_path: Path) -> None:
    mails = [
        BONDS,
        sheet("Covered bonds", "ISIN|Common code|Bid|Ask", "XS2641318121|264131899|98.5|98.75"),
        sheet("Covered bonds", "Common code|Bid|Ask", "264131812|98.5|98.75"),
        sheet("Covered bonds", "Common code|Bid|Ask", "264131899|98.5|98.75"),
    ]
    home = conf.load(make_home(tmp_path / "home"), {})
    SmallRuns(store_of(home.tables), [parse_mail(mail) for mail in mails], start=datetime.now(UTC)).run()
    done = build(home, tmp_path / "securities.csv", "--json")
    assert done.exit_code == 0, done.output
    assert (json.loads(done.stdout)["instruments"], json.loads(done.stdout)["left_out"]) == (2, 1)
    assert "common_code 264131812, 264131899; isin XS2641318121; unit price_pct\n" in done.stderr


def test_a_file_that_was_built_is_replaced_and_any_other_is_left_alone(home: conf.Settings, tmp_path: Path) -> None:
    file = tmp_path / "securities.csv"
    assert build(home, file).exit_code == 0
    first = file.read_bytes()
    file.write_bytes(first.splitlines(keepends=True)[0])
    assert build(home, file).exit_code == 0
    assert file.read_bytes() == first
    file.write_text("isin,asset_class\n")
    refused = build(home, file)
    assert (refused.exit_code, "was not built by otclog" in refused.stderr) == (2, True)
    assert file.read_text() == "isin,asset_class\n"
    os.mkfifo(tmp_path / "pipe")
    assert "is no file" in build(home, tmp_path / "pipe").stderr


def test_sheets_of_other_days_than_those_asked_for_are_not_read(tmp_path: Path) -> None:
    old = conf.load(make_home(tmp_path / "old"), {})
    SmallRuns(store_of(old.tables), [parse_mail(BONDS)], start=datetime(2026, 1, 1, tzinfo=UTC)).run()
    file = tmp_path / "securities.csv"
    refused = build(old, file)
    assert (refused.exit_code, "has no instruments" in refused.stderr) == (2, True)
    assert not file.exists()
    assert build(old, file, "--days", "36500").exit_code == 0
    too_many = build(old, file, "--days", "1000000")
    assert (too_many.exit_code, "36500" in too_many.stderr) == (2, True)
