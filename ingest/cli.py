"""The commands of this package: `otclog watch`, `otclog route` and `otclog generate`."""

from __future__ import annotations

import re
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

import conf
from conf import Settings
from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from conf.heartbeat import Heartbeat
from conf.messages import tell
from conf.process import signals_call
from ingest.accept import Intake
from ingest.command import Total, counted, reporting
from ingest.mail import Mail
from ingest.opening import intake_log
from ingest.routing import Router
from ingest.watch import Watcher
from log import CommitLog


def watch(
    once: Annotated[bool, typer.Option("--once", help="Take what is there now, and end.")] = False,
    forget: Annotated[
        list[str] | None,
        typer.Option(
            help="Forget the mail with this SHA-256, so that it is taken once more when it comes again; and end.",
            show_default=False,
        ),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take mails out of the folders of [ingest] into the log; a file goes when its record is durable.

    Ends on SIGTERM or Ctrl-C after the batch in hand; a second signal ends it at once. With --json: one line a batch.
    Without --once the log is tended meanwhile, as `otclog log tend` does.

    Examples:
      otclog watch
      otclog watch --once --json
      otclog watch --forget 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    """
    with errors_to_exit_codes(), intake_log(config) as (settings, log):
        if forget:
            _forget(log, settings, forget, as_json=as_json)
            return
        folders = ", ".join(str(source.path) for source in settings.ingest.sources)
        with (
            Heartbeat(settings.log.root, "watch", folders) as heartbeat,
            reporting(Total("put aside in failed/"), "watching", as_json=as_json) as report,
        ):
            watcher = Watcher(log, settings, counted(heartbeat, report), heartbeat.beat)
            if not once and not as_json:
                _say_what_is_watched(settings)
            with signals_call(watcher.stop):
                (watcher.run_once if once else watcher.run)()


def _say_what_is_watched(settings: Settings) -> None:
    becomes = {"delete": "is deleted", "move": "is moved to done/", "keep": "stays"}
    for source in settings.ingest.sources:
        what = becomes[source.done or settings.ingest.done]
        tell(f"watching {source.kind}:{source.path}; a file {what} once the log has its mail")


route = typer.Typer(help="Which topic mails go to.", no_args_is_help=True)


@route.command()
def explain(
    file: Annotated[Path, typer.Argument(help="A mail.", exists=True, dir_okay=False)],
    source: Annotated[
        str | None, typer.Option(help="As if found there: maildir:PATH or drop:PATH. Default: drop:FOLDER.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show each routing rule and why the mail does or does not meet it. Nothing is published.

    Examples:
      otclog route explain mail.eml
      otclog route explain mail.eml --source maildir:/home/desk/Maildir --json
    """
    with errors_to_exit_codes():
        settings = conf.load(config)
        path = file.absolute()
        if not path.is_file():
            raise typer.BadParameter(f"{file} is no regular file")
        router = Router(settings.ingest.routes, settings.ingest.topic)
        mail = Mail.of(path.read_bytes(), source or f"drop:{path.parent}", path.name, path.stat().st_mtime_ns)
        emit([row._asdict() for row in router.explain(mail)], as_json=as_json)


def generate(
    mails: Annotated[int, typer.Option(min=1, help="How many mails.")],
    out: Annotated[Path, typer.Option(help="A folder, or a Maildir, to write them to.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same mails, byte for byte.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Write realistic mails with known truth, for demos and load; what they say goes to OUT/truth.jsonl.

    65 % text runs, 15 % XLSX, 10 % PDF, 5 % HTML, 3 % DOCX, 2 % CSV and zipped CSV; 9.2 quotes a mail in the mean; 43
    asset classes, 70,000 instruments, five languages. 310 documents are made once a seed and drawn from; one mail in
    2,500 is large, up to 19 MB. Unless OUT is a Maildir, each mail's truth is also beside it, as CASE.jsonl.

    Examples:
      otclog generate --mails 1000 --out mails
      otclog generate --mails 5000 --out ~/prices/mail --seed 7
    """
    from ingest.generate import generate as write_mails

    with errors_to_exit_codes():
        started = time.monotonic()
        written = write_mails(out, mails, seed)
        if sys.stderr.isatty():
            written = iter(track(written, "mails", total=mails, console=Console(stderr=True)))
        quotes = sum(written)
        seconds = round(time.monotonic() - started, 3)
        emit([{"out": out, "mails": mails, "quotes": quotes, "seed": seed, "seconds": seconds}], as_json=as_json)


def _forget(log: CommitLog, settings: conf.Settings, digests: list[str], *, as_json: bool) -> None:
    for digest in digests:
        if not re.fullmatch("[0-9a-fA-F]{64}", digest):
            raise typer.BadParameter(f"{digest!r} is no SHA-256: 64 hexadecimal digits", param_hint="--forget")
    with closing(Intake(log, settings)) as intake:
        places = {digest.lower(): intake.forget(digest.lower()) for digest in digests}
    rows = [{"sha256": digest, **at._asdict()} for digest, found in places.items() for at in found]
    emit(rows, as_json=as_json)
    if unknown := [digest for digest, found in places.items() if not found]:
        typer.echo(f"otclog: the log has no mail with the SHA-256 {', '.join(unknown)}", err=True)
        raise typer.Exit(1)
