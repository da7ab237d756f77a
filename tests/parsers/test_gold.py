"""The gold corpus beside the checkout: what `otclog parse` finds in mails of which the truth is known."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIRST_CLASSES = ["corp_ig", "corp_hy", "em_hard_ccy", "govt_us", "us_muni", "leveraged_loan", "clo", "cds_single"]
MAIN_FORMATS = ["text", "html", "xlsx", "csv", "pdf", "docx"]
DROP = 0.002  # a figure may fall by this much below the recorded one
RECORDED = {"recall": 1.0, "price_exact": 1.0, "exact_row": 1.0, "reject_accuracy": 1.0}


@pytest.fixture(scope="module")
def report(shared: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the scorer says of the command's output."""
    folder = tmp_path_factory.mktemp("gold")
    gold, scorer = shared("gold") / "dev", shared("tools") / "score.py"
    otclog = str(Path(sys.executable).with_name("otclog"))
    parse = subprocess.run(
        [otclog, "parse", str(gold), "--out", str(folder / "out")], capture_output=True, text=True, check=False
    )
    assert (parse.returncode, "Traceback" in parse.stderr) == (0, False), parse.stderr[-2000:]
    options = {"--gold": gold, "--predicted": folder / "out", "--json": folder / "report.json"}
    score = [sys.executable, str(scorer), *(str(word) for option in options.items() for word in option)]
    subprocess.run(score, capture_output=True, check=True)
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


def test_every_mail_has_its_outcome(report: dict[str, Any]) -> None:
    assert report["cases_without_prediction"] == []


@pytest.mark.parametrize("figure", RECORDED)
def test_no_figure_falls_below_the_recorded_one(report: dict[str, Any], figure: str) -> None:
    assert report["total"][figure] >= RECORDED[figure] - DROP


def test_hardly_any_price_is_wrong(report: dict[str, Any]) -> None:
    assert report["total"]["false_price_rate"] <= 0.005
    assert report["total"]["side_swaps"] == 0
    assert report["total"]["empty_mails_with_output"].startswith("0/")


@pytest.mark.parametrize("group", FIRST_CLASSES + MAIN_FORMATS)
def test_each_class_and_format_is_found(report: dict[str, Any], group: str) -> None:
    assert report["by_group"][group]["recall"] >= 0.95
