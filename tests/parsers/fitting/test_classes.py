"""`scripts/fit`: what evidence weighs for each class, from mails whose classes are known."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from parsers.quotes.answers.told import Told
from parsers.quotes.listed import weights_in
from parsers.quotes.weighing.evidence import is_evidence
from parsers.quotes.weighing.weights import CLASSES, weights
from tests.parsers.fitting import classes as fitting
from tests.parsers.fitting.classes import HEAD, Case, cases, cases_of, judged
from tests.parsers.fitting.options import ROOT
from tests.parsers.fitting.solving import apart, as_file
from tests.parsers.program import RUN

ROUNDED = 3
"""By how much weights differ where the same is added up in another order, as by other threads or another machine."""


def case(asset_class: str, *pieces: str) -> Case:
    return Case("desk", asset_class, asset_class, 1.0, dict.fromkeys(pieces, 1.0), Told(()), is_told=True)


@pytest.fixture(scope="module")
def tenth(shared: Callable[[str], Path]) -> Sequence[Case]:
    """The blocks of one mail of ten."""
    return list(cases(shared("gold").parent, 10))


def test_a_block_is_read_as_what_it_is_and_as_something_else_each_with_its_words_and_without() -> None:
    found = list(cases_of(RUN, [{"kind": "quote", "asset_class": "corp_ig"}]))
    assert {one.asset_class for one in found} == {"corp_ig"}
    assert [(one.read == "corp_ig", one.is_told) for one in found[:2]] == [(True, True), (True, False)]
    assert all(is_evidence(piece) for one in found for piece in one.shares)


def test_what_one_class_shows_weighs_for_it_and_what_fewer_than_three_show_weighs_nothing() -> None:
    known = [*[case("irs", "tenor.y")] * 9, *[case("clo", "fact.tranche")] * 9, *[case("clo", "fact.wal_years")] * 2]
    found = fitting.weights_of(known)
    assert found["tenor.y"][CLASSES.index("irs")] > 10
    assert found["tenor.y"][CLASSES.index("clo")] < 0
    assert "fact.wal_years" not in found


def test_weights_are_written_as_they_are_read(tmp_path: Path) -> None:
    found = fitting.weights_of([*[case("irs", "tenor.y")] * 9, *[case("clo", "fact.tranche")] * 9])
    (tmp_path / "weights.toml").write_text(as_file(HEAD, CLASSES, found), "utf-8")
    assert weights_in(tmp_path / "weights.toml", CLASSES, is_evidence) == found


@pytest.mark.slow
def test_the_same_mails_give_the_same_weights(
    tenth: Sequence[Case], shared: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "weighing").mkdir()
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "tests.parsers.fitting.classes",
        "--share",
        "10",
        "--to",
        tmp_path,
    ]
    subprocess.run([*command, "--shared", shared("gold").parent], check=True, capture_output=True, cwd=ROOT)
    assert as_file(HEAD, CLASSES, fitting.weights_of(tenth)) == as_file(HEAD, CLASSES, fitting.weights_of(tenth))
    assert (
        apart(weights_in(tmp_path / "weighing" / "weights.toml", CLASSES, is_evidence), fitting.weights_of(tenth))
        <= ROUNDED
    )


@pytest.mark.slow
def test_by_the_weights_that_come_with_otclog_nothing_that_is_read_right_is_read_otherwise(
    tenth: Sequence[Case],
) -> None:
    right = [one for one in tenth if one.is_told and one.read == one.asset_class]
    assert len(right) > 200
    assert [one.case for one in judged(right, weights()) if one.after != one.case.asset_class] == []


@pytest.mark.soak
def test_the_weights_that_come_with_otclog_are_those_of_the_mails(shared: Callable[[str], Path]) -> None:
    fitted, there = fitting.weights_of(list(cases(shared("gold").parent))), weights()
    assert apart(fitted, there) <= ROUNDED, json.dumps(sorted(fitted.keys() ^ there.keys()))
