"""Freeze what the parsers read of every corpus there is, and compare what they read after a change.

usage: scripts/freeze [--to FOLDER] [--shared FOLDER] [--jobs N] [CORPUS ...]   (writes FOLDER/CORPUS/mails and .../rows)
       scripts/freeze --check [--to FOLDER] [--jobs N] [--json] [CORPUS ...]   (lists the rows that are others now)

Without names all corpora: those of ../shared (gold, real), the samples, and those that the tests make (desks, twins,
dealers). FOLDER is ../freeze; what is in it is not committed. --check ends with 0 where nothing changed, 1 where
something did, 2 where a corpus cannot be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.parsers.quotes.desks.cases import mail_of as desk_mail
from tests.parsers.quotes.desks.cases import named_cases
from tests.parsers.twins import twins
from tests.parsers.wild.mails import mail_of as wild_mail

ROOT = Path(__file__).parents[2]
DEALERS = range(30_000, 31_000)
Mail = tuple[str, bytes, list[Mapping[str, Any]] | None]
"""Its name, its bytes, and the lines of its truth where that is known."""


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=" ".join(CORPORA))
    parser.add_argument("--to", type=Path, default=ROOT.parent / "freeze", help="of the freeze")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="of gold and real")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many mails at once")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--json", action="store_true", help="one object a line")
    said = parser.parse_args()
    if unknown := [name for name in said.corpora if name not in CORPORA]:
        parser.error(f"no corpus {unknown[0]}; there are: {' '.join(CORPORA)}")
    if said.check:
        return check(said.to, said.corpora, said.jobs, as_json=said.json)
    if there := [name for name in said.corpora or CORPORA if (said.to / name).exists()]:
        parser.error(
            f"{said.to / there[0]} is frozen already: --check compares with it; to freeze anew remove it first"
        )
    for name in said.corpora or CORPORA:
        freeze(name, said.to, said.shared, said.jobs)
    return 0


def freeze(name: str, to: Path, shared: Path, jobs: int) -> None:
    """Write a corpus and what is read of it; one that is not there is left out, and that is said."""
    started = time.monotonic()
    unfinished = to / f"{name}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    mails = unfinished / "mails"
    try:
        count = _written(CORPORA[name](shared), mails)
    except FileNotFoundError as error:
        _say(f"{name}: left out, for {error.filename} is not there")
        return
    rows = unfinished / "rows"
    _otclog("parse", mails, "--out", rows, "--jobs", jobs, "--json", stdout=subprocess.DEVNULL).check_returncode()
    unfinished.rename(to / name)
    lines = sum(file.read_bytes().count(b"\n") for file in (to / name / "rows").iterdir())
    _say(f"{name}: {count} mails, {lines} rows, {time.monotonic() - started:.0f} s")


def check(frozen: Path, corpora: Iterable[str], jobs: int, *, as_json: bool) -> int:
    """Compare, corpus by corpus; the exit code."""
    names = list(corpora) or [name for name in CORPORA if (frozen / name).is_dir()]
    if not names:
        _say(f"{frozen}: nothing is frozen here; `scripts/freeze` does it, before a change")
        return 2
    codes = []
    for name in names:
        started = time.monotonic()
        at = frozen / name
        more = ["--json"] if as_json else []
        codes.append(_otclog("score", at / "mails", "--against", at / "rows", "--jobs", jobs, *more).returncode)
        told = {0: "nothing changed", 1: "changed"}.get(codes[-1], "not compared")
        _say(f"{name}: {told}, {time.monotonic() - started:.0f} s\n")
    return max(codes) if set(codes) <= {0, 1} else 2


def _written(mails: Iterable[Mail], folder: Path) -> int:
    count = 0
    for name, raw, truth in mails:
        file = folder / f"{name}.eml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
        if truth is not None:
            lines = [json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in truth]
            file.with_suffix(".jsonl").write_text("".join(lines), "utf-8")
        count += 1
    return count


def _of_folder(folder: Path) -> Iterator[Mail]:
    for file in sorted(_there(folder).glob("*.eml")):
        truth = file.with_suffix(".jsonl").read_text("utf-8").split("\n")
        yield file.stem, file.read_bytes(), [json.loads(line) for line in truth if line.strip()]


def _desks(_: Path) -> Iterator[Mail]:
    for name, case in named_cases():
        quotes = [{"kind": "quote", "part_path": "1"} | dict(quote) for quote in case.quotes]
        classes = sorted({str(quote.get("asset_class", "unknown")) for quote in quotes})
        meta = {"kind": "meta", "formats": ["html" if case.rows else "text"], "asset_classes": classes}
        yield name, desk_mail(case), [meta, *quotes]


def _twins(_: Path) -> Iterator[Mail]:
    for twin in twins():
        yield f"{twin.name}-line", twin.line, None
        yield f"{twin.name}-table", twin.table, None


def _dealers(_: Path) -> Iterator[Mail]:
    for seed in DEALERS:
        made = wild_mail(seed)
        meta = {"kind": "meta", "formats": [made.format], "asset_classes": [made.book], "language": made.language}
        yield f"dealer-{seed}", made.raw, [meta, *made.truths]


def _real(shared: Path) -> Iterator[Mail]:
    for archive in sorted(_there(shared / "real").glob("*.tar.xz")):
        with tarfile.open(archive) as tar:
            for member in tar:
                if member.isfile() and (file := tar.extractfile(member)):
                    yield member.name.removesuffix(".eml").replace("/", "-"), file.read(), None


def _there(folder: Path) -> Path:
    folder.stat()  # raises FileNotFoundError
    return folder


CORPORA: dict[str, Callable[[Path], Iterator[Mail]]] = {
    "gold-dev": lambda shared: _of_folder(shared / "gold" / "dev"),
    "gold-second": lambda shared: _of_folder(shared / "gold" / "second"),
    "samples": lambda _: _of_folder(ROOT / "samples"),
    "desks": _desks,
    "twins": _twins,
    "dealers": _dealers,
    "real": _real,
}
"""The mails of each, given ../shared."""


def _otclog(*arguments: str | int | Path, stdout: int | None = None) -> subprocess.CompletedProcess[bytes]:
    """The command of this checkout, whichever is installed."""
    command = [sys.executable, str(ROOT / "otclog.py"), *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)})


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201  rows alone go to stdout


if __name__ == "__main__":
    sys.exit(main())
