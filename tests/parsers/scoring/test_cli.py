"""`otclog score`, as it is typed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.parsers.program import ROOT, RUN, otclog

pytestmark = pytest.mark.slow

META = {"kind": "meta", "formats": ["text"], "asset_classes": ["corp_ig"], "language": "en"}
TRUTH = {
    "kind": "quote",
    "description": "BACR 5.2 05/26",
    "quote_type": "spread_bench_bp",
    "bid": "85",
    "ask": "80",
    "part_path": "1",
    "line": 1,
}


def score(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return otclog(*arguments, cwd=cwd, command="parsers.scoring.cli.score")


def rows(done: subprocess.CompletedProcess[str], *kinds: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [row for row in found if row["kind"] in kinds]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """One mail with its truth."""
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "a.eml").write_bytes(RUN)
    truth_of(folder, TRUTH)
    return folder


def truth_of(folder: Path, *quotes: dict[str, object]) -> None:
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, (META, *quotes))) + "\n")


def dump_of(folder: Path) -> Path:
    out = folder.with_name("dump")
    assert otclog(folder, "--out", out, cwd=folder).returncode == 0
    return out


def test_a_folder_of_mails_with_their_truth_is_scored_and_told_on_a_page(gold: Path, tmp_path: Path) -> None:
    done = score(gold, "--page", "accuracy.md", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [(row["group"], row["name"], row["price_exact"]) for row in rows(done, "figures")[:2]] == [
        ("all", "all", 1.0),
        ("asset_class", "corp_ig", 1.0),
    ]
    assert "| corp_ig | 1 | 100.00 % | 100.00 % |" in (tmp_path / "accuracy.md").read_text("utf-8")
    assert "<svg" in (tmp_path / "accuracy.svg").read_text("utf-8")


def test_a_page_that_is_written_again_keeps_its_figures_of_confidence(gold: Path, tmp_path: Path) -> None:
    page = tmp_path / "accuracy.md"
    page.write_text("# Of before\n\n## Confidence\n\nof rows left out\n", "utf-8")
    assert score(gold, "--page", "accuracy.md", cwd=tmp_path).returncode == 0
    text = page.read_text("utf-8")
    assert text.startswith("# Accuracy\n")
    assert text.endswith("\n## Confidence\n\nof rows left out\n")


def test_the_new_dealer_of_the_documentation_scores_0_before_his_words_are_known(tmp_path: Path) -> None:
    shell = (ROOT / "docs" / "new-dealer.md").read_text("utf-8")
    (tmp_path / "gold").mkdir()
    for name, text in re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END\n", shell, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(text, "utf-8")
    done = score("gold", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["price_exact"] == 0.0


def test_quotes_that_are_missing_false_or_wrong_are_listed_with_place_and_line_and_both_values(
    gold: Path, tmp_path: Path
) -> None:
    wrong = TRUTH | {"currency": "EUR", "maturity": "2026-05-31", "bid_size": "5000000", "ask_size": "5000000"}
    missing = TRUTH | {"description": "XYZ 3 30", "line": 9, "raw_text": "XYZ 3 30 cheap at T+12"}
    truth_of(gold, wrong, missing)
    done = score(gold, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    one, other = rows(done, "missing", "false", "wrong")
    assert (one["kind"], one["mail"], one["part_path"], one["place"]) == ("wrong", "a.eml", "1", "line 1")
    assert one["raw_text"] == "BACR 5.2 05/26 T+85/80 5x5"
    assert {"name": "currency", "truth": "EUR", "found": "USD"} in one["fields"]
    assert (other["kind"], other["place"], other["raw_text"]) == ("missing", "line 9", "XYZ 3 30 cheap at T+12")
    assert {"name": "bid", "truth": "85", "found": None} in other["fields"]
    truth_of(gold, TRUTH | {"bid": "86"})
    (false,) = rows(score(gold, "--json", cwd=tmp_path), "false")
    assert {"name": "bid", "truth": "86", "found": "85"} in false["fields"]


def test_a_table_for_people_says_the_same(gold: Path, tmp_path: Path) -> None:
    truth_of(gold, TRUTH | {"bid": "86"}, TRUTH | {"description": "XYZ 3 30", "line": 9})
    done = score(gold, cwd=tmp_path)
    (false,) = (line for line in done.stdout.splitlines() if line.startswith("false"))
    assert "part 1 line 1" in false
    assert "bid 86 → 85" in false
    assert "BACR 5.2 05/26 T+85/80 5x5" in false
    (missing,) = (line for line in done.stdout.splitlines() if line.startswith("missing"))
    assert "quote_type spread_bench_bp; bid 85; ask 80" in missing


def test_a_quote_without_a_text_in_the_truth_has_that_of_what_else_was_read_of_its_line(
    gold: Path, tmp_path: Path
) -> None:
    (gold / "a.eml").write_bytes(b"From: a@b.example\nSubject: IG\n\nXYZ 3 03/30 98.25/98.50 3.45/3.41 yld\n")
    price = TRUTH | {"description": "XYZ 3 03/30", "quote_type": "price_pct", "bid": "98.25", "ask": "98.5"}
    truth_of(gold, price, price | {"quote_type": "spread_z_bp", "bid": "9", "ask": "8"})
    found = {row["kind"]: row for row in rows(score(gold, "--json", cwd=tmp_path), "missing", "false")}
    assert all("98.25/98.50" in row["raw_text"] for row in found.values())


@pytest.mark.parametrize(("share", "code"), [("1", 0), ("0", 0)])
def test_a_share_that_is_reached_ends_with_0(share: str, code: int, gold: Path, tmp_path: Path) -> None:
    assert score(gold, "--min", share, cwd=tmp_path).returncode == code


def test_a_share_of_exact_prices_below_the_least_one_fails_and_says_so(gold: Path, tmp_path: Path) -> None:
    truth_of(gold, TRUTH, TRUTH | {"description": "XYZ 3 30", "line": 9})
    done = score(gold, "--min", "0.51", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "otclog: price_exact is 0.5000 (1 of 2 quotes), below --min 0.51\n"
    assert score(gold, "--min", "0.5", cwd=tmp_path).returncode == 0


def test_a_share_of_a_truth_without_quotes_and_one_above_1_are_usage_errors(gold: Path, tmp_path: Path) -> None:
    assert score(gold, "--min", "99", cwd=tmp_path).returncode == 2
    truth_of(gold)
    done = score(gold, "--min", "0.9", cwd=tmp_path)
    assert done.returncode == 2
    assert "the truth has no quote" in done.stderr


def test_a_folder_without_truth_cannot_be_scored(tmp_path: Path) -> None:
    assert score(tmp_path, cwd=tmp_path).returncode == 2


def test_what_is_read_as_it_was_is_no_change_also_without_any_truth(gold: Path, tmp_path: Path) -> None:
    (gold / "a.jsonl").unlink()
    done = score(gold, "--against", dump_of(gold), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"kind": "total", "mails": 1, "changed_mails": 0, "added": 0, "lost": 0, "changed": 0}
    ]


def test_rows_that_were_added_lost_and_changed_are_listed_counted_and_end_with_1(gold: Path, tmp_path: Path) -> None:
    (gold / "b.eml").write_bytes(RUN)
    (gold / "c.eml").write_bytes(RUN.replace(b"85/80", b"85/80\nXYZ 98.5 / 99.1 beside"))
    dump = dump_of(gold)
    (line,) = (dump / "a.jsonl").read_text("utf-8").splitlines()
    (dump / "a.jsonl").write_text(json.dumps(json.loads(line) | {"bid": "84", "currency": None}) + "\n")
    (dump / "b.jsonl").write_text("")
    with (dump / "c.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"kind": "reject", "level": "row", "code": "NO_LEVEL", "locator": "line 7"}) + "\n")
    done = score(gold, "--against", dump, "--json", cwd=tmp_path)
    assert done.returncode == 1
    changed, added, lost = rows(done, "changed", "added", "lost")
    assert (changed["mail"], changed["place"]) == ("a.eml", "line 1")
    assert changed["fields"] == [
        {"name": "bid", "before": "84", "after": "85"},
        {"name": "currency", "before": None, "after": "USD"},
    ]
    assert (added["kind"], added["mail"], added["of"]) == ("added", "b.eml", "quote")
    assert (lost["kind"], lost["mail"], lost["of"], lost["place"]) == ("lost", "c.eml", "reject", "line 7")
    (total,) = rows(done, "total")
    assert total == {"kind": "total", "mails": 3, "changed_mails": 3, "added": 1, "lost": 1, "changed": 1}


def test_a_dump_of_mails_in_folders_is_compared_with_them(tmp_path: Path) -> None:
    for folder in ("mails/one", "mails/two"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.eml").write_bytes(RUN)
    dump = dump_of(tmp_path / "mails")
    (dump / "a-2.jsonl").write_text("")
    done = score("mails", "--against", dump, "--json", cwd=tmp_path)
    assert [row["mail"] for row in rows(done, "added")] == ["two/a.eml"]


def test_what_cannot_be_compared_is_refused_in_plain_words(gold: Path, tmp_path: Path) -> None:
    dump = dump_of(gold)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.jsonl").write_text('{"kind": "quote"}\n{"kind"\n')
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.jsonl").write_text("")
    for arguments, says in (
        (["empty", "--against", dump], "empty: no mail is in this folder"),
        (["gold", "--against", "nowhere"], "nowhere: no folder that `otclog parse --out` wrote"),
        (["gold", "--against", "empty"], "empty: no folder that `otclog parse --out` wrote"),
        (["gold", "--against", "broken"], "a.jsonl: line 2 is no JSON"),
        (["gold", "--against", "gold"], "a.jsonl: line 1 is no row of `otclog parse --out`"),
        (["gold", "--against", "other"], "a dump of other mails: it has no a.jsonl (of 1 mails); its b.jsonl is of no"),
        (["gold", "--against", dump, "--min", "1"], "leave one out"),
    ):
        done = score(*arguments, cwd=tmp_path)
        told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.stderr).split())
        assert done.returncode == 2, arguments
        assert says in told or says.replace(" ", "") in told.replace(" ", "")
        assert "Traceback" not in done.stderr
