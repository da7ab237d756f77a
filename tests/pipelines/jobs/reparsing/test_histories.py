"""Random histories of runs, cut off at any step, beside a plain record of which parser read which mail last."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace as with_
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from msgspec.structs import replace

import conf
from log import CommitLog
from log.reading import sources_of
from parsers.outcome import MailOutcome
from pipelines.errors import BadSelection, ShadowOutdated
from pipelines.jobs import parse_step
from pipelines.jobs.extract import extract
from pipelines.jobs.recovery import finish
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.reparse import execute
from pipelines.jobs.reparsing.shadow import make
from pipelines.jobs.reparsing.undo import undo
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.readers.runs import run_of
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import Home, home_in, in_order

Position = tuple[int, int]  # partition, offset
Rows = dict[str, list[dict[str, Any]]]

PARSERS: tuple[Callable[[MailOutcome], MailOutcome], ...] = (
    lambda outcome: outcome,
    lambda outcome: replace(outcome, quotes=outcome.quotes[1:]),
    lambda outcome: replace(outcome, quotes=tuple(replace(quote, ask=None) for quote in outcome.quotes)),
)
STEPS = (
    "pipelines.jobs.run.replaced",
    "pipelines.jobs.reparsing.reparse.replaced",
    "pipelines.jobs.reparsing.undo.replaced",
    "pipelines.jobs.reparsing.shadows.add",
    "pipelines.jobs.run.check_written",
    "pipelines.jobs.plan.IntentFile.start",
    "pipelines.jobs.committing.commit",
    "pipelines.jobs.committing.publish",
    "pipelines.jobs.plan.IntentFile.end",
    "pipelines.jobs.reparsing.shadows.forget",
    "pipelines.jobs.upkeep.maintain.collect",
)


class Cut(Exception):
    pass


class History:
    """A home, and which of PARSERS has read each mail of which the tables have rows."""

    def __init__(self, home: Home, chance: random.Random, monkeypatch: pytest.MonkeyPatch, rows: list[Rows]) -> None:
        self.home, self.chance, self.monkeypatch, self.rows = home, chance, monkeypatch, rows
        self.read: dict[Position, int] = {}
        self.before: dict[str, dict[Position, int | None]] = {}  # of a run that can be undone
        self.parsers: dict[str, int] = {}  # of a shadow
        self.parser = 0
        self.befell: dict[str, int] = defaultdict(int)

    def step(self) -> None:
        """Do something, perhaps not to its end; then what is published is what was before it or after it."""
        do = self.chance.choice(
            [self.extract, self.shadow, self.shadow, self.execute, self.execute, self.undo, self.maintain]
        )
        wanted, runs = dict(self.read), {row["run_id"] for row in self._runs()}
        with self.monkeypatch.context() as patched:
            if self.chance.random() < 0.7:
                self._cut(patched)
            try:
                wanted = do()
                self.befell[do.__name__] += 1
            except Cut as cut:
                self.befell["cut off"] += 1
                wanted = cut.args[0] if cut.args else wanted
            except (ShadowOutdated, BadSelection):
                self.befell["refused"] += 1
        of_extract = do == self.extract and wanted == self.read  # cut off: which records it chose only its rows say
        assert self._published() in (self._of(self.read), self._of(self._seen(runs) if of_extract else wanted))
        finish(self.home.settings)
        wanted = self._seen(runs) if of_extract else wanted
        found = self._published()
        assert found in (self._of(self.read), self._of(wanted))
        if found == self._of(wanted):
            self.read = wanted

    def _cut(self, patched: pytest.MonkeyPatch) -> None:
        left = [self.chance.choice([0, 0, 0, 1, 3])]
        step = self.chance.choice(STEPS)
        function = resolve_name(step)

        def cut(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Cut
            return function(*arguments, **options)

        patched.setattr(step, cut)

    def _do(self, wanted: dict[Position, int], work: Callable[[], object]) -> dict[Position, int]:
        try:
            work()
        except Cut:
            raise Cut(wanted) from None
        return wanted

    def extract(self) -> dict[Position, int]:
        """Some of what the group has not read yet."""
        home, most = self.home, self.chance.randint(1, 5)
        with self.monkeypatch.context() as patched:
            self._use(patched, 0)
            summary = extract(home.settings, home.log, home.group, home.topic, most)
        return self.read if summary is None else self._with(summary.plan.ranges, 0)

    def _seen(self, runs: set[str]) -> dict[Position, int]:
        """With what extracts have read that are not among these runs."""
        new = [row for row in self._runs() if row["kind"] == "extract" and row["run_id"] not in runs]
        return self._with(tuple(OffsetRange(**each) for row in new for each in row["ranges"]), 0)

    def _runs(self) -> list[dict[str, Any]]:
        return self.home.rows("runs") if self._any() else []

    def shadow(self) -> dict[Position, int]:
        """Read some records again, into a shadow."""
        home, parser = self.home, self.chance.randrange(len(PARSERS))
        source = self.chance.choice(sources_of(home.log, home.topic))
        end = home.log.span(source).stop
        if not end or not self._any():
            return self.read
        start = self.chance.randrange(end)
        with self.monkeypatch.context() as patched:
            self._use(patched, parser)
            made = make(
                home.settings, home.log, [OffsetRange(*source, start, self.chance.randint(start + 1, end))], "{}"
            )
        self.parsers[made.id] = parser
        return self.read

    def execute(self) -> dict[Position, int]:
        """Publish a shadow."""
        there = [each for each in shadows.all_of(self.home.store) if each.id in self.parsers]
        if not there:
            return self.read
        shadow = self.chance.choice(there)
        wanted = self._with(shadow.plan.ranges, self.parsers[shadow.id])
        before = {place: self.read.get(place) for place in self._places(shadow.plan.ranges)}
        if not run_of(self.home.store, shadow.id):  # it was cut off before it could end its shadow
            self.before[shadow.id] = before
        return self._do(wanted, lambda: execute(self.home.settings, self.home.log, shadow, "a history"))

    def undo(self) -> dict[Position, int]:
        """Take one back."""
        if not self.before or not self._any():
            return self.read
        run_id = self.chance.choice(sorted(self.before))
        back = self.before[run_id]
        wanted = {place: parser for place, parser in self.read.items() if place not in back}
        wanted |= {place: parser for place, parser in back.items() if parser is not None}
        return self._do(wanted, lambda: undo(self.home.settings, run_id))

    def maintain(self) -> dict[Position, int]:
        """Changes no row."""
        maintain(self.home.settings)
        return self.read

    def _use(self, patched: pytest.MonkeyPatch, parser: int) -> None:
        own = parse_step._outcome
        patched.setattr(parse_step, "_outcome", lambda *arguments: PARSERS[parser](own(*arguments)))

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


@pytest.mark.parametrize(
    "histories",
    [pytest.param(4, marks=pytest.mark.slow), pytest.param(100, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])],
)
def test_each_mail_has_the_rows_of_who_read_it_last_whatever_is_cut_off(
    shared_log: tuple[conf.Settings, CommitLog],
    tmp_path: Path,
    by_parser: list[Rows],
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    *,
    histories: int,
) -> None:
    befell: dict[str, int] = defaultdict(int)
    for number in range(histories):
        seed = random.randrange(2**32)
        home = alone(home_in(tmp_path / f"history-{number}", shared_log))
        history = History(home, random.Random(seed), monkeypatch, by_parser)
        try:
            for _ in range(20):
                history.step()
        except AssertionError as error:
            raise AssertionError(f"history of seed {seed}") from error
        for name, count in history.befell.items():
            befell[name] += count
    record_property("count", f"{histories} histories of runs, shadows and undoing: {dict(sorted(befell.items()))}")
    assert befell["execute"]
    assert befell["cut off"]
