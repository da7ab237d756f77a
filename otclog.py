"""The `otclog` command: mounts each package's commands under one name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from typing import Annotated, NoReturn


def _stopped() -> NoReturn:
    """Ctrl-C while the command was made ready."""
    sys.stderr.write("otclog: stopped\n")
    sys.exit(130)


try:  # they take a while
    import typer

    import conf.cli
    import conf.process
    import ingest.cli
    import ingest.importing.cli
    import ingest.lmtp.cli
    import log.cli
    import log.consumers.cli
    import log.consumers.rewinding.cli
    import log.kafka.cli
    import log.lag.cli
    import log.replicas.cli
    import log.topics.cli
    import log.verify.cli
    import ops.alerts.cli
    import ops.analysis.cli
    import ops.cli
    import ops.metrics.cli
    import ops.report.cli
    import ops.searching.cli
    import ops.shipping.cli
    import parsers.cli
    import parsers.scoring.cli
    import pipelines.cli
    import pipelines.cli_figures
    import pipelines.cli_first_steps
    import pipelines.cli_learn
    import pipelines.cli_mail
    import pipelines.cli_maintain
    import pipelines.cli_read
    import pipelines.cli_recover
    import pipelines.cli_reparse
    import pipelines.cli_securities
    import pipelines.cli_shadow
    import pipelines.cli_upgrade
    from conf.helptext import Command, Group, help_text
except KeyboardInterrupt:
    _stopped()

app = typer.Typer(
    name="otclog",
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

_BEGIN, _IN, _OUT, _PARSER, _LOG = "Begin here", "Mail in", "Prices out", "The parser alone", "The log"
_PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    _BEGIN: (
        pipelines.cli_first_steps.demo,
        conf.cli.init,
        ops.cli.doctor,
        ops.cli.status,
    ),
    _IN: (
        ingest.cli.watch,
        ingest.lmtp.cli.lmtp,
        ingest.importing.cli.import_mails,
    ),
    _OUT: (
        pipelines.cli.extract,
        pipelines.cli_reparse.reparse,
        pipelines.cli_read.prices,
        pipelines.cli_read.explain,
        pipelines.cli_read.rejects,
        pipelines.cli_figures.day,
        pipelines.cli_figures.runs,
        pipelines.cli_mail.mail,
        pipelines.cli_learn.learn,
        pipelines.cli_maintain.maintain,
        pipelines.cli_upgrade.upgrade,
    ),
    _PARSER: (
        parsers.cli.parse,
        parsers.scoring.cli.score,
        ingest.cli.generate,
    ),
}
for panel, commands in _PANELS.items():
    for command in commands:
        name = "import" if command is ingest.importing.cli.import_mails else None
        app.command(name, rich_help_panel=panel)(command)
app.add_typer(ingest.cli.route, name="route", rich_help_panel=_IN, cls=Group)
app.add_typer(pipelines.cli_shadow.shadow, name="shadow", rich_help_panel=_OUT, cls=Group)
app.add_typer(ops.cli.ops, name="ops", rich_help_panel=_LOG, cls=Group)
app.add_typer(pipelines.cli_securities.securities, name="securities", rich_help_panel=_PARSER, cls=Group)
app.add_typer(log.cli.topic, name="topic", rich_help_panel=_LOG, cls=Group)
app.add_typer(log.cli.records, name="log", rich_help_panel=_LOG, cls=Group)
app.add_typer(log.consumers.cli.group, name="group", rich_help_panel=_LOG, cls=Group)
app.add_typer(log.replicas.cli.replica, name="replica", rich_help_panel=_LOG, cls=Group)
app.add_typer(log.kafka.cli.kafka, name="kafka", rich_help_panel=_LOG, cls=Group)


def _dress(group: typer.Typer) -> None:
    """Every command's help is its docstring."""
    for registered in group.registered_commands:
        if registered.callback:
            registered.help = help_text(registered.callback)
            registered.cls = Command
    for mounted in group.registered_groups:
        if mounted.typer_instance:
            of_itself = mounted.typer_instance.registered_callback
            if of_itself and of_itself.callback:
                of_itself.help = help_text(of_itself.callback)
            _dress(mounted.typer_instance)


_dress(app)


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
    except SystemExit as ended:
        if isinstance(ended.code, int):
            conf.process.leave(ended.code)
        raise


if __name__ == "__main__":
    main()
