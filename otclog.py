"""The `otclog` command: mounts each package's commands under one name."""

from __future__ import annotations

import typer

import conf.cli
import ingest.cli
import ingest.importing.cli
import ingest.lmtp.cli
import log.cli
import log.consumers.cli
import log.replicas.cli
import log.topics.cli
import log.verify.cli
import parsers.cli
import pipelines.cli
import pipelines.cli_first_steps
import pipelines.cli_read

app = typer.Typer(
    name="otclog",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="OTC prices out of dealers' mail: a replicated commit log in, Delta tables out, rewind and reparse.",
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
    parsers.cli.parse,
):
    app.command()(command)
app.command("import")(ingest.importing.cli.import_mails)
app.add_typer(ingest.cli.route, name="route")
app.add_typer(log.cli.topic, name="topic")
app.add_typer(log.cli.records, name="log")
app.add_typer(log.consumers.cli.group, name="group")
app.add_typer(log.replicas.cli.replica, name="replica")


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
