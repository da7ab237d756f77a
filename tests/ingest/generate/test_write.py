from __future__ import annotations

import json
from pathlib import Path

from conf import Settings
from ingest.generate import generate
from ingest.serving import Batch
from ingest.watch import Watcher
from log import CommitLog


def cases(truth: Path) -> set[str]:
    return {json.loads(line)["case"] for line in truth.read_text("utf-8").splitlines()}


def test_the_same_seed_gives_the_same_files_byte_for_byte(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert len(list(generate(tmp_path / name, 120, seed=3))) == 120
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [file.name for file in one] == [file.name for file in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))


def test_the_truth_names_each_file_as_its_case(tmp_path: Path) -> None:
    quotes = sum(generate(tmp_path, 25, seed=3))
    assert cases(tmp_path / "truth.jsonl") == {file.stem for file in tmp_path.glob("*.eml")}
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text("utf-8").splitlines()]
    assert sum(line["kind"] == "quote" for line in lines) == quotes


def test_the_first_mails_of_a_seed_do_not_depend_on_how_many_follow(tmp_path: Path) -> None:
    for name, count in (("few", 5), ("many", 20)):
        list(generate(tmp_path / name, count, seed=3))
    for file in (tmp_path / "few").glob("*.eml"):
        assert file.read_bytes() == (tmp_path / "many" / file.name).read_bytes()


def test_into_a_maildir_only_mails_are_put_where_a_watcher_takes_them(commit_log: CommitLog, quick: Settings) -> None:
    home = quick.ingest.sources[0].path
    Watcher(commit_log, quick, lambda _: None).run_once()
    assert len(list(generate(home, 40))) == 40
    assert len(list((home / "new").iterdir())) == 40
    assert list((home / "tmp").iterdir()) == []
    taken: list[Batch] = []
    Watcher(commit_log, quick, taken.append).run_once()
    assert sum(batch.published for batch in taken) == 40
    assert len(cases(home / "truth.jsonl")) == 40
