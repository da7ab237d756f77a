"""The `otclog` command: mounts each package's commands under one name."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Annotated

import typer

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes

app = typer.Typer(
    name="otclog",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="OTC prices out of dealers' mail: a replicated commit log in, Delta tables out, rewind and reparse.",
)
