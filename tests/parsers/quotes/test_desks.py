"""Mails of a line or a table as desks write them, each with what it states: what was once misread stays read."""

from __future__ import annotations

from pathlib import Path

import pytest

from parsers.codes import AssetClass
from tests.parsers.quotes.desks.cases import Case, begun, facts, mail_of, named_cases, quotes_of

CASES = dict(named_cases())
LEAST = 1434  # cases; one is taken out with its reason only


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name} {case}") for name, case in CASES.items()])
def test_a_mail_of_a_desk_states_what_it_states(name: str) -> None:
    case = CASES[name]
    found = quotes_of(mail_of(case))
    assert [facts(line, case.unsure.get(at, ())) for at, line in enumerate(found)] == list(case.quotes)


def test_no_case_is_lost_and_none_stands_twice() -> None:
    assert len(CASES) >= LEAST
    said = [(case.subject, case.text, case.rows) for case in CASES.values()]
    assert len(said) == len(set(said))


def test_a_case_stands_in_the_file_of_its_first_quote_and_says_why_it_leaves_a_fact_open() -> None:
    assert {name.rpartition("-")[0] for name in CASES} <= {str(code) for code in AssetClass} | {"silent"}
    for name, case in CASES.items():
        assert name.rpartition("-")[0] == _file_of(case)
        assert case.note or not case.unsure
        assert all(case.quotes[at].keys().isdisjoint(names) for at, names in case.unsure.items())


@pytest.mark.parametrize("name", ["corp_ig-1", "corp_hy-96"])
def test_a_new_case_is_begun_with_what_is_read_of_it(name: str) -> None:
    case = CASES[name]
    text = case.text or "\n".join(" | ".join(row) for row in case.rows or ())
    line = (Path(__file__).parent / "desks" / f"{_file_of(case)}.jsonl").read_text("utf-8").split("\n")
    assert begun(case.subject, text, is_table=case.rows is not None) in line


def _file_of(case: Case) -> str:
    return case.quotes[0].get("asset_class", "unknown") if case.quotes else "silent"
