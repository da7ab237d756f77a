"""The command that fills the tables: extract."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, errors_to_exit_codes, seconds
from conf.heartbeat import Heartbeat
from conf.process import Stop, signals_call
from log import LogError, is_there, no_log
from log.command import settings_and_log
from pipelines.errors import PipelineError, RecordsDamaged
from pipelines.progress import beating, working
from pipelines.summaries import emit_summary

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

    One line a run; a backlog takes several. Few mails (`[extract] small_mails`) are read by this process alone, more by
    Spark. With --every its session stays warm from the first such run on, a log that is not there yet is waited for,
    what can be tried again is (a table that another process writes, say), and SIGTERM or Ctrl-C ends after the run in
    hand. Each run reads the dealer table anew; behind a slip in it the one before stays in use.

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
                stop = Stop()
                with signals_call(stop.set):  # the next one ends the process at once
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
        emit_summary(summary, as_json=self.as_json)
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


def _log_comes(config: Path | None, pause_s: float) -> bool:
    """Wait for a log that its watcher has not made yet, or whose disk is not mounted. False: it was told to stop."""
    options, stop = conf.load(config).log, Stop()
    if not is_there(options):
        with signals_call(stop.set):
            typer.echo(f"otclog: {no_log(options)}: waiting for it", err=True)
            while not is_there(options) and not stop.is_set:
                stop.wait(pause_s)
    return not stop.is_set
