"""The command `otclog ops analyse`."""

from __future__ import annotations

from dataclasses import asdict

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.printable import counted
from log.command import settings_and_log
from ops.cli import ops


@ops.command()
def analyse(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Take what programs said into the topic `ops` since the last time into a table, for `search` and `report`.

    Reads as group ops-analyse, and puts each line once into the table `events`, below `ops` in the tables' root, which
    keeps them for 90 days. A run that was cut off is done anew. Starts no Spark.

    Examples:
      otclog ops analyse
      otclog ops analyse --json
      otclog group rewind ops-analyse ops --to-earliest --execute && otclog ops analyse
    """
    from ops.analysis.analyse import analyse as analyse_all

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, log):
        done = analyse_all(settings, log)
        if as_json:
            emit([asdict(done)], as_json=True)
            return
        expired = f"; {counted(done.expired, 'line')} had expired before" if done.expired else ""
        typer.echo(f"{counted(done.lines, 'line')} analysed{expired}")
