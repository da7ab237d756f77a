"""`scripts/freeze`: what is read of each corpus is kept, and compared after a change."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from itertools import islice
from pathlib import Path

import pytest

from tests.parsers.freezing import CORPORA, ROOT, check, freeze
from tests.parsers.program import RUN

BOUGHT = b"From: a@b.example\nSubject: x\n\nWe bought 3mm of the 32s at 98.5\n"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Beside a checkout: one gold mail with its truth, and an archive of real mail."""
    gold = tmp_path / "shared" / "gold" / "dev"
    real = tmp_path / "shared" / "real"
    for folder in (gold, real):
        folder.mkdir(parents=True)
    (gold / "a.eml").write_bytes(RUN)
    (gold / "a.jsonl").write_text('{"kind": "meta"}\n{"kind": "quote", "description": "BACR 5.2 05/26"}\n')
    with tarfile.open(real / "lists.tar.xz", "w:xz") as tar:
        for name, content in (("lists/1.eml", BOUGHT), ("lists/2.txt.eml", BOUGHT)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return tmp_path / "shared"


@pytest.mark.slow
def test_what_is_frozen_has_not_changed_until_a_row_is_another_one(
    shared: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    frozen = tmp_path / "freeze"
    for name in ("gold-dev", "real"):
        freeze(name, frozen, shared, 1)
    assert "gold-dev: 1 mails, 1 rows" in capfd.readouterr().err
    assert sorted(file.name for file in (frozen / "real" / "rows").iterdir()) == ["lists-1.jsonl", "lists-2.txt.jsonl"]
    assert check(frozen, [], 1, as_json=True) == 0
    rows = frozen / "gold-dev" / "rows" / "a.jsonl"
    rows.write_text(json.dumps(json.loads(rows.read_text("utf-8")) | {"bid": "84"}) + "\n", "utf-8")
    capfd.readouterr()
    assert check(frozen, [], 1, as_json=True) == 1
    said = capfd.readouterr()
    (changed,) = (row for row in map(json.loads, said.out.splitlines()) if row["kind"] == "changed")
    assert changed["fields"] == [{"name": "bid", "before": "84", "after": "85"}]
    assert "gold-dev: changed" in said.err
    assert "real: nothing changed" in said.err
    rows.unlink()
    assert check(frozen, ["gold-dev"], 1, as_json=True) == 2


def test_a_corpus_that_is_not_there_is_left_out_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    freeze("real", tmp_path, tmp_path / "nowhere", 1)
    assert "real: left out, for" in capsys.readouterr().err
    assert check(tmp_path, [], 1, as_json=False) == 2
    assert "nothing is frozen here" in capsys.readouterr().err


def test_what_was_frozen_is_not_written_over_and_an_unknown_corpus_is_none(tmp_path: Path) -> None:
    (tmp_path / "desks").mkdir()
    for arguments, says in (
        (["--to", str(tmp_path), "desks"], "desks is frozen already"),
        (["--to", str(tmp_path), "desk"], "no corpus desk; there are: gold-dev"),
    ):
        done = subprocess.run([ROOT / "scripts/freeze", *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert says in done.stderr


@pytest.mark.parametrize(("corpus", "least"), [("desks", 1434), ("twins", 678), ("dealers", 5), ("samples", 20)])
def test_each_corpus_that_the_tests_make_has_its_mails_under_names_of_their_own(
    corpus: str, least: int, tmp_path: Path
) -> None:
    mails = list(islice(CORPORA[corpus](tmp_path), least))
    assert len({name for name, _, _ in mails}) == len(mails) == least
    assert all(raw for _, raw, _ in mails)
    kinds = {line["kind"] for _, _, truth in mails for line in truth or ()}
    assert kinds <= {"meta", "quote", "reject"}
    assert ("quote" in kinds) == (corpus != "twins")
