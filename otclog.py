"""The `otclog` command: mounts each package's commands under one name."""

from __future__ import annotations

import inspect
import sys
from importlib import metadata
from typing import Annotated, NoReturn


def _stopped() -> NoReturn:
    """Ctrl-C while the command was made ready."""
    sys.stderr.write("otclog: stopped\n")
    sys.exit(130)


try:  # they take a while
    import typer
    from rich.markup import escape

    import conf.cli
    import ingest.cli
    import ingest.importing.cli
    import ingest.lmtp.cli
    import log.cli
    import log.consumers.cli
    import log.consumers.rewinding.cli
    import log.replicas.cli
    import log.topics.cli
    import log.verify.cli
    import parsers.cli
    import pipelines.cli
    import pipelines.cli_first_steps
    import pipelines.cli_mail
    import pipelines.cli_read
except KeyboardInterrupt:
    _stopped()

app = typer.Typer(
    name="otclog",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

for command in (
    pipelines.cli_first_steps.demo,
    conf.cli.init,
    pipelines.cli_first_steps.doctor,
    ingest.cli.generate,
    ingest.cli.watch,
    ingest.lmtp.cli.lmtp,
    pipelines.cli.extract,
    pipelines.cli.reparse,
    pipelines.cli_read.prices,
    pipelines.cli_read.explain,
    pipelines.cli_read.rejects,
    pipelines.cli_mail.mail,
    parsers.cli.parse,
    parsers.cli.score,
):
    app.command()(command)
app.command("import")(ingest.importing.cli.import_mails)
app.add_typer(ingest.cli.route, name="route")
app.add_typer(log.cli.topic, name="topic")
app.add_typer(log.cli.records, name="log")
app.add_typer(log.consumers.cli.group, name="group")
app.add_typer(log.replicas.cli.replica, name="replica")

for each in (app, *(mounted.typer_instance for mounted in app.registered_groups)):
    for registered in each.registered_commands if each else ():
        registered.help = escape(inspect.getdoc(registered.callback) or "")  # [lmtp] is a table of the settings


def _version(asked: bool) -> None:  # noqa: FBT001 -- an option's callback
    if asked:
        python = ".".join(map(str, sys.version_info[:3]))
        typer.echo(f"otclog {metadata.version('otclog')} (parser {parsers.__version__}, Python {python})")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version, and end.")
    ] = False,
) -> None:
    """OTC prices out of dealers' mail: a replicated commit log in, Delta tables out, rewind and reparse."""


def main() -> None:
    """Entry point of the console script."""
    try:
        app()
    except KeyboardInterrupt:
        _stopped()


if __name__ == "__main__":
    main()
