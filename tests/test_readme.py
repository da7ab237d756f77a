"""README.md: its commands do what it says, typed as they stand there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
DEMO = next(block for block in BLOCKS if "scripts/demo" in block and "kafka" not in block)
ON_KAFKA = next(block for block in BLOCKS if "scripts/kafka-up" in block)
OWN_MAIL = next(block for block in BLOCKS if "otclog init" in block)


def commands(block: str) -> list[str]:
    return [command for line in block.splitlines() if (command := line.partition("#")[0].strip())]


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.3)


def levels(row: dict[str, Any]) -> tuple[str | None, ...]:
    """What a reader of the mail would compare: the instrument, the measure, the levels."""
    named = row.get("instrument_id") or row["description"].upper()
    return (named, *(row.get(name) for name in ("quote_type", "tenor", "bid", "ask", "mid", "talk_low", "talk_high")))


def test_the_lines_that_the_readme_shows_stand_in_the_samples_and_read_as_it_says() -> None:
    truths = [line for path in (ROOT / "samples").glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    quotes = [quote for quote in map(json.loads, truths) if quote.get("raw_text")]
    rows = re.findall(r"^\| (?:`(.*)` )?\| `(\w+)` \| ([\d.]*) ?\| ([\d.]*) ?\|", README, re.MULTILINE)
    assert len(rows) == 6
    text = ""
    for shown, *reading in rows:
        text = shown.replace(";", "") or text  # without a line of its own: of the line above
        found = [quote for quote in quotes if " ".join(quote["raw_text"].split()).startswith(text)]
        readings = [[quote["quote_type"], quote.get("bid") or "", quote.get("ask") or ""] for quote in found]
        assert reading in readings, text


@pytest.mark.slow
@pytest.mark.timeout(700)
@pytest.mark.parametrize("block", [DEMO, ON_KAFKA], ids=["embedded", "kafka"])
def test_the_demo_finds_the_prices_that_a_reader_finds_and_ends_with_the_same_rows(block: str, tmp_path: Path) -> None:
    """On the embedded log, and on one broker; in folders of the test's own."""
    home, brokers = tmp_path / "demo", tmp_path / "kafka"
    typed = "\n".join(commands(block)).replace("scripts/demo", f"scripts/demo {home}")
    typed = typed.replace("kafka-up 3", f"kafka-up 1 {brokers}").replace("kafka-down", f"kafka-down {brokers}")
    try:
        done = subprocess.run(["sh", "-ec", typed], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    finally:
        subprocess.run([ROOT / "scripts" / "kafka-down", brokers], check=True, timeout=60)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert (home / "log" / "topics").exists() == (block == DEMO)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout.count("each equal to the one before") == 2
    assert list((home / "mail" / "new").iterdir()) == []
    prices = [str(ROOT / ".venv/bin/otclog"), "prices", "--json", "--config", str(home / "otclog.toml")]
    rows = subprocess.run(prices, capture_output=True, text=True, check=True).stdout.splitlines()
    truths = [line for path in (ROOT / "samples").glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    told = Counter(levels(line) for line in map(json.loads, truths) if line["kind"] == "quote")
    assert Counter(levels(row) for row in map(json.loads, rows)) == told


@pytest.mark.slow
@pytest.mark.timeout(700)
def test_the_commands_for_ones_own_mail_work_as_they_stand(
    tmp_path: Path, spawn: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """In a home directory of its own, with the checkout at ~/otclog and a Maildir at ~/Maildir."""
    (tmp_path / "otclog").symlink_to(ROOT)
    for name in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    for sample in ("hy_run_text", "ig_eur_sheet_xlsx"):
        shutil.copyfile(ROOT / "samples" / f"{sample}.eml", tmp_path / "Maildir" / "new" / sample)
    environ = os.environ | {"HOME": str(tmp_path)}
    folder = tmp_path / "otclog"
    background: list[subprocess.Popen[bytes]] = []

    def run(command: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    for command in commands(OWN_MAIL):
        if command.startswith("cd "):
            folder = tmp_path / command.removeprefix("cd ~/")
        elif command.endswith("watch") or "--every" in command:
            background.append(spawn(["sh", "-c", f"exec {command}"], cwd=folder, env=environ))
        elif command.endswith("prices"):
            wait_for((folder / "tables" / "_published").exists)
            assert "XS" in run(command)
            rows = [json.loads(line) for line in run(f"{command} --json --limit 1000").splitlines()]
            assert {row["file_name"] for row in rows} > {None}
        else:
            run(command)
    assert not list((tmp_path / "Maildir" / "new").iterdir())
    for process in background:
        process.send_signal(signal.SIGTERM)
    assert [process.wait(60) for process in background] == [0, 0]
