from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conf.home import make_home

ROOT = Path(__file__).parents[3]
OTCLOG = Path(sys.executable).with_name("otclog")


@pytest.mark.slow
def test_one_search_follows_a_mail_through_all_programs(tmp_path: Path) -> None:
    """Taken twice, parsed, and read again: by its digest, and by its Message-ID."""
    home = make_home(tmp_path / "home").parent
    with (home / "otclog.toml").open("a") as settings:
        settings.write('\n[logging]\nformat = "json"\nlevel = "info"\nfile = "messages.log"\n')
    sample = ROOT / "samples" / "hy_run_text.eml"

    def otclog(*words: str) -> str:
        done = subprocess.run([OTCLOG, *words], cwd=home, text=True, capture_output=True, check=True)
        return done.stdout

    for name in ("one", "two"):
        shutil.copyfile(sample, home / "mail" / "new" / name)
        otclog("watch", "--once")
    summary = json.loads(otclog("extract", "--json").splitlines()[0])
    lines = [json.loads(line) for line in (home / "messages.log").read_text().splitlines()]
    digest = hashlib.sha256(sample.read_bytes()).hexdigest()
    found = [line for line in lines if line.get("sha256") == digest]

    def told(line: dict[str, Any]) -> tuple[Any, ...]:
        return line["unit"], line.get("file"), line["topic"], line["offset"], line.get("run")

    assert [told(line) for line in found] == [
        ("otclog watch", "one", "mails", 0, None),
        ("otclog watch", "two", "mails", 0, None),
        ("otclog extract", None, "mails", 0, summary["run_id"]),
    ]
    assert "published at mails-" in found[0]["event"]
    assert "known already, from mails-" in found[1]["event"]
    assert (found[2]["state"], found[2]["quotes"]) == ("parsed", summary["quotes"])
    assert len({(line["message_id"], line["partition"]) for line in found}) == 1
    assert found == [line for line in lines if line.get("message_id") == found[0]["message_id"]]
