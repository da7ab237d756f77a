"""The command `otclog ops ship`."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.heartbeat import Heartbeat
from conf.printable import counted
from conf.process import Stop, signals_call
from log.command import settings_and_log
from log.opslog import TOPIC
from ops.cli import ops
from ops.shipping.batch import Source
from ops.shipping.opening import files_followed, journal_followed, pipe_read
from ops.shipping.rotated import rotations
from ops.shipping.shipper import Shipper

_UNIT = re.compile(r"[\w.@:/-]{1,128}", re.ASCII)


@ops.command()
def ship(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files that programs write lines to; with --journal one file or folder of journals."),
    ] = None,
    *,
    journal: Annotated[
        bool, typer.Option("--journal", help="systemd's journal: this machine's, or the one named.")
    ] = False,
    stdin: Annotated[bool, typer.Option("--stdin", help="Standard input; needs --unit.")] = False,
    unit: Annotated[
        str | None,
        typer.Option(help="Whose lines they are. Default: a file's name without .log.", show_default=False),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="What is there now, and end.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ship other programs' lines into the topic `ops`, where otclog's own messages are: each once, whatever restarts.

    A file is followed through its rotations: renamed, copied and truncated, packed by gzip. One that is new is shipped
    from its beginning, a journal from its first entry. The place that was reached is kept in `shipping` of the log's
    root, after the log has the lines: a process that is killed in between ships that portion again.

    Each record has timestamp, level, event, host, unit and process. What reads like a secret is masked.

    Runs until SIGTERM or Ctrl-C; standard input until its end. While the log cannot take lines it is tried again, files
    and journals wait, and what comes on standard input is held in memory, up to 8 MiB.

    Examples:
      otclog ops ship /var/log/mail.log /var/log/dovecot.log
      otclog ops ship --journal
      otclog ops ship --journal /var/log/journal/remote --once --json
      fetchmail -v 2>&1 | otclog ops ship --stdin --unit fetchmail
    """
    paths = list(dict.fromkeys(Path(os.path.abspath(file)) for file in files or ()))  # noqa: PTH100 -- a link's own name
    _check(paths, unit, journal=journal, stdin=stdin)
    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, log):
        begun, stop, root = time.monotonic(), Stop(), settings.log.root
        named = "stdin" if stdin else ", ".join(map(str, paths)) or "journal"
        with (
            _sources(paths, root, unit, journal=journal, once=once) as sources,
            Heartbeat(root, "ship", named) as beats,
        ):
            shipper = Shipper(log, sources, beats, stop, once=once)
            with signals_call(stop.set):
                shipper.run()
        if as_json:
            emit([{"lines": shipper.lines, "seconds": round(time.monotonic() - begun, 3)}], as_json=True)
        else:
            typer.echo(f"{counted(shipper.lines, 'line')} into topic {TOPIC}")


def _check(paths: list[Path], unit: str | None, *, journal: bool, stdin: bool) -> None:
    """Raises typer.BadParameter for what does not go together."""
    if journal + stdin + (bool(paths) and not journal) != 1:
        raise typer.BadParameter("name files, or one of --journal and --stdin")
    if journal and (unit or len(paths) > 1):
        raise typer.BadParameter("--journal goes with one file or folder at most; its lines have units of their own")
    if stdin and not unit:
        raise typer.BadParameter("--stdin needs --unit: whose lines are they?")
    if unit is not None and not _UNIT.fullmatch(unit):
        raise typer.BadParameter(f"{unit!r} is no unit: letters, digits and . _ @ : / - alone, 128 at most")
    for path in paths:
        if of := next((other for other in paths if path in rotations(other)), None):
            raise typer.BadParameter(
                f"{path} is what {of} was rotated to, and is followed with it: name that one alone"
            )


def _sources(
    paths: list[Path], root: Path, unit: str | None, *, journal: bool, once: bool
) -> AbstractContextManager[Sequence[Source]]:
    if journal:
        return journal_followed(paths[0] if paths else None, root, once=once)
    return files_followed(paths, root, unit, once=once) if paths else pipe_read(sys.stdin.fileno(), unit or "")
