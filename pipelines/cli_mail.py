"""The command `otclog mail`: one mail as the parsers see it, part by part."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conf.cli import ConfigOption, JsonOption, emit, emit_fields, errors_to_exit_codes
from log.command import settings_and_log
from parsers.cli import settings_or_defaults
from pipelines.errors import NothingToRead

if TYPE_CHECKING:
    from parsers.outcome import MailOutcome
    from parsers.sandbox import SandboxSettings

_BELOW = ("/", ".", "!")  # what stands between a part's path and that of a part inside it
_COLUMNS = ("part", "state", "code", "quotes", "type", "bytes", "file", "detail")


def mail(
    where: Annotated[
        str, typer.Argument(help="A position (mails:0:17, mails-0@17), a Message-ID, or a file.", show_default=False)
    ],
    *,
    raw: Annotated[bool, typer.Option("--raw", help="Give the mail's own bytes instead.")] = False,
    part: Annotated[
        str | None, typer.Option(help="Give this part's bytes instead, decoded and unpacked.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="A new file for the bytes. Default: stdout.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a mail as the parsers see it: its state, and the tree of its parts with what became of each.

    It is parsed anew, in the sandbox, with today's parser: nothing is published. --json prints the mail on the first
    line and a part on each other.

    Examples:
      otclog mail mails:0:17
      otclog mail samples/ig_usd_run_text.eml --json
      otclog mail mails-0@17 --part 2/zip:runs.zip!ig.xlsx -o ig.xlsx
      otclog mail mails:0:17 --raw > mail.eml
      otclog mail '<20261120.17@dealer.example>'
    """
    if (raw and part is not None) or (out and not (raw or part)):
        raise typer.BadParameter("give --raw or --part PATH, and -o FILE with one of them")
    with errors_to_exit_codes():
        settings, value = _read(where, config)
        if raw:
            _give(value, out)
        elif part is not None:
            _give(_bytes_of(value, part, where, settings), out)
        else:
            _show(_parsed(value, settings), as_json=as_json)


def _read(where: str, config: Path | None) -> tuple[SandboxSettings, bytes]:
    """What the parsers are to be told, and the mail. A file needs no home."""
    file = Path(where)
    if file.is_file():
        return settings_or_defaults(config), file.read_bytes()
    from pipelines.readers.mail_at import mail_at, require_place

    require_place(where)  # before a log is looked for
    with settings_and_log(config) as (settings, log):
        return settings.parsers, mail_at(settings, log, where)


def _bytes_of(value: bytes, path: str, where: str, settings: SandboxSettings) -> bytes:
    """The part's bytes, unpacked in the sandbox."""
    from parsers.sandbox import Sandbox
    from parsers.sandbox.failures import ChildFailed

    try:
        with Sandbox(settings) as sandbox:
            found = sandbox.part_bytes(value, path)
    except ChildFailed as error:
        raise NothingToRead(f"{where}: part {path} cannot be unpacked: {error}") from error
    if found is None:
        raise NothingToRead(f"{where}: no part {path} that has bytes of its own; without --part the parts are shown")
    return found


def _give(data: bytes, out: Path | None) -> None:
    if out is not None:
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        return
    if sys.stdout.isatty():
        raise NothingToRead("somebody else's bytes may steer a terminal: name a file with -o, or redirect")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _parsed(value: bytes, settings: SandboxSettings) -> MailOutcome:
    from parsers.sandbox import Sandbox

    with Sandbox(settings) as sandbox:
        return sandbox.parse(value)


def _show(outcome: MailOutcome, *, as_json: bool) -> None:
    head = {
        "message_key": outcome.message_key,
        "message_id": outcome.message_id,
        "from": outcome.sender,
        "subject": outcome.subject,
        "date": outcome.sent_at,
        "state": str(outcome.state),
        "code": outcome.code and str(outcome.code),
        "bytes": outcome.size_bytes,
        "quotes": len(outcome.quotes),
    }
    if as_json:
        emit(chain([head], _rows(outcome)), as_json=True)
        return
    emit_fields(head)
    typer.echo()
    emit(
        ({**row, "part": "  " * row["depth"] + row["part"]} for row in _rows(outcome)), as_json=False, columns=_COLUMNS
    )


def _rows(outcome: MailOutcome) -> Iterator[dict[str, Any]]:
    """The parts in document order, each with how deep it stands."""
    above: list[str] = []
    for part in outcome.parts:
        while above and not any(part.part_path.startswith(above[-1] + mark) for mark in _BELOW):
            above.pop()
        yield {
            "part": part.part_path,
            "depth": len(above),
            "state": str(part.state),
            "code": part.code and str(part.code),
            "quotes": part.quotes,
            "type": part.content_type,
            "declared_type": part.declared_type,
            "bytes": part.size_bytes,
            "sha256": part.part_sha256,
            "file": part.file_name,
            "detail": part.detail,
        }
        above.append(part.part_path)
