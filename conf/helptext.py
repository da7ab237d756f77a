"""What `--help` shows of a command: its docstring, broken where the terminal ends, and switches that take no value."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from typer.core import TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable


def help_text(command: Callable[..., Any]) -> str:
    """The docstring: a paragraph's lines run on, indented ones stay; what is in brackets is a word, and no markup."""
    return escape(re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(command) or ""))


class Command(TyperCommand):
    """A command whose switches are shown without a type: Typer writes `--once <bool>`, as if a value were to follow."""

    def get_params(self, ctx: Any) -> Any:
        """Its parameters, `--help` among them."""
        return _without_types_of_switches(super().get_params(ctx))


class Group(TyperGroup):
    """The same for what has commands below it."""

    def get_params(self, ctx: Any) -> Any:
        """Its parameters, `--help` among them."""
        return _without_types_of_switches(super().get_params(ctx))


def _without_types_of_switches(parameters: list[Any]) -> list[Any]:
    for each in parameters:
        if isinstance(each, TyperOption) and each.is_flag:
            each.metavar = ""
    return parameters
