from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conf import Settings
from ingest.folders.serving import Batch
from ingest.generate import generate, write
from ingest.watch import Watcher
from log import CommitLog

ROOT = Path(__file__).parents[3]


def lines_of(truth: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in truth.read_text("utf-8").splitlines()]


def cases(truth: Path) -> set[object]:
    return {line["case"] for line in lines_of(truth)}


def same(one: Path, two: Path) -> bool:
    names = sorted(file.name for file in one.iterdir())
    assert names == sorted(file.name for file in two.iterdir())
    return all((one / name).read_bytes() == (two / name).read_bytes() for name in names)


def test_the_same_seed_gives_the_same_files_byte_for_byte(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert len(list(generate(tmp_path / name, 120, seed=3))) == 120
    assert same(tmp_path / "one", tmp_path / "two")


@pytest.mark.slow
def test_several_processes_write_what_one_writes(tmp_path: Path) -> None:
    together = list(generate(tmp_path / "together", write.ALONE + 100, seed=3))
    assert len(together) == write.ALONE + 100
    _, alone = write._chunk(write._Target(tmp_path, tmp_path, beside=True), 3, range(len(together)))
    assert together == alone
    for file in (tmp_path / "together").glob("*.eml"):
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


def test_the_truth_of_a_folder_stands_in_one_file_and_beside_each_mail(tmp_path: Path) -> None:
    quotes = sum(generate(tmp_path, 25, seed=3))
    together = lines_of(tmp_path / "truth.jsonl")
    assert {line["case"] for line in together} == {file.stem for file in tmp_path.glob("*.eml")}
    assert sum(line["kind"] == "quote" for line in together) == quotes
    beside = [line for mail in sorted(tmp_path.glob("*.eml")) for line in lines_of(mail.with_suffix(".jsonl"))]
    assert beside == together


def test_the_first_mails_of_a_seed_do_not_depend_on_how_many_follow(tmp_path: Path) -> None:
    for name, count in (("few", 5), ("many", 20)):
        list(generate(tmp_path / name, count, seed=3))
    for file in (tmp_path / "few").glob("*.eml"):
        assert file.read_bytes() == (tmp_path / "many" / file.name).read_bytes()


def test_into_a_maildir_only_mails_are_put_where_a_watcher_takes_them(commit_log: CommitLog, quick: Settings) -> None:
    home = quick.ingest.sources[0].path
    for folder in ("tmp", "new", "cur"):
        (home / folder).mkdir(mode=0o700, parents=True)
    Watcher(commit_log, quick, lambda _: None).run_once()
    assert len(list(generate(home, 40))) == 40
    assert len(list((home / "new").iterdir())) == 40
    assert list((home / "tmp").iterdir()) == []
    taken: list[Batch] = []
    Watcher(commit_log, quick, taken.append).run_once()
    assert sum(batch.published for batch in taken) == 40
    assert len(cases(home / "truth.jsonl")) == 40


def test_a_ctrl_c_ends_all_its_processes_and_none_has_a_traceback(tmp_path: Path) -> None:
    program = "import sys; from otclog import main; sys.argv[0] = 'otclog'; main()"
    command = [sys.executable, "-c", program, "generate", "--mails", "50000", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as generating:
        children = Path(f"/proc/{generating.pid}/task/{generating.pid}/children")
        while len(children.read_text().split()) < 3:  # two that make documents, and what looks after their memory
            assert generating.poll() is None
            time.sleep(0.002)
        for child in children.read_text().split():
            masks = re.findall(r"^Sig(?:Blk|Ign):\s*(\w+)", Path(f"/proc/{child}/status").read_text(), re.MULTILINE)
            held = [int(mask, 16) & 1 << signal.SIGINT - 1 for mask in masks]
            assert any(held)  # what looks after their memory ignores it, and blocks it no longer, once it has begun
        os.killpg(generating.pid, signal.SIGINT)
        told = generating.communicate(timeout=120)[0]
    assert (generating.returncode, told) == (130, "otclog: stopped\n")
