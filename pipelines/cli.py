"""The commands that fill the tables: extract, reparse."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import conf
from conf.cli import ConfigOption, JsonOption, SinceOption, UntilOption, emit, errors_to_exit_codes, seconds
from conf.heartbeat import Heartbeat
from conf.process import Stop, signals_call
from log import LogError, is_there, no_log
from log.command import settings_and_log
from pipelines.errors import PipelineError, RecordsDamaged
from pipelines.progress import beating, working

if TYPE_CHECKING:
    from log import CommitLog
    from parsers.taught import Taught

logger = logging.getLogger(__name__)


def extract(
    *,
    group: Annotated[
        str | None, typer.Option(help="The consumer group. Default: `group` of the settings.", show_default=False)
    ] = None,
    topic: Annotated[
        str | None, typer.Option(help="The topic. Default: where ingest puts mails.", show_default=False)
    ] = None,
    max_mails: Annotated[
        int | None,
        typer.Option(min=1, help="Stop after this many mails. Default: no mail is left.", show_default=False),
    ] = None,
    every: Annotated[
        str | None, typer.Option(help="Go on, looking for new mails this often: 2s, 500ms, 1m.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Extract the prices of mails that the group has not read yet; its offsets move when the rows are published.

    One line a run; a backlog takes several. With --every one Spark session stays warm, a log that is not there yet is
    waited for, what can be tried again is (a table that another process writes, say), and SIGTERM or Ctrl-C ends after
    the run in hand. Each run reads the dealer table anew; behind a slip in it the one before stays in use.

    Of a partition with records that no replica has whole, those before them are extracted, and all of the others; then
    it ends with exit code 1, and says which are lost and how to go on behind them.

    Examples:
      otclog extract
      otclog extract --every 2s
      otclog extract --group check --max-mails 100 --json
    """
    from pipelines.jobs.extract import membership, require_topic
    from pipelines.jobs.taught import TaughtFiles

    with errors_to_exit_codes():
        pause_s = seconds(every) if every else None
        if pause_s and not _log_comes(config, pause_s):
            return
        with settings_and_log(config, writes=True) as (settings, log):
            names = group or settings.extract.group, topic or settings.ingest.topic
            if pause_s is None:
                require_topic(log, names[1])
            taught = TaughtFiles(settings.parsers.dealers)
            with (
                Heartbeat(settings.log.root, "extract", f"group {names[0]}, topic {names[1]}") as heartbeat,
                membership(log, *names),
            ):
                runs = _Runs(settings, log, *names, taught.read, heartbeat, max_mails, as_json)
                if pause_s is None:
                    _read_all(runs)
                    return
                with _stopped_by_signals(settings, heartbeat) as stop:
                    _follow(runs, pause_s, stop)


@dataclass(slots=True)
class _Runs:
    """Runs of a group, one after the other, each of which is told when it is done."""

    settings: conf.Settings
    log: CommitLog
    group: str
    topic: str
    taught: Callable[[], Taught]
    heartbeat: Heartbeat
    left: int | None  # mails that may be extracted yet; None: any number
    as_json: bool

    def next(self) -> bool:
        """Do one; whether there was something to do. Raises as `extract`."""
        from pipelines.jobs.extract import extract as extract_once

        most = min(self.settings.extract.max_mails, self.left or self.settings.extract.max_mails)
        with beating(self.heartbeat):
            summary = extract_once(self.settings, self.log, self.group, self.topic, most, taught=self.taught)
        if summary is None:
            return False
        self.left = self.left and max(0, self.left - summary.row["records"])
        self.heartbeat.count(runs=1, mails=summary.row["records"], quotes=summary.row["quotes"])
        _emit_summary(summary, as_json=self.as_json)
        return True


def _read_all(runs: _Runs) -> None:
    """Until the group has read all, or as many mails as it may."""
    while runs.left != 0:
        with working("extracting"):
            found = runs.next()
        if not found:
            typer.echo(f"group {runs.group} has read all of topic {runs.topic}", err=True)
            return


def _follow(runs: _Runs, pause_s: float, stop: Stop) -> None:
    """Extract what there is, and whatever comes then, until it is to stop. What can be tried again is."""
    if not runs.as_json:
        typer.echo(f"extracting topic {runs.topic} for group {runs.group}, looked at every {pause_s:g} s", err=True)
    told = ""
    while not stop.is_set and runs.left != 0:
        found = False
        try:
            found = runs.next()
        except (LogError, PipelineError, OSError) as error:
            if not _goes_on_behind(error):
                raise
            told = _warned(error, pause_s, told)
        if not found:
            runs.heartbeat.rest(pause_s, stop.wait, lambda: stop.is_set)


def _goes_on_behind(error: Exception) -> bool:
    """Whether a later run may do: it can be tried again, or other partitions are read meanwhile."""
    return bool(getattr(error, "retriable", True)) or isinstance(error, RecordsDamaged)


def _warned(error: Exception, pause_s: float, told: str) -> str:
    """What was told last; of damage the same is told once, not with each look."""
    if not isinstance(error, RecordsDamaged):
        logger.warning("%s (tried again in %g s)", error, pause_s)
        return told
    if str(error) != told:
        logger.warning("%s", error)
    return str(error)


def reparse(
    ranges: Annotated[
        list[str] | None,
        typer.Argument(
            help="TOPIC, TOPIC:PARTITION, TOPIC:PARTITION:OFFSET or TOPIC:PARTITION:FROM-TO (TO is not taken). "
            "Behind --stale: code.",
            show_default=False,
        ),
    ] = None,
    *,
    message_id: Annotated[str | None, typer.Option(help="Mails with this Message-ID.", show_default=False)] = None,
    sender: Annotated[str | None, typer.Option(help="Mails from this address.", show_default=False)] = None,
    dealer: Annotated[str | None, typer.Option(help="Mails of this dealer.", show_default=False)] = None,
    subject: Annotated[str | None, typer.Option(help="Mails with this in their subject.", show_default=False)] = None,
    code: Annotated[str | None, typer.Option(help="Mails with a reject of this code.", show_default=False)] = None,
    parser_version: Annotated[
        str | None, typer.Option(help="Mails parsed by this version.", show_default=False)
    ] = None,
    stale: Annotated[
        bool,
        typer.Option(
            "--stale",
            help="Mails parsed by any version but the present one; `--stale code`: by other code, data or engines, "
            "whatever was taught.",
        ),
    ] = False,
    since_day: SinceOption = None,
    until_day: UntilOption = None,
    execute: Annotated[bool, typer.Option("--execute", help="Do it. Without, only show what would be done.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Parse chosen records again and replace their rows; shows the plan unless told to --execute.

    Records are chosen by offsets, or by mails as the tables know them (options are joined by "and").

    Examples:
      otclog reparse mails:0:100-200
      otclog reparse mails:2:17 --execute
      otclog reparse --code TABLE_NOT_RECOGNISED --dealer "Bank A" --execute
      otclog reparse --subject "HY run" --since-day 2026-11-20
      otclog reparse --stale --dealer "Bank A"
      otclog reparse --stale code --execute
    """
    from parsers.codes import Code
    from pipelines.errors import BadSelection
    from pipelines.jobs.reparse import preview
    from pipelines.jobs.reparse import reparse as reparse_ranges
    from pipelines.readers.selection import looked_up, named_ranges, one_of, present
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes(), settings_and_log(config, writes=True) as (settings, log):
        by_code = stale and ranges == ["code"]
        ranges = None if by_code else ranges
        filters = {
            "message_id": message_id,
            "sender": sender,
            "dealer": dealer,
            "subject": subject,
            "code": one_of("--code", code, Code),
            "parser_version": parser_version,
            "stale": present(settings.parsers.dealers, code=by_code) if stale else None,
            "since_day": since_day,
            "until_day": until_day,
        }
        if stale and ranges:
            raise BadSelection(f"{ranges[0]!r} is not for --stale, which takes nothing, or `code`")
        if bool(ranges) == any(filters.values()):
            raise BadSelection("choose records either by offsets or by options such as --sender")
        chosen = named_ranges(log, ranges) if ranges else looked_up(store_of(settings.tables), filters)
        if not chosen:
            typer.echo("no record is chosen", err=True)
        elif execute:
            with working("reparsing"):
                summary = reparse_ranges(settings, log, chosen)
            _emit_summary(summary, as_json=as_json)
        else:
            plan = asdict(preview(settings, log, chosen))
            emit([plan], as_json=as_json, columns=[name for name in plan if name != "ranges"])
            typer.echo("nothing is changed yet: --execute does it", err=True)


def _log_comes(config: Path | None, pause_s: float) -> bool:
    """Wait for a log that its watcher has not made yet, or whose disk is not mounted. False: it was told to stop."""
    options, stop = conf.load(config).log, Stop()
    if not is_there(options):
        with signals_call(stop.set):
            typer.echo(f"otclog: {no_log(options)}: waiting for it", err=True)
            while not is_there(options) and not stop.is_set:
                stop.wait(pause_s)
    return not stop.is_set


@contextmanager
def _stopped_by_signals(settings: conf.Settings, heartbeat: Heartbeat) -> Iterator[Stop]:
    """SIGTERM and SIGINT set it; the next one ends the process at once."""
    from pipelines.jobs.spark.session import spark_session

    heartbeat.beat("start of Spark")
    spark_session(settings)  # first: its start takes SIGINT for itself
    heartbeat.beat("")
    stop = Stop()
    with signals_call(stop.set):
        yield stop


def _emit_summary(summary: Any, *, as_json: bool) -> None:
    columns = (
        "run_id",
        "records",
        "mails_parsed",
        "mails_parsed_empty",
        "mails_rejected",
        "quotes",
        "rejects",
        "parse_s",
    )
    row = summary.row | {"publication": summary.publication}
    emit([row], as_json=as_json, columns=[*columns, "write_s", "publication"])
