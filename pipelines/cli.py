"""The command that fills the tables: extract."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import conf
from conf.cli import ConfigOption, JsonOption, errors_to_exit_codes, seconds
from conf.heartbeat import Heartbeat
from conf.messages import tell
from conf.process import Stop, signals_call
from conf.settings import backfill_group
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
    max_bytes: Annotated[
        int | None, typer.Option(min=1, help="Stop with the mail that makes it so many bytes.", show_default=False)
    ] = None,
    rate: Annotated[
        float | None, typer.Option(min=0.001, help="At most so many mails a second.", show_default=False)
    ] = None,
    backfill: Annotated[
        bool,
        typer.Option(
            "--backfill",
            help="Read old mails beside an extraction that goes on, by a group of their own, and give way to it. "
            "Default of --topic: where import puts mails.",
        ),
    ] = False,
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

    --backfill is group GROUP.backfill. In a topic that GROUP reads as well it begins where that stands: `otclog group
    rewind` moves it back. Before each run it waits while GROUP runs and has more to read than `[extract] backfill_lag`.

    Examples:
      otclog extract
      otclog extract --backfill --rate 50
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
            live = group or settings.extract.group
            names = (
                (backfill_group(live), topic or settings.ingest.backfill_topic)
                if backfill
                else (live, topic or settings.ingest.topic)
            )
            if pause_s is None:
                require_topic(log, names[1])
            taught = TaughtFiles(settings.parsers)
            with (
                Heartbeat(settings.log.root, "extract", f"group {names[0]}, topic {names[1]}") as heartbeat,
                membership(log, *names),
            ):
                runs = _Runs(
                    settings,
                    log,
                    *names,
                    taught.read,
                    heartbeat,
                    max_mails,
                    max_bytes,
                    as_json,
                    live if backfill else None,
                )
                gait = _Gait(runs, rate)
                if pause_s is None:
                    _read_all(runs, gait)
                    return
                with signals_call(gait.stop.set):  # the next one ends the process at once
                    _follow(runs, gait, pause_s)


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
    left_bytes: int | None  # of mails; None: any number
    as_json: bool
    beside: str | None = None  # the group that comes first

    @property
    def is_over(self) -> bool:
        """Whether no mail may be extracted any more."""
        return self.left == 0 or self.left_bytes == 0

    def next(self, most: int) -> int:
        """Do one of at most so many mails; how many there were, 0 if there was nothing to do. Raises as `extract`."""
        from pipelines.jobs.extract import extract as extract_once
        from pipelines.jobs.lane import bytes_of

        names = self.group, self.topic
        most = min(most, self.settings.extract.max_mails, self.left or most)
        with beating(self.heartbeat):
            summary = extract_once(
                self.settings,
                self.log,
                *names,
                most,
                taught=self.taught,
                max_bytes=self.left_bytes,
                beside=self.beside,
            )
        if summary is None:
            return 0
        self.left = self.left and max(0, self.left - summary.row["records"])
        if self.left_bytes:
            self.left_bytes = max(0, self.left_bytes - bytes_of(self.log, summary.plan.ranges))
        self.heartbeat.count(runs=1, mails=summary.row["records"], quotes=summary.row["quotes"])
        emit_summary(summary, as_json=self.as_json)
        return int(summary.row["records"])


_STEP_S = 10.0  # of mails at a rate are one run
_LOOK_S = 1.0  # between two looks at what another group has still to read


class _Gait:
    """When the next run may begin, and of how many mails."""

    def __init__(self, runs: _Runs, rate: float | None) -> None:
        """`rate`: mails a second; None: as they come."""
        self.stop = Stop()
        self._runs, self._rate = runs, rate
        self._due = time.monotonic()

    def next(self) -> int:
        """Wait until there is time for a run, and do it, as `_Runs.next`; 0 also where it was stopped meanwhile."""
        if (early_s := self._due - time.monotonic()) > 0:
            self.rest(early_s)
        self._give_way()
        if self.stop.is_set:
            return 0
        began = time.monotonic()
        rate = self._rate
        found = self._runs.next(sys.maxsize if rate is None else max(1, round(rate * _STEP_S)))
        self._due = began + (found / rate if rate else 0.0)
        return found

    def rest(self, pause_s: float) -> None:
        """Wait so long, or until it is stopped."""
        self._runs.heartbeat.rest(pause_s, self.stop.wait, lambda: self.stop.is_set)

    def _give_way(self) -> None:
        """Wait while the group that comes first has much to read, and somebody who reads it."""
        from pipelines.jobs.lane import backlog

        runs = self._runs
        told = False
        while runs.beside and not self.stop.is_set:
            left = backlog(runs.log, runs.beside)
            if left <= runs.settings.extract.backfill_lag:
                return
            if not told:
                tell(f"group {runs.beside} has {left} mails to read: group {runs.group} waits")
                told = True
            self.rest(_LOOK_S)


def _read_all(runs: _Runs, gait: _Gait) -> None:
    """Until the group has read all, or as many mails as it may."""
    while not runs.is_over:
        with working("extracting"):
            found = gait.next()
        if not found:
            tell(f"group {runs.group} has read all of topic {runs.topic}")
            return


def _follow(runs: _Runs, gait: _Gait, pause_s: float) -> None:
    """Extract what there is, and whatever comes then, until it is to stop. What can be tried again is."""
    if not runs.as_json:
        tell(f"extracting topic {runs.topic} for group {runs.group}, looked at every {pause_s:g} s")
    told = ""
    while not gait.stop.is_set and not runs.is_over:
        found = 0
        try:
            found = gait.next()
        except (LogError, PipelineError, OSError) as error:
            if not _goes_on_behind(error):
                raise
            told = _warned(error, pause_s, told)
        if not found:
            gait.rest(pause_s)


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
            tell(f"otclog: {no_log(options)}: waiting for it")
            while not is_there(options) and not stop.is_set:
                stop.wait(pause_s)
    return not stop.is_set
