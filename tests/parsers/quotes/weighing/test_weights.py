"""A file of weights: whole numbers by evidence and class, and refused with its line where it is of another lexicon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parsers.lexicon import WordsBroken
from parsers.quotes.listed import Weights, weights_in
from parsers.quotes.weighing.evidence import is_evidence
from parsers.quotes.weighing.weights import CLASSES, weights


def written(folder: Path, *lines: str) -> Path:
    file = folder / "weights.toml"
    file.write_text("\n".join(("# by hand", "", "[weights]", *lines, "")), "utf-8")
    return file


def weights_of(file: Path) -> Weights:
    return weights_in(file, CLASSES, is_evidence)


def test_the_file_that_comes_with_otclog_is_of_its_lexicon() -> None:
    found = weights()
    assert {len(weight) for weight in found.values()} == {len(CLASSES)}
    assert all(any(weight) for weight in found.values())


def test_weights_are_listed_by_class(tmp_path: Path) -> None:
    found = weights_of(written(tmp_path, '"issued.XS" = "corp_ig 3 irs -14"'))
    named = {name: weight for name, weight in zip(CLASSES, found["issued.XS"], strict=True) if weight}
    assert named == {"corp_ig": 3, "irs": -14}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"word.of_no_sense" = "irs 3"', "'word.of_no_sense' is no evidence of this lexicon"),
        ('"weather.fine" = "irs 3"', "'weather.fine' is no evidence of this lexicon"),
        ('"told.no_class" = "irs 3"', "'told.no_class' is no evidence of this lexicon"),
        ('"issued.XS" = "no_class 3"', "'no_class' is none of what is weighed for"),
        ('"issued.XS" = "irs 3.5"', "a piece of evidence has a whole number for each answer"),
        ('"issued.XS" = "irs"', "a piece of evidence has a whole number for each answer"),
        ('"issued.XS" = 3', "a piece of evidence has a whole number for each answer"),
    ],
)
def test_weights_of_another_lexicon_are_refused_with_the_line(tmp_path: Path, line: str, told: str) -> None:
    file = written(tmp_path, '"issued.DE" = "govt_intl 5"', line)
    with pytest.raises(WordsBroken, match=rf"^{re.escape(str(file))}:5: {re.escape(told)}"):
        weights_of(file)
