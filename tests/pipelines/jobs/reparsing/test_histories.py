"""Random histories of runs, cut off at any step, beside a plain record of which parser read which mail last.

Cut off is by an exception, or by a SIGKILL of a process of the run's own.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as with_
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from msgspec.structs import replace

import conf
from log import CommitLog, open_log
from log.reading import sources_of
from parsers.outcome import MailOutcome
from pipelines.errors import BadSelection, NotUndoable, ShadowOutdated
from pipelines.jobs import parse_step
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import in_writing
from pipelines.jobs.recovery import finish
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.reparse import execute
from pipelines.jobs.reparsing.shadow import make
from pipelines.jobs.reparsing.undo import undo
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.readers.runs import run_of
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.store import store_of
from tests.pipelines.conftest import Home, home_in, in_order

Position = tuple[int, int]  # partition, offset
Rows = dict[str, list[dict[str, Any]]]

PARSERS: tuple[Callable[[MailOutcome], MailOutcome], ...] = (
    lambda outcome: outcome,
    lambda outcome: replace(outcome, quotes=outcome.quotes[1:]),
    lambda outcome: replace(outcome, quotes=tuple(replace(quote, ask=None) for quote in outcome.quotes)),
)
# A moment is a step, and how often it was done before: each table is committed by itself.
BEFORE_WRITTEN_DOWN = (("pipelines.jobs.run.check_written", 0), ("pipelines.jobs.plan.IntentFile.start", 0))
WRITTEN_DOWN = (
    *(("pipelines.jobs.committing.commit", tables) for tables in (0, 1, 4)),
    ("pipelines.jobs.committing.publish", 0),
    ("pipelines.jobs.plan.IntentFile.end", 0),
)
MOMENTS = {
    "extract": (
        ("pipelines.jobs.run.replaced", 0),
        ("pipelines.jobs.run.replaced", 1),
        *BEFORE_WRITTEN_DOWN,
        *WRITTEN_DOWN,
    ),
    "shadow": (("pipelines.jobs.reparsing.shadows.add", 0),),
    "execute": (
        ("pipelines.jobs.reparsing.reparse.replaced", 0),
        *BEFORE_WRITTEN_DOWN,
        *WRITTEN_DOWN,
        ("pipelines.jobs.reparsing.shadows.forget", 0),
    ),
    "undo": (("pipelines.jobs.reparsing.undo.replaced", 0), *BEFORE_WRITTEN_DOWN, *WRITTEN_DOWN),
    "maintain": (("pipelines.jobs.upkeep.maintain.collect", 0), *WRITTEN_DOWN),
}


PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__, "parsers.parse"])  # what a process of a deed's own needs
REFUSED = 75  # the exit code of a process that was not let do what it was to


class Cut(Exception):
    pass


@dataclass(frozen=True)
class Deed:
    """Something that is done to a home."""

    name: str
    arguments: tuple[Any, ...] = ()
    parser: int = 0  # of PARSERS


def done(settings: conf.Settings, log: CommitLog, names: tuple[str, str], deed: Deed) -> None:
    """Do it, in this process; `names` are the group and the topic."""
    if deed.name == "extract":
        extract(settings, log, *names, *deed.arguments)
    elif deed.name == "shadow":
        make(settings, log, [OffsetRange(*deed.arguments)], "{}")
    elif deed.name == "execute":
        execute(settings, log, shadows.one(store_of(settings.tables), *deed.arguments), "a history")
    elif deed.name == "undo":
        undo(settings, *deed.arguments)
    else:
        maintain(settings)


def use(patched: pytest.MonkeyPatch, parser: int) -> None:
    own = parse_step._outcome
    patched.setattr(parse_step, "_outcome", lambda *arguments: PARSERS[parser](own(*arguments)))


def ended_at(patched: pytest.MonkeyPatch, step: str, left: int, end: Callable[[], None]) -> None:
    """Have `end` called in the place of the step, once it was done so many times."""
    function, calls = resolve_name(step), [left]

    def ended(*arguments: Any, **options: Any) -> Any:
        calls[0] -= 1
        if calls[0] < 0:
            end()
        return function(*arguments, **options)

    patched.setattr(step, ended)


def cut() -> None:
    raise Cut


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def done_and_killed(settings: conf.Settings, names: tuple[str, str], deed: Deed, step: str, left: int) -> None:
    """Do it in this process, which is the deed's own, and dies at the step."""
    patched = pytest.MonkeyPatch()
    use(patched, deed.parser)
    ended_at(patched, step, left, kill)
    parsers = with_(settings.parsers, sandbox="off")  # a child would take a second to start
    try:
        done(with_(settings, parsers=parsers), open_log(settings.log), names, deed)
    except (BadSelection, NotUndoable, ShadowOutdated):
        os._exit(REFUSED)
    os._exit(0)


class History:
    """A home, and which of PARSERS has read each mail of which the tables have rows."""

    def __init__(
        self, home: Home, chance: random.Random, monkeypatch: pytest.MonkeyPatch, rows: list[Rows], *, kills: bool
    ) -> None:
        self.home, self.chance, self.monkeypatch, self.rows = home, chance, monkeypatch, rows
        self.kills = kills  # processes, instead of raising exceptions
        self.read: dict[Position, int] = {}
        self.before: dict[str, dict[Position, int | None]] = {}  # of a run that can be undone
        self.parsers: dict[str, int] = {}  # of a shadow
        self.befell: dict[str, int] = defaultdict(int)

    def step(self) -> None:
        """Do something, perhaps not to its end; then what is published is what was before it or after it."""
        deed, wanted = self._chosen()
        runs = {row["run_id"] for row in self._runs()}
        befell = self._do(deed)
        self.befell[befell] += 1
        if befell in {"cut off", "killed"} and self._is_in_writing(deed) and self.chance.random() < 0.5:
            done(self.home.settings, self.home.log, (self.home.group, self.home.topic), deed)  # nothing refuses it now
            assert self._published() == self._of(wanted)
            self.befell["done again"] += 1
            self.befell[deed.name] += 1
        self.parsers |= {each.id: deed.parser for each in self._shadows() if each.id not in self.parsers}

        def after() -> dict[Position, int]:
            return self._seen(runs) if deed.name == "extract" else wanted  # which records, its run says

        assert self._published() in (self._of(self.read), self._of(after()))
        finish(self.home.settings)
        found = self._published()
        assert found in (self._of(self.read), self._of(after()))
        if found == self._of(after()):
            self.read = after()

    def _chosen(self) -> tuple[Deed, dict[Position, int]]:
        """One of what can be done now, and which parser has read each mail behind it."""
        chosen = None
        while chosen is None:
            deeds = [self.extract, self.shadow, self.execute, self.undo, self.maintain]
            (choose,) = self.chance.choices(deeds, weights=[1, 2, 4, 2, 1])  # there is seldom what to execute or undo
            chosen = choose()
        return chosen

    def _is_in_writing(self, deed: Deed) -> bool:
        """Whether its commits are to be made yet by whoever comes first."""
        left = in_writing(self.home.store)
        return left is not None and deed.arguments in {(left.plan.run_id,), (left.plan.undoes,)}

    def _do(self, deed: Deed) -> str:
        """Do it, perhaps not to its end; what befell it."""
        home = self.home
        names = home.group, home.topic
        is_cut, (step, left) = self.chance.random() < 0.5, self.chance.choice(MOMENTS[deed.name])
        if is_cut and self.kills:
            process = PROCESSES.Process(target=done_and_killed, args=(home.settings, names, deed, step, left))
            process.start()
            process.join()
            assert process.exitcode in {0, -signal.SIGKILL, REFUSED}, f"{deed}, to be killed at {step}"
            return {0: deed.name, REFUSED: "refused"}.get(process.exitcode, "killed")
        with self.monkeypatch.context() as patched:
            use(patched, deed.parser)
            if is_cut:
                ended_at(patched, step, left, cut)
            try:
                done(home.settings, home.log, names, deed)
            except Cut:
                return "cut off"
            except (BadSelection, NotUndoable, ShadowOutdated):
                return "refused"
        return deed.name

    def extract(self) -> tuple[Deed, dict[Position, int]]:
        """Some of what the group has not read yet."""
        return Deed("extract", (self.chance.randint(1, 5),)), self.read

    def shadow(self) -> tuple[Deed, dict[Position, int]] | None:
        """Read some records again, into a shadow."""
        source = self.chance.choice(sources_of(self.home.log, self.home.topic))
        end = self.home.log.span(source).stop
        if not end or not self._any():
            return None
        start = self.chance.randrange(end)
        range_ = (*source, start, self.chance.randint(start + 1, end))
        return Deed("shadow", range_, self.chance.randrange(len(PARSERS))), self.read

    def execute(self) -> tuple[Deed, dict[Position, int]] | None:
        """Publish a shadow."""
        there = self._shadows()
        if not there:
            return None
        shadow = self.chance.choice(there)
        before = {place: self.read.get(place) for place in self._places(shadow.plan.ranges)}
        if not run_of(self.home.store, shadow.id):  # it was cut off before it could end its shadow
            self.before[shadow.id] = before
        return Deed("execute", (shadow.id,)), self._with(shadow.plan.ranges, self.parsers[shadow.id])

    def undo(self) -> tuple[Deed, dict[Position, int]] | None:
        """Take one back."""
        if not self.before or not self._any():
            return None
        run_id = self.chance.choice(sorted(self.before))
        back = self.before[run_id]
        wanted = {place: parser for place, parser in self.read.items() if place not in back}
        return Deed("undo", (run_id,)), wanted | {place: each for place, each in back.items() if each is not None}

    def maintain(self) -> tuple[Deed, dict[Position, int]] | None:
        """Changes no row."""
        return (Deed("maintain"), self.read) if self._any() else None

    def _shadows(self) -> list[shadows.Shadow]:
        return shadows.all_of(self.home.store)

    def _seen(self, runs: set[str]) -> dict[Position, int]:
        """With what extracts have read that are not among these runs."""
        new = [row for row in self._runs() if row["kind"] == "extract" and row["run_id"] not in runs]
        return self._with(tuple(OffsetRange(**each) for row in new for each in row["ranges"]), 0)

    def _runs(self) -> list[dict[str, Any]]:
        return self.home.rows("runs") if self._any() else []

    def _with(self, ranges: tuple[OffsetRange, ...], parser: int) -> dict[Position, int]:
        return self.read | dict.fromkeys(self._places(ranges), parser)

    @staticmethod
    def _places(ranges: tuple[OffsetRange, ...]) -> list[Position]:
        return [(each.partition, at) for each in ranges for at in range(each.start, each.stop)]

    def _any(self) -> bool:
        return (self.home.tables / "_published").exists()

    def _published(self) -> Rows:
        return self.home.outcomes() if self._any() else {name: [] for name in self.rows[0]}

    def _of(self, read: dict[Position, int]) -> Rows:
        def of(name: str) -> list[dict[str, Any]]:
            return [
                row
                for parser, rows in enumerate(self.rows)
                for row in rows[name]
                if read.get((row["log_partition"], row["log_offset"])) == parser
            ]

        return {name: in_order(of(name)) for name in self.rows[0]}


@pytest.fixture
def by_parser(
    shared_log: tuple[conf.Settings, CommitLog], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[Rows]:
    """The rows of all mails as each of PARSERS reads them."""
    found = []
    own = parse_step._outcome
    for number, parser in enumerate(PARSERS):
        home = alone(home_in(tmp_path / f"parser-{number}", shared_log))
        with monkeypatch.context() as patched:
            patched.setattr(parse_step, "_outcome", lambda *arguments, parser=parser: parser(own(*arguments)))
            extract(home.settings, home.log, home.group, home.topic, 1000)
        found.append(home.outcomes())
    return found


def alone(home: Home) -> Home:
    """Whose runs need no Spark."""
    return with_(home, settings=with_(home.settings, extract=with_(home.settings.extract, small_mails=1000)))


SOAK = [pytest.mark.soak, pytest.mark.timeout(7200)]


@pytest.mark.parametrize(
    ("histories", "kills"),
    [
        pytest.param(4, False, marks=pytest.mark.slow, id="by exceptions"),
        pytest.param(2, True, marks=pytest.mark.slow, id="by kill -9"),
        pytest.param(100, False, marks=SOAK, id="100 by exceptions"),
        pytest.param(100, True, marks=SOAK, id="100 by kill -9"),
    ],
)
def test_each_mail_has_the_rows_of_who_read_it_last_whatever_is_cut_off(
    shared_log: tuple[conf.Settings, CommitLog],
    tmp_path: Path,
    by_parser: list[Rows],
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    *,
    histories: int,
    kills: bool,
) -> None:
    befell: dict[str, int] = defaultdict(int)
    for number in range(histories):
        seed = random.randrange(2**32)
        home = alone(home_in(tmp_path / f"history-{number}", shared_log))
        history = History(home, random.Random(seed), monkeypatch, by_parser, kills=kills)
        try:
            for _ in range(15):
                history.step()
        except AssertionError as error:
            raise AssertionError(f"history of seed {seed}") from error
        for name, count in history.befell.items():
            befell[name] += count
    record_property("count", f"{histories} histories of runs, shadows and undoing: {dict(sorted(befell.items()))}")
    assert befell["execute"] or histories < 4
    assert befell["killed" if kills else "cut off"]
