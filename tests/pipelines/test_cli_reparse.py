"""pipelines.cli_reparse"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.testing import Result

from pipelines.tables.publication import latest

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

Otclog = Callable[..., Result]
JsonLines = Callable[..., list[dict[str, Any]]]


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


def test_a_shadow_of_another_selection_is_not_published_for_this_one(
    extracted: Home, otclog: Otclog, json_lines: JsonLines
) -> None:
    (made,) = json_lines(extracted, "reparse", "mails:0", "--shadow")
    refused = otclog(extracted, "reparse", "mails:1", "--execute", made["shadow"])
    assert refused.exit_code == 2
    assert f"shadow {made['shadow']} is of another selection" in refused.stderr
    assert otclog(extracted, "reparse", "mails:0", "--execute", made["shadow"]).exit_code == 0


def test_a_time_wants_its_zone(extracted: Home, otclog: Otclog) -> None:
    refused = otclog(extracted, "reparse", "--received-from", "2026-11-20T08:00")
    assert refused.exit_code == 2
    assert "has no time zone" in refused.output
