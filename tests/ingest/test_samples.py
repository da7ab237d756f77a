"""The mails of `samples/` and their truths, against each other. What the parser finds in them is tested with the demo."""

from __future__ import annotations

import email
import email.policy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from stdnum import cusip, isin

SAMPLES = Path(__file__).parent.parent.parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.eml"))
FIRST_CLASSES = {"corp_ig", "corp_hy", "em_hard_ccy", "govt_us", "us_muni", "leveraged_loan", "clo", "cds_single"}


def truth(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_every_first_class_and_every_main_format_is_there() -> None:
    metas = [truth(name)[0] for name in NAMES]
    assert len(NAMES) >= 18
    assert {code for meta in metas for code in meta["asset_classes"]} == FIRST_CLASSES
    assert {form for meta in metas for form in meta["formats"]} == {"text", "html", "xlsx", "csv", "pdf", "docx"}
    assert {meta["language"] for meta in metas} == {"en", "de"}


@pytest.mark.parametrize("name", NAMES)
def test_identifiers_are_valid(name: str) -> None:
    for line in truth(name)[1:]:
        assert isin.is_valid(line["isin"]) if "isin" in line else True
        assert cusip.is_valid(line["cusip"]) if "cusip" in line else True


@pytest.mark.parametrize("name", NAMES)
def test_nobody_real_is_named(name: str) -> None:
    addresses = re.findall(rb"[\w.-]+@([\w.-]+)", (SAMPLES / f"{name}.eml").read_bytes())
    assert {domain.rpartition(b".")[2] for domain in addresses} == {b"example"}


@pytest.mark.parametrize("name", NAMES)
def test_what_the_truth_says_of_a_line_stands_there(name: str) -> None:
    message = email.message_from_bytes((SAMPLES / f"{name}.eml").read_bytes(), policy=email.policy.default)
    body = message.get_body(("plain",))
    lines = body.get_content().splitlines() if body is not None else []
    for quote in truth(name)[1:]:
        if "line" in quote:
            assert lines[quote["line"] - 1].rstrip() == quote["raw_text"]
            assert quote.get("instrument_id", quote["description"].split()[0]) in quote["raw_text"]


def test_the_readme_lists_each_sample() -> None:
    listed = re.findall(r"^\| (\w+) \|", (SAMPLES / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(set(listed) - {"file"}) == NAMES
