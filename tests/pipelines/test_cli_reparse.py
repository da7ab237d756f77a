"""pipelines.cli_reparse"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

import conf
from log import CommitLog
from pipelines.tables.publication import latest
from tests.pipelines.conftest import home_in
from tests.pipelines.jobs.reparsing.conftest import fresh, small

__all__ = ["fresh", "small"]  # fixtures

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

RUN = "20261127T101500-0123abcd"
Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


@pytest.mark.slow
def test_a_shadow_is_made_shown_published_and_undone(
    extracted: Home, otclog: Otclog, json_lines: JsonLines, tmp_path: Path
) -> None:
    rows = extracted.outcomes()
    (made,) = json_lines(extracted, "reparse", "mails:0", "--shadow")
    assert made["selection"] == '{"records": ["mails:0"]}'
    assert [each["shadow"] for each in json_lines(extracted, "shadow", "list")] == [made["shadow"]]
    assert json_lines(extracted, "shadow", "diff", made["shadow"]) == []
    page = tmp_path / "diff.html"
    assert otclog(extracted, "shadow", "diff", made["shadow"], "--page", str(page)).exit_code == 0
    assert made["shadow"] in page.read_text("utf-8")
    (done,) = json_lines(extracted, "reparse", "--execute", made["shadow"])
    assert (done["run_id"], done["publication"]) == (made["shadow"], latest(extracted.store).number)
    assert json_lines(extracted, "shadow", "list") == []
    (undone,) = json_lines(extracted, "reparse", "--undo", done["run_id"])
    assert (undone["kind"], undone["undoes"]) == ("undo", done["run_id"])
    assert extracted.outcomes() == rows


@pytest.mark.slow
def test_a_shadow_of_another_selection_is_not_published_for_this_one(
    extracted: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    (made,) = json_lines(extracted, "reparse", "mails:0", "--shadow")
    refused = otclog(extracted, "reparse", "mails:1", "--execute", made["shadow"])
    assert refused.exit_code == 2
    assert f"shadow {made['shadow']} is of another selection" in refused.stderr
    assert otclog(extracted, "reparse", "mails:0", "--execute", made["shadow"]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mails:0:0-5", "--undo", RUN], "--undo .* stands alone: not beside a selection"),
        (["--dealer", "Bank A", "--undo", RUN], "--undo .* stands alone: not beside a selection"),
        (["--stale", "--undo", RUN], "--undo .* stands alone: not beside a selection"),
        (["--undo", RUN, "--shadow"], "--undo .* stands alone: not beside --shadow"),
        (["--undo", RUN, "--execute"], "--undo .* stands alone: not beside --execute"),
        (["--undo", RUN, "--override", "why"], "--undo .* stands alone: not beside --override"),
        (["--undo", RUN, "--allow-gap"], "--undo .* stands alone: not beside --allow-gap"),
        (["mails:0", "--shadow", "--execute"], "--shadow publishes nothing, --execute publishes: give one of them"),
        (["mails:0", "--override", "why"], "--override says why --execute is to publish"),
        (["mails:0", "--shadow", "--override", "why"], "--override says why --execute is to publish"),
        ([RUN, "--execute", "--allow-gap"], "--allow-gap is for records that are chosen now"),
    ],
)
def test_what_does_not_fit_together_is_refused_in_words(
    shared_log: tuple[conf.Settings, CommitLog], tmp_path: Path, otclog: Otclog, words: list[str], told: str
) -> None:
    refused = otclog(home_in(tmp_path, shared_log), "reparse", *words)
    assert refused.exit_code == 2
    assert re.search(told, " ".join(refused.stderr.split()))


def test_a_time_wants_its_zone(home: Home, otclog: Otclog) -> None:
    refused = otclog(home, "reparse", "--received-from", "2026-11-20T08:00")
    assert refused.exit_code == 2
    assert "has no time zone: add Z, or one like +01:00" in " ".join(re.sub("[│╭╮╰╯─]", " ", refused.output).split())
    assert "name the zone" not in refused.output


@pytest.mark.slow
def test_a_selection_of_no_record_is_refused_in_words(small: Home, otclog: Otclog) -> None:
    dealer = next(row["dealer"] for row in small.rows("mails") if row["dealer"])
    for words, told in (
        (["--dealer", f"{dealer}x"], f"--dealer {dealer}x: no mail has it; did you mean {dealer}?"),
        (["--sender", "nobody"], "--sender nobody: no mail has it"),
        (["--attachment-type", "pdff"], "no record is chosen"),
        (["--parser-version", "0.9"], "--parser-version 0.9: no mail has it"),
        (["--sha256", "abc"], "--sha256 abc: a SHA-256 has 64 hexadecimal digits"),
        (["--quoted-from", "2026-01-02T00Z", "--quoted-to", "2026-01-01T00Z"], "is not before --quoted-to"),
        (["--received-from", "2026-01-02T00Z", "--received-to", "2026-01-01T00Z"], "is not before --received-to"),
        (["--since-day", "2026-01-02", "--until-day", "2026-01-01"], "is not before --until-day"),
        (["nope"], "there is no topic, and no shadow, 'nope'"),
        (["--subject", ""], "--subject is blank: leave it out, or say what is meant"),
        (["mails", "--run", ""], "--run is blank"),
    ):
        for option in ([], ["--shadow"], ["--execute"], ["--allow-gap"]):
            refused = otclog(small, "reparse", *words, *option)
            assert (refused.exit_code, refused.stdout, told in " ".join(refused.stderr.split())) == (2, "", True)


def test_a_reason_and_a_run_to_undo_are_not_blank(small: Home, otclog: Otclog) -> None:
    for words, told in (
        (["mails", "--execute", "--override", " "], "--override is blank"),
        (["--undo", ""], "no published run is of no name; `otclog runs` lists them"),
    ):
        refused = otclog(small, "reparse", *words)
        assert (refused.exit_code, told in " ".join(refused.stderr.split())) == (2, True), refused.output


def test_an_attachment_type_is_taken_without_its_dot(small: Home, json_lines: JsonLines) -> None:
    (plain,) = json_lines(small, "reparse", "--attachment-type", "xlsx")
    assert [plain] == json_lines(small, "reparse", "--attachment-type", ".XLSX")
    assert 0 < plain["mails"] < len(small.rows("mails"))


@pytest.mark.slow
def test_the_run_that_wrote_a_price_is_named_by_explain_and_its_id_may_be_cut_short(
    small: Home, otclog: Otclog, json_lines: JsonLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTCLOG_EXTRACT_SMALL_MAILS", "1000")
    first, second = (next(row for row in small.rows("quotes") if row["log_partition"] == number) for number in (0, 1))
    (extraction,) = small.rows("runs")
    (done,) = json_lines(small, "reparse", "mails:0", "--execute")
    short = done["run_id"][:-3]
    for quote, run in ((first, done), (second, extraction)):
        (told,) = json_lines(small, "explain", quote["record_id"])
        assert (told["run_id"], told["run_kind"]) == (run["run_id"], run["kind"])
        shown = otclog(small, "explain", quote["record_id"]).stdout
        assert f"written by {run['kind']} {run['run_id']}" in " ".join(shown.split())
    (plan,) = json_lines(small, "reparse", "--run", short)
    assert plan["records"] == done["records"]
    for option in ("--run", "--undo"):
        refused = otclog(small, "reparse", option, "nope")
        assert refused.exit_code == 2
        assert "no published run is nope; `otclog runs` lists them, `otclog explain` names the run" in " ".join(
            refused.stderr.split()
        )
        refused = otclog(small, "reparse", option, "20")
        assert (refused.exit_code, "several published runs begin with 20" in refused.stderr) == (2, True)
    undone = otclog(small, "reparse", "--undo", short)
    assert undone.exit_code == 0
    assert f"run {done['run_id']} is undone: {done['mails']} mails have the {done['quotes']} quotes" in undone.stderr


def test_what_is_done_with_a_shadow_is_said(
    small: Home, otclog: Otclog, json_lines: JsonLines, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OTCLOG_EXTRACT_SMALL_MAILS", "1000")
    (made,) = json_lines(small, "reparse", "mails:0:0", "--shadow")
    listed = " ".join(otclog(small, "shadow", "list").stdout.split())
    assert f"{made['made_at'][:19].replace('T', ' ')}Z" in listed
    assert " mails:0:0 " in listed
    page = tmp_path / "page.html"
    told = otclog(small, "shadow", "diff", made["shadow"], "--page", str(page)).stderr
    assert f"shows what shadow {made['shadow']} would change" in " ".join(told.split())
    assert otclog(small, "shadow", "diff", made["shadow"]).output == "no row would be another one\n"
    dropped = otclog(small, "shadow", "drop", made["shadow"][:-2])
    assert (dropped.exit_code, dropped.stderr) == (0, f"shadow {made['shadow']} is gone\n")
