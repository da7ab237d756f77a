"""docs/spec: what the code cites of it is there, and its closed lists are those of the code."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from parsers import codes

ROOT = Path(__file__).parent.parent
SPEC = ROOT / "docs" / "spec"
CITED = re.compile(r"\b(spec(?: sections?)?|rulings?) (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)")


def sections() -> set[str]:
    found: set[str] = set()
    for page in SPEC.glob("[1-9]-*.md"):
        text = page.read_text("utf-8")
        found |= set(re.findall(r"^#{1,2} (\d(?:\.\d+)?)\b", text, re.MULTILINE))
        found |= set(re.findall(r"^\| (3\.\d) ", text, re.MULTILINE))  # identifiers are rows of a table
    return found


def rulings() -> set[str]:
    return set(re.findall(r"^(\d+)\. ", (SPEC / "9-rulings.md").read_text("utf-8"), re.MULTILINE))


def test_each_section_and_ruling_that_the_code_cites_is_there() -> None:
    known = {"spec": sections(), "ruling": rulings()}
    cited, missing = 0, []
    for room in ("log", "ingest", "parsers", "pipelines", "conf", "tests", "docs"):
        for file in sorted((ROOT / room).rglob("*")):
            if file.suffix not in {".py", ".toml", ".md"} or SPEC in file.parents:
                continue
            for kind, numbers in CITED.findall(file.read_text("utf-8")):
                for number in re.findall(r"\d+(?:\.\d+)?", numbers):
                    cited += 1
                    if number not in known["ruling" if kind.startswith("ruling") else "spec"]:
                        missing.append(f"{file.relative_to(ROOT)} cites {kind} {number}")
    assert cited > 300
    assert missing == []


def test_rulings_are_numbered_without_a_gap() -> None:
    assert sorted(map(int, rulings())) == list(range(1, len(rulings()) + 1))


@pytest.mark.parametrize(
    ("page", "heading", "values"),
    [
        ("2-record.md", "2.4 quote_type", codes.QuoteType),
        ("2-record.md", "2.5 flags", codes.Flag),
        ("6-mails.md", "6.4 Reject codes", codes.Code),
    ],
)
def test_the_closed_lists_of_the_spec_are_those_of_the_code(page: str, heading: str, values: type[StrEnum]) -> None:
    text = (SPEC / page).read_text("utf-8").partition(f"## {heading}")[2].partition("\n## ")[0]
    listed = set(
        re.findall(
            r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z]{2,}(?:_[A-Z]+)+\b|\b(?:crossed|locked|wide|stale|rounded|footnoted)\b",
            text,
        )
    )
    added = {"CLAIM_MISSING"} if values is codes.Code else set()  # by ruling 30
    assert {str(value) for value in values} == listed | added
