"""The demo: the commands a user would type, on the sample mails, in a home of its own.

Nothing here is special to the demo: each step prints the command it runs, and anyone can type it again afterwards.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from pipelines.errors import DemoFailed
from pipelines.jobs.spark.java import check_java

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
OTCLOG = str(Path(sys.executable).with_name("otclog"))
_MARK = ".otclog-demo"  # a folder with this file is a demo's, and may be made anew
_WAIT_S = 60.0
_MAILS = ("log", "read", "--topic", "mails")

Rows = list[dict[str, object]]


def run_demo(home: Path, *, as_json: bool = False) -> None:
    """Run it in `home`, made anew; `as_json`: the commands print JSON lines, the story goes to stderr.

    Raises SparkUnusable before anything is made; DemoFailed, naming the step.
    """
    check_java()
    stage = Stage(home, as_json)
    mails = sorted(SAMPLES.glob("*.eml"))
    _prepare(home)
    stage.require_log_of_its_own(mails)
    stage.say(f"\n=== 1. A watcher on the Maildir {home / 'mail'}; {len(mails)} sample mails arrive")
    with stage.watcher():
        _deliver(mails, home / "mail")
        stage.wait_until_taken(len(mails))
    stage.run("topic", "describe", "mails")
    stage.say("\n=== 2. Their prices, into Delta tables (so few mails without Spark); what held none, and why")
    stage.run("extract")
    stage.run("prices", "--limit", "500")
    stage.run("rejects", "--limit", "100")
    before = stage.rows()
    stage.say("\n=== 3. What the group has still to read: nothing")
    stage.run("group", "lag")
    stage.say("\n=== 4. Rewind the group and extract again: the same mails, the same rows")
    stage.run("group", "rewind", "extract", "mails", "--to-earliest", "--execute")
    stage.run("group", "lag")
    stage.run("extract")
    stage.compare(before, "rewind and extract")
    stage.say("\n=== 5. Reparse a part of the log, chosen by offset: the same rows again")
    stage.run("reparse", "mails:0", "--execute")
    stage.compare(before, "reparse")
    stage.say("\n=== 6. The way back from one price to its mail")
    stage.run("explain", _one_record_id(before))
    stage.say(_farewell(home))


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the demo plays, and how it speaks."""

    home: Path
    as_json: bool

    def say(self, text: str) -> None:
        """Tell the story."""
        typer.echo(text, err=self.as_json)

    def run(self, *words: str) -> None:
        """Print the command and run it; its output is the demo's."""
        self.say(f"\n$ otclog {' '.join(words)}")
        sys.stdout.flush()
        if (code := subprocess.run(self._command(*words, as_json=self.as_json), check=False).returncode) != 0:
            raise DemoFailed(f"`otclog {' '.join(words)}` ended with exit code {code}")

    @contextmanager
    def watcher(self) -> Iterator[None]:
        """`otclog watch` in the background, ended by SIGTERM: it finishes the batch in hand."""
        self.say("\n$ otclog watch &")
        process = subprocess.Popen(self._command("watch", as_json=True), stdout=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            code = _ended(process)
        if code != 0:
            raise DemoFailed(f"`otclog watch` ended with exit code {code}")

    def require_log_of_its_own(self, mails: list[Path]) -> None:
        """The environment may name a log that others use, and the demo rewinds its group. Raises DemoFailed."""
        held, ours = self._taken(), {hashlib.sha256(mail.read_bytes()).hexdigest() for mail in mails}
        if held > len(mails) or (held and {line["sha256"] for line in self._json_lines(*_MAILS)} - ours):
            raise DemoFailed(f"the log that the settings name has {held} mails, others' among them: give the demo one")

    def wait_until_taken(self, mails: int) -> None:
        """Until every mail is below the high watermark and its file is gone."""
        deadline = time.monotonic() + _WAIT_S
        while time.monotonic() < deadline:
            if not any((self.home / "mail" / "new").iterdir()) and self._taken() == mails:
                self.say(f"all {mails} mails are in the replicated log, and gone from the folder")
                return
            time.sleep(0.5)
        raise DemoFailed(f"the watcher did not take all {mails} mails in {_WAIT_S:.0f} s")

    def rows(self) -> Rows:
        """Every published price, whole, in one order: at least one. Raises DemoFailed."""
        rows = self._json_lines("prices")
        if not rows:
            raise DemoFailed("`otclog prices` shows no price")
        return sorted(rows, key=lambda row: str(row["record_id"]))

    def compare(self, before: Rows, step: str) -> None:
        """Raises DemoFailed unless the rows are what they were."""
        after = self.rows()
        if before != after:
            raise DemoFailed(f"{step} changed the rows: {len(before)} before, {len(after)} after")
        self.say(f"checked: {len(after)} rows, each equal to the one before in every column")

    def _taken(self) -> int:
        try:
            partitions = self._json_lines("topic", "describe", "mails")
        except DemoFailed:  # the first mail makes the topic
            return 0
        return sum(int(str(line["high_watermark"])) for line in partitions)

    def _json_lines(self, *words: str) -> Rows:
        return [json.loads(line) for line in _output(self._command(*words, as_json=True)).splitlines()]

    def _command(self, *words: str, as_json: bool) -> list[str]:
        return [OTCLOG, *words, "--config", str(self.home / "otclog.toml"), *(["--json"] if as_json else [])]


def _prepare(home: Path) -> None:
    if home.exists() and os.listdir(home) and not (home / _MARK).exists():  # noqa: PTH208 -- only whether it has any
        raise DemoFailed(f"{home} is not empty and not an earlier demo's: name another folder")
    shutil.rmtree(home, ignore_errors=True)
    _output([OTCLOG, "init", str(home)])
    (home / _MARK).touch()


def _output(command: list[str]) -> str:
    """What a command prints, which is not shown. Raises DemoFailed with the last thing it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().rpartition("\n")[2]
        raise DemoFailed(f"`otclog {' '.join(command[1:])}` ended with exit code {done.returncode}: {said}")
    return done.stdout


def _ended(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process that was told to end. Raises DemoFailed where it does not; then it is killed."""
    try:
        return process.wait(_WAIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise DemoFailed(f"a process did not end within {_WAIT_S:.0f} s of being told to") from None


def _deliver(mails: list[Path], maildir: Path) -> None:
    """As a mail server does: written whole into tmp/, then renamed into new/."""
    for mail in mails:
        arriving = maildir / "tmp" / mail.name
        shutil.copyfile(mail, arriving)
        arriving.rename(maildir / "new" / mail.name)


def _one_record_id(rows: Rows) -> str:
    """Of a price that stood in a workbook's cell, if there is one."""
    return str(next((row for row in rows if row.get("cell")), rows[0])["record_id"])


def _farewell(home: Path) -> str:
    return f"""
=== Next: your own mail
  {OTCLOG} init ~/prices --mail ~/Maildir   # or any folder that mail files are dropped into
  cd ~/prices
  {OTCLOG} watch                            # a file is deleted once its mail is durable in the log
  {OTCLOG} extract --every 2s               # in another terminal, in ~/prices
  {OTCLOG} prices
This demo's data stays in {home}: add `--config {home / "otclog.toml"}` to any command to look around."""
