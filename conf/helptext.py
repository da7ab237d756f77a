"""What commands share: `--help` from their docstrings, switches that take no value, no option twice."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable


def help_text(command: Callable[..., Any]) -> str:
    """The docstring: a paragraph's lines run on, indented ones stay; what is in brackets is a word, and no markup."""
    return escape(re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(command) or ""))


class Command(TyperCommand):
    """A command whose switches are shown without a type: Typer writes `--once <bool>`, as if a value were to follow.

    What is in brackets in the help of its parameters is a word, and no markup.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in self.params:
            if isinstance(each, TyperArgument | TyperOption) and each.help:
                each.help = escape(each.help)

    def get_params(self, ctx: Any) -> Any:
        """Its parameters, `--help` among them."""
        return _without_types_of_switches(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Its arguments. An option given again that takes one value is refused: the last would win without a word."""
        *_, given = self.make_parser(ctx).parse_args(args=args.copy())
        for option, times in Counter(given).items():
            if times > 1 and isinstance(option, TyperOption) and not (option.multiple or option.is_flag):
                raise typer.BadParameter(f"{option.opts[0]} was given {times} times: it takes one value", ctx)
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A command that has commands below it; its switches are shown without a type, too."""

    def get_params(self, ctx: Any) -> Any:
        """Its parameters, `--help` among them."""
        return _without_types_of_switches(super().get_params(ctx))


def _without_types_of_switches(parameters: list[Any]) -> list[Any]:
    for each in parameters:
        if isinstance(each, TyperOption) and each.is_flag:
            each.metavar = ""
    return parameters
