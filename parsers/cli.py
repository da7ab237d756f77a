"""`otclog parse`, and what other commands that parse files share with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain, count
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track

import conf
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from parsers.checking import check_words

if TYPE_CHECKING:  # `otclog` imports this module for each of its commands: the engines wait until one parses
    from parsers.outcome import MailOutcome
    from parsers.sandbox import Sandbox, SandboxSettings

_NO_MAILS = {".jsonl", ".json", ".md"}  # what lies beside mails in a folder
_MAIL_NAMES = {".eml", ".msg", ".mbox"}


def parse(
    files: Annotated[list[Path], typer.Argument(help="Mails, or folders of mails.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder to write to: one NAME.jsonl a mail.")],
    jobs: Annotated[int, typer.Option(min=1, help="How many mails at once.")] = os.cpu_count() or 1,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Parse mails without log or Spark: quotes and refusals as JSON lines, as the gold corpus has them.

    Examples:
      otclog parse samples/*.eml --out parsed
      otclog parse ~/Maildir/cur --out parsed --json
    """
    with errors_to_exit_codes():
        settings = settings_or_defaults(config)
        check_words()
        mails = named(files)
        if out.exists() and not out.is_dir():
            raise typer.BadParameter(f"--out {out}: not a folder; name a folder to write to, or a new one")
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        rows = []
        for name, file, outcome in parsed(mails, settings, jobs):
            _write(out / f"{name}.jsonl", outcome)
            rows.append(_summary(file, outcome))
        emit(rows, as_json=as_json, columns=("file", "state", "code", "quotes", "rejects", "parts"))


def settings_or_defaults(config: Path | None) -> SandboxSettings:
    """`[parsers]` of the user's file where there is one: who parses a file needs no home."""
    has_file = config or os.environ.get("OTCLOG_CONFIG") or Path("otclog.toml").is_file()
    return (conf.load(config) if has_file else conf.defaults()).parsers


def named(arguments: list[Path]) -> list[tuple[str, Path]]:
    """The mails to parse with the names of their outputs, which differ even where files in two folders do not."""
    files: list[Path] = []
    for argument in arguments:
        if argument.is_dir():
            found = sorted(file for file in argument.rglob("*") if file.is_file() and file.suffix not in _NO_MAILS)
            if not found:
                raise typer.BadParameter(f"{argument}: no mail is in this folder")
            files += found
        elif argument.is_file() and os.access(argument, os.R_OK):
            files.append(argument)
        else:
            raise typer.BadParameter(f"{argument}: no such mail, or it cannot be read")
    named: dict[str, Path] = {}
    for file in files:
        stem = file.stem if file.suffix.lower() in _MAIL_NAMES else file.name
        names = chain([stem], (f"{stem}-{number}" for number in count(2)))
        named[next(name for name in names if name not in named)] = file
    return list(named.items())


def parsed(
    mails: list[tuple[str, Path]], settings: SandboxSettings, jobs: int
) -> Iterator[tuple[str, Path, MailOutcome]]:
    """Outcomes in the order of the mails, as they come; a terminal sees how far it is."""
    outcomes = _outcomes(mails, settings, jobs)
    if sys.stderr.isatty():
        outcomes = iter(track(outcomes, "mails", total=len(mails), console=Console(stderr=True)))
    return outcomes


def _outcomes(
    mails: list[tuple[str, Path]], settings: SandboxSettings, jobs: int
) -> Iterator[tuple[str, Path, MailOutcome]]:
    """Each thread has a sandbox of its own."""
    from parsers.sandbox import Sandbox

    free: SimpleQueue[Sandbox] = SimpleQueue()
    with ExitStack() as stack:
        for _ in range(min(jobs, len(mails))):
            free.put(stack.enter_context(Sandbox(settings)))

        def outcome(mail: tuple[str, Path]) -> tuple[str, Path, MailOutcome]:
            name, file = mail
            sandbox = free.get()
            try:
                return name, file, sandbox.parse(file.read_bytes())
            finally:
                free.put(sandbox)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        yield from pool.map(outcome, mails)


def _write(file: Path, outcome: MailOutcome) -> None:
    from parsers.goldform import gold_lines

    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as lines:
        lines.writelines(gold_lines(outcome))


def _summary(file: Path, outcome: MailOutcome) -> dict[str, object]:
    return {
        "file": str(file),
        "state": str(outcome.state),
        "code": str(outcome.code) if outcome.code else None,
        "quotes": sum(1 for quote in outcome.quotes if quote.duplicate_of is None),
        "rejects": len(outcome.rejects),
        "parts": len(outcome.parts),
    }
