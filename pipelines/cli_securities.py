"""The command that builds a dictionary of instruments: securities build."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.helptext import Group
from conf.printable import printable
from conf.process import prepare

if TYPE_CHECKING:
    from pipelines.readers.securities import Instrument

securities = typer.Typer(no_args_is_help=True, cls=Group, help="The dictionary of instruments: build.")
_SHOWN = 10  # instruments that are left out


@securities.command()
def build(
    file: Annotated[Path, typer.Argument(help="The master file to write, CSV.", show_default=False)],
    *,
    days: Annotated[int, typer.Option(min=1, max=36_500, help="From the sheets of so many days.")] = 30,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build a master file of instruments from what your published sheets print of them ([parsers] securities).

    Taken are accepted rows of tables with a valid identifier, whose class a heading, a title or a name says. An
    instrument of which sheets say two classes is left out, and told. A file that was built before is replaced, at once;
    any other is left alone.

    Examples:
      otclog securities build securities.csv
      otclog securities build securities.csv --days 90
    """
    from log.disk.files import replace_file
    from parsers.securities.errors import SecuritiesError
    from parsers.securities.master import COLUMNS, of_rows
    from parsers.securities.sheets import content_of, rows_of
    from pipelines.readers.securities import as_csv, instruments, since_of
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes():
        settings = prepare(config)
        if file.exists() and not content_of(file).startswith(as_csv([]).encode()):
            raise SecuritiesError(f"{file}: was not built by otclog, and is left as it is: name another file")
        found, contradicted = instruments(store_of(settings.tables), since_of(datetime.now(UTC).date(), days))
        text = as_csv(found).encode()
        of_rows(rows_of(text, COLUMNS))  # nothing is written that would be refused
        replace_file(file.absolute(), text)
        _tell(contradicted)
        emit([{"file": file, "instruments": len(found), "left_out": len(contradicted)}], as_json=as_json)


def _tell(contradicted: list[Instrument]) -> None:
    for each in contradicted[:_SHOWN]:
        said = sorted((name, sorted(values)) for name, values in each.said.items() if values)
        told = "; ".join(f"{name} {', '.join(values)}" for name, values in said)
        typer.echo(printable(f"left out, for its sheets contradict each other: {told}"), err=True)
    if len(contradicted) > _SHOWN:
        typer.echo(f"... and {len(contradicted) - _SHOWN} more", err=True)
