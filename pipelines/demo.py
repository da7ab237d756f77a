"""The demo: the commands a user would type, on the sample mails, in a home of its own.

Nothing here is special to the demo: each step prints the command it runs, and anyone can type it again afterwards.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.errors import DemoFailed

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
_MARK = ".otclog-demo"  # a folder with this file is a demo's, and may be made anew
_WAIT_S = 60.0


def run_demo(home: Path) -> None:
    """Run it in `home`, made anew. Raises DemoFailed, naming the step."""
    mails = sorted(SAMPLES.glob("*.eml"))
    _prepare(home)
    _say(f"1. A watcher on the Maildir {home / 'mail'}; {len(mails)} sample mails arrive")
    with _watcher(home):
        _deliver(mails, home / "mail")
        _wait_until_taken(home, len(mails))
    _run(home, "topic", "describe", "mails")
    _say("2. Their prices, by Spark into Delta tables")
    _run(home, "extract")
    _run(home, "prices", "--limit", "200")
    _run(home, "rejects")
    before = _rows(home)
    _say("3. What the group has still to read: nothing")
    _run(home, "group", "lag")
    _say("4. Rewind the group and extract again: the same mails, the same rows")
    _run(home, "group", "rewind", "extract", "mails", "--to-earliest", "--execute")
    _run(home, "group", "lag")
    _run(home, "extract")
    _compare(before, _rows(home), "rewind and extract")
    _say("5. Reparse a part of the log, by offset: the same rows again")
    _run(home, "reparse", "mails:0", "--execute")
    _compare(before, _rows(home), "reparse")
    _say("6. The way back from one price to its mail")
    _run(home, "explain", _last_cell_price(before))
    _farewell(home)


def _prepare(home: Path) -> None:
    if home.exists() and any(home.iterdir()) and not (home / _MARK).exists():
        raise DemoFailed(f"{home} is not empty and not an earlier demo's: name another folder")
    shutil.rmtree(home, ignore_errors=True)
    _run(home.parent, "init", str(home), quiet=True)
    (home / _MARK).touch()


@contextmanager
def _watcher(home: Path) -> Iterator[None]:
    """`otclog watch` in the background, ended by SIGTERM: it finishes the batch in hand."""
    print("$ otclog watch &", flush=True)  # noqa: T201 -- the demo speaks
    process = subprocess.Popen(_command(home, "watch", "--json"), stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(_WAIT_S)


def _deliver(mails: list[Path], maildir: Path) -> None:
    """As a mail server does: written whole into tmp/, then renamed into new/."""
    for mail in mails:
        arriving = maildir / "tmp" / mail.name
        shutil.copyfile(mail, arriving)
        arriving.rename(maildir / "new" / mail.name)


def _wait_until_taken(home: Path, mails: int) -> None:
    """Until every mail is below the high watermark and its file is gone."""
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        waiting = len(os.listdir(home / "mail" / "new"))  # noqa: PTH208 -- counted, not walked
        if not waiting and (taken := _taken(home)) == mails:
            print(f"all {taken} mails are in the replicated log, and gone from the folder")  # noqa: T201 -- the demo speaks
            return
        time.sleep(0.5)
    raise DemoFailed(
        f"the watcher did not take all {mails} mails in {_WAIT_S:.0f} s; see `otclog topic describe mails`"
    )


def _taken(home: Path) -> int:
    done = subprocess.run(
        _command(home, "topic", "describe", "mails", "--json"), capture_output=True, text=True, check=False
    )
    return sum(json.loads(line)["high_watermark"] for line in done.stdout.splitlines()) if done.returncode == 0 else 0


def _rows(home: Path) -> list[dict[str, object]]:
    """Every published price, whole."""
    command = _command(home, "prices", "--limit", "1000000", "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted(rows, key=lambda row: str(row["record_id"]))


def _compare(before: list[dict[str, object]], after: list[dict[str, object]], step: str) -> None:
    if before != after:
        raise DemoFailed(f"{step} changed the rows: {len(before)} before, {len(after)} after")
    print(f"checked: {len(after)} rows, each equal to the one before, column by column")  # noqa: T201 -- the demo speaks


def _last_cell_price(rows: list[dict[str, object]]) -> str:
    in_cells = [row for row in rows if row.get("cell")]
    return str((in_cells or rows)[-1]["record_id"])


def _run(home: Path, *words: str, quiet: bool = False) -> None:
    print(f"$ otclog {' '.join(words)}", flush=True)  # noqa: T201 -- the demo speaks
    output = subprocess.DEVNULL if quiet else None
    command = _command(home, *words) if words[0] != "init" else [_otclog(), *words]
    if (code := subprocess.run(command, stdout=output, check=False).returncode) != 0:
        raise DemoFailed(f"`otclog {' '.join(words)}` ended with exit code {code}")


def _command(home: Path, *words: str) -> list[str]:
    return [_otclog(), *words, "--config", str(home / "otclog.toml")]


def _otclog() -> str:
    return str(Path(sys.executable).with_name("otclog"))


def _say(text: str) -> None:
    print(f"\n=== {text}", flush=True)  # noqa: T201 -- the demo speaks


def _farewell(home: Path) -> None:
    otclog = _otclog()
    print(  # noqa: T201 -- the demo speaks
        f"\n=== Next: your own mail\n"
        f"  {otclog} init ~/prices --mail ~/Maildir     # or any folder that mail files are dropped into\n"
        f"  cd ~/prices && {otclog} watch               # a file is deleted once its mail is durable in the log\n"
        f"  {otclog} extract --every 2s                 # in another terminal\n"
        f"  {otclog} prices\n"
        f"This demo's data stays in {home}: try `{otclog} prices --help` with `--config {home / 'otclog.toml'}`."
    )
