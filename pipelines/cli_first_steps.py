"""The command for the first hour: demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from conf.cli import JsonOption, errors_to_exit_codes


def demo(
    home: Annotated[Path, typer.Argument(help="Where the demo keeps its data; made anew.")] = Path("demo"),
    as_json: JsonOption = False,
) -> None:
    """Sample mails in, prices out, rewind and reparse: the commands a user would type, one after the other.

    Examples:
      otclog demo
      otclog demo /tmp/otclog-demo
      otclog demo --json
    """
    from pipelines.demo import run_demo

    with errors_to_exit_codes():
        run_demo(home.absolute(), as_json=as_json)
