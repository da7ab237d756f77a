"""`scripts/fit`: what evidence weighs for each role of a column, from tables whose headings are known."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from parsers.quotes.listed import weights_in
from parsers.quotes.tables.columns.evidence import is_evidence
from parsers.quotes.tables.columns.weights import NOTHING, ROLES, weights
from tests.parsers.fitting import roles as fitting
from tests.parsers.fitting.options import ROOT
from tests.parsers.fitting.roles import HEAD, Case, cases, cases_of, role_by
from tests.parsers.fitting.solving import apart, as_file

ROUNDED = 3
"""By how much weights differ where the same is added up in another order, as by other threads or another machine."""
SHEET = b"""From: a@b.example
Subject: EUR IG
Content-Type: text/csv

ISIN,Bond,Bid,Ask,Rating
XS2641318121,ABC 5.25 34,98.50,99.00,BBB
US0378331005,DEF 4 31,101.25,101.75,A
XS2621001002,GHI 6.125 29,95.125,95.75,BB
"""


@pytest.fixture(scope="module")
def tenth(shared: Callable[[str], Path]) -> Sequence[Case]:
    """The columns of one mail of ten."""
    return list(cases(shared("gold").parent, 10))


def test_each_heading_is_taken_away_in_turn_and_its_column_is_what_it_said() -> None:
    found = list(cases_of(SHEET, 1.0))
    assert [(case.column.column.at, case.role) for case in found] == [(1, "name"), (2, "bid"), (3, "ask"), (4, NOTHING)]
    assert {case.dealer for case in found} == {"b.example"}
    assert all(is_evidence(piece) for case in found for piece in case.column.shown)


def test_weights_are_written_as_they_are_read(tmp_path: Path) -> None:
    found = fitting.weights_of([*cases_of(SHEET, 1.0)] * 3)
    (tmp_path / "weights.toml").write_text(as_file(HEAD, ROLES, found), "utf-8")
    assert weights_in(tmp_path / "weights.toml", ROLES, is_evidence) == found
    assert found["lies_below.ask"][ROLES.index("bid")] > 0


@pytest.mark.slow
def test_the_same_mails_give_the_same_weights(
    tenth: Sequence[Case], shared: Callable[[str], Path], tmp_path: Path
) -> None:
    file = tmp_path / "tables" / "columns" / "weights.toml"
    file.parent.mkdir(parents=True)
    command: list[str | Path] = [sys.executable, "-m", "tests.parsers.fitting.roles", "--share", "10", "--to", tmp_path]
    subprocess.run([*command, "--shared", shared("gold").parent], check=True, capture_output=True, cwd=ROOT)
    assert as_file(HEAD, ROLES, fitting.weights_of(tenth)) == as_file(HEAD, ROLES, fitting.weights_of(tenth))
    assert apart(weights_in(file, ROLES, is_evidence), fitting.weights_of(tenth)) <= ROUNDED


@pytest.mark.slow
def test_by_the_weights_that_come_with_otclog_hardly_a_column_is_taken_for_another(tenth: Sequence[Case]) -> None:
    given = [(role, case.role) for case in tenth if (role := role_by(case, weights())) != NOTHING]
    assert len(given) > 100
    assert sum(role != right for role, right in given) <= len(given) * 0.02


@pytest.mark.soak
def test_the_weights_that_come_with_otclog_are_those_of_the_mails(shared: Callable[[str], Path]) -> None:
    assert apart(fitting.weights_of(list(cases(shared("gold").parent))), weights()) <= ROUNDED
