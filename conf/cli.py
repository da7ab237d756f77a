"""What every command shares: `--config`, `--json`, printing, and errors that become exit codes.

Exit codes: 0 done, 1 failed, 2 usage or settings, 75 try again (EX_TEMPFAIL of sysexits.h), 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from conf.home import kind_of, make_home
from conf.messages import flush_messages, tell
from conf.printable import printable, said
from conf.table import table_lines
from conf.wrapping import wrapped

TRY_AGAIN = 75
_NO_LIMITS: Mapping[str, int] = MappingProxyType({})
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", help="The settings file. Default: $OTCLOG_CONFIG, else ./otclog.toml.", show_default=False
    ),
]
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_DURATION = re.compile("".join(rf"(?:{_NUMBER}{unit})?" for unit in ("d", "h", "m(?!s)", "s", "ms")), re.ASCII)
_UNITS_S = (86_400, 3_600, 60, 1, 0.001)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object a line instead of a table.")]


def emit(
    rows: Iterable[Mapping[str, Any]],
    *,
    as_json: bool,
    columns: Sequence[str] = (),
    most: Mapping[str, int] = _NO_LIMITS,
) -> bool:
    """Print rows: JSON lines with every key, or a table of `columns` (default: the first row's keys).

    `most`: how many cells a value may have beside others, as of `table_lines`. Whether somebody still reads it; where
    there is no row, that is said on stderr.
    """
    unread = iter(rows)
    first = list(islice(unread, 1))
    if not first:
        typer.echo("nothing to show", err=True)
        return True
    if as_json:
        texts = (json.dumps(row, default=_plain).replace("\x7f", "\\u007f") for row in chain(first, unread))
        return all(_is_read(f"{text}\n") for text in texts)  # up to the first that nobody reads
    listed = [*first, *unread]
    shown = list(columns or listed[0])
    numbers = [all(isinstance(row.get(name), int | float | Decimal | None) for row in listed) for name in shown]
    cells = [[printable(_text(row.get(name))) for name in shown] for row in listed]
    limits = {shown.index(name): wide for name, wide in most.items() if name in shown}
    return write_lines(table_lines([shown, *cells], numbers, edge(), limits))


def emit_fields(row: Mapping[str, Any]) -> None:
    """Print one row for people, a line each value that it has, behind its name."""
    wide = max(map(len, row)) + 2
    for name, value in row.items():
        if value is not None:
            write_lines(wrapped(printable(_text(value)), edge(), f"{name:<{wide}}"))


def emit_changes(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows of `column`, `before` and `after` for people, a line each: `dealer  oakmere.example -> Oakmere`."""
    wide = max((len(row["column"]) for row in rows), default=0) + 2
    for row in rows:
        before, after = (_text(row[name]) or "nothing" for name in ("before", "after"))
        write_lines(wrapped(printable(f"{before} -> {after}"), edge(), f"{row['column']:<{wide}}"))


def edge() -> int | None:
    """How many cells a line may have: as the terminal has; None: a file or pipe, where none is wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def write_lines(lines: Iterable[str]) -> bool:
    """To stdout; where its reader has left (`| head`), nothing is said. Whether somebody still reads it."""
    return _is_read("".join(f"{line}\n" for line in lines))


def _is_read(text: str) -> bool:
    """Write to stdout; whether somebody still reads it.

    A reader that has left (`| head`) ends what is printed, and neither the work nor what the exit code says of it.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter's own flush complains
        return False
    return True


def seconds(text: str) -> float:
    """A duration as every option takes it: 90d, 36h, 15m, 2s, 500ms, or several, the longest first: 1h30m.

    Raises typer.BadParameter for what is none, and for one of no length.
    """
    found = _DURATION.fullmatch(text)
    length = sum(float(number) * unit for number, unit in zip(found.groups("0"), _UNITS_S, strict=True)) if found else 0
    if not length:
        raise typer.BadParameter(f"{text!r} is no duration: write 90d, 36h, 1h30m, 15m, 2s or 500ms")
    return length


def day(text: str) -> date:
    """A day as every option takes it. Raises typer.BadParameter."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 -- a day has no zone
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no day: write YYYY-MM-DD, as 2026-11-22") from None


def days_from(done: str) -> Any:
    """The option `--since-day` of what is chosen by the day on which it was done so, as `Received`."""
    told = f"{done} on this day (UTC) or later."
    return typer.Option("--since-day", parser=day, metavar="YYYY-MM-DD", help=told, show_default=False)


def days_until(done: str) -> Any:
    """The option `--until-day`, as above."""
    told = f"{done} on this day (UTC) or before."
    return typer.Option("--until-day", parser=day, metavar="YYYY-MM-DD", help=told, show_default=False)


SinceOption = Annotated[date | None, days_from("Received")]
UntilOption = Annotated[date | None, days_until("Received")]


@contextmanager
def errors_to_exit_codes() -> Iterator[None]:
    """Turn our errors and the system's into one line, where messages go, and an exit code.

    Ours are those with `retriable` (true: 75) or `exit_code` on their class; of the system's a full disk is to be tried
    again. Anything else is a defect and keeps its traceback.
    """
    try:
        yield
    except KeyboardInterrupt:
        tell("otclog: stopped", logging.WARNING)
        raise typer.Exit(130) from None
    except Exception as error:
        if not (hasattr(error, "retriable") or hasattr(error, "exit_code") or isinstance(error, OSError)):
            tell(f"otclog: {type(error).__name__}", logging.CRITICAL, defect=True)
            raise
        if isinstance(error, typer.Exit):
            raise
        tell(f"otclog: {printable(said(error))}", logging.ERROR)
        full = isinstance(error, OSError) and error.errno in _NO_SPACE
        code = TRY_AGAIN if full or getattr(error, "retriable", False) else getattr(error, "exit_code", 1)
        raise typer.Exit(code) from error
    finally:
        flush_messages()


def init(
    home: Annotated[Path, typer.Argument(help="The folder to make.")],
    mail: Annotated[
        list[Path] | None,
        typer.Option(
            help="Your Maildir or drop folder; again for each other one. Default: a new Maildir inside HOME.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a home: a folder with settings for your own mail.

    Examples:
      otclog init ~/prices --mail ~/Maildir
      otclog init ~/prices --mail ~/Maildir --mail /srv/drop
      cd ~/prices && otclog watch
    """
    with errors_to_exit_codes():
        file = make_home(home, mail or ())
        emit([{"home": home, "config": file}], as_json=as_json)
        if not as_json:
            otclog, place = _program(), shlex.quote(str(home))
            for folder in mail or ():
                typer.echo(printable(_KINDS[kind_of(folder)].format(folder)))
            typer.echo(
                f"\nNext: cd {place} && {otclog} doctor && {otclog} watch"
                f"   (and, in another terminal, `{otclog} extract`; then `{otclog} prices`)\n"
                "watch deletes a mail's file once the log has the mail; "
                f'to keep the files, set done = "move" in {file} first'
            )


_KINDS = {
    "maildir": '{} is a Maildir (kind = "maildir"): it has a new/, whose files are taken',
    "drop": (
        '{} is a drop folder (kind = "drop"): any file in it is taken, for it has no new/. If it is to become a '
        'Maildir, set kind = "maildir" in the settings'
    ),
}


def _program() -> str:
    """How this program is typed: `otclog` where PATH finds this very one, else its path."""
    own = Path(sys.argv[0]).absolute()
    found = shutil.which(own.name)
    return own.name if found and Path(found).samefile(own) else shlex.quote(str(own))


def _plain(value: Any) -> Any:
    """JSON's form of what JSON lacks: decimals as strings, times RFC 3339 in UTC."""
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _text(value: Any) -> str:
    """A cell of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_text(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, default=_plain, ensure_ascii=False)
    return str(value) if isinstance(value, str | int | float) else str(_plain(value))


def decimal_text(value: Decimal) -> str:
    """Digits without exponent and trailing zeros: 98.25, 5000000, 0."""
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in {"-0", ""} else text
