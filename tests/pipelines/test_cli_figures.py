"""pipelines.cli_figures"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner, Result

from otclog import app
from pipelines.tables.schemas import RUNS

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]
DISTINCT = {"instruments": "instrument_key", "asset classes": "asset_class", "regions": "region", "dealers": "dealer"}


def firsts(home: Home) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """The mails, each once, and their quotes and rejects, counted by hand."""
    rows = home.outcomes()
    by_time = sorted(rows["mails"], key=lambda row: (row["received_ts"], row["log_partition"], row["log_offset"]))
    first: dict[str, dict[str, Any]] = {}
    for row in by_time:
        first.setdefault(row["message_key"], row)
    places = {(row["log_partition"], row["log_offset"]) for row in first.values()}
    quotes, rejects = (
        [row for row in rows[name] if (row["log_partition"], row["log_offset"]) in places]
        for name in ("quotes", "rejects")
    )
    return [*first.values()], [row for row in quotes if not row["duplicate_of"]], rejects


def test_a_day_counts_each_mail_once_and_its_quotes_by_class_region_dealer_and_code(
    extracted: Home, json_lines: JsonLines
) -> None:
    mails, quotes, rejects = firsts(extracted)
    assert len(mails) < len(extracted.rows("mails")), "one came twice"
    found = json_lines(extracted, "day")
    total = {row["what"]: row["count"] for row in found if row["of"] is None}
    assert total == {
        "mails": len(mails),
        "bytes": sum(row["size_bytes"] for row in mails),
        "mails with prices": sum(row["state"] == "parsed" for row in mails),
        "mails refused": sum(row["state"] == "rejected" for row in mails),
        "prices": len(quotes),
        "prices for review": sum(row["status"] == "review" for row in quotes),
        **{what: len({row[column] for row in quotes} - {None}) for what, column in DISTINCT.items()},
        "rejects": len(rejects),
    }
    for column, rows in {"asset_class": quotes, "region": quotes, "dealer": quotes, "code": rejects}.items():
        by = [row for row in found if row["what"].endswith(f"by {column}")]
        counted = Counter(row[column] or "unknown" for row in rows)
        assert {row["of"]: row["count"] for row in by} == counted
        assert [row["count"] for row in by] == sorted(counted.values(), reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(("later", "name"), [(1, "day_before"), (7, "week_before")])
def test_beside_a_day_stand_the_one_before_and_that_of_the_week_before(
    extracted: Home, json_lines: JsonLines, later: int, name: str
) -> None:
    on_it = {(row["what"], row["of"]): row["count"] for row in json_lines(extracted, "day")}
    day = date.fromisoformat(json_lines(extracted, "day")[0]["date"]) + timedelta(days=later)
    found = json_lines(extracted, "day", str(day))
    assert {(row["what"], row["of"]): row[name] for row in found} == on_it
    assert {row["count"] for row in found} == {0}


def test_a_table_has_the_days_as_columns_and_says_what_it_leaves_out(
    extracted: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.cli_figures.MOST_OF_EACH", 2)
    result = otclog(extracted, "day", "2026-03-02")
    assert result.stdout.split()[:5] == ["what", "of", "2026-03-02", "2026-03-01", "2026-02-23"]
    assert (result.exit_code, result.stderr) == (0, ""), "a day without mail has nothing to leave out"
    assert "rejects by code: the first 2 of" in otclog(extracted, "day").stderr
    assert "2026-02-30" in otclog(extracted, "day", "2026-02-30").stderr


@pytest.mark.slow
def test_runs_are_listed_the_last_first_with_what_each_read(
    extracted: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    before = json_lines(extracted, "runs")  # other tests may have parsed these mails again
    extractions = [row for row in before if row["kind"] == "extract"]
    assert before[-1:] == extractions[-1:]
    assert all(set(row) == set(RUNS.schema.names) for row in before)
    assert otclog(extracted, "reparse", "mails", "--execute").exit_code == 0
    listed = json_lines(extracted, "runs")
    assert [row["kind"] for row in listed[:1]] == ["reparse"]
    assert listed[1:] == before
    assert json_lines(extracted, "runs", "--kind", "reparse", "--limit", "1") == listed[:1]
    assert json_lines(extracted, "runs", "--group", extracted.group) == extractions
    assert json_lines(extracted, "runs", "--since-day", "2999-01-01") == []
    head, *lines = otclog(extracted, "runs").stdout.splitlines()
    assert head.split()[:2] == ["started", "seconds"]
    assert all(row["run_id"] in line for row, line in zip(listed, lines, strict=True))
    assert "did you mean reparse" in otclog(extracted, "runs", "--kind", "reparsed").stderr


@pytest.mark.parametrize("words", [["day"], ["runs"]])
def test_before_the_first_extract_a_line_says_what_to_do(home: Home, otclog: Otclog, words: list[str]) -> None:
    result = otclog(home, *words)
    assert (result.exit_code, "run `otclog extract` first" in result.stderr) == (1, True), result.output


def test_the_help_of_runs_says_that_the_day_is_that_on_which_a_run_was_begun() -> None:
    said = " ".join(CliRunner().invoke(app, ["runs", "--help"]).stdout.replace("│", " ").split())
    assert "Begun on this day (UTC) or later." in said
