"""Faults 41 to 46, 57 to 64 and 112: kill -9 of any process of a whole otclog, while mail comes in."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.jobs.plan import in_writing
from pipelines.tables.store.folder import Folder
from tests.whole.conftest import Daemon, Whole, mails_of, until

STAGE_S = 30.0  # how long a stage is waited for; a kill at another moment is a kill, too
IN_EXTRACT = {"jvm": "bin/java", "worker": "\0-m\0"}  # by their commands
TRY_AGAIN, KILLED = 75, -9  # exit codes of those that ended by themselves, or not
COPIES = 0.02  # of what is delivered: the same bytes again


class Running:
    """The daemons of a home, each of which may die at any moment."""

    def __init__(self, whole: Whole, chance: random.Random) -> None:
        self.whole, self._chance = whole, chance
        self.watch = whole.daemon("watch", "watch")
        self.extract = whole.daemon("extract", "extract", "--every", "500ms")
        self.tend = whole.daemon("tend", "log", "tend")  # one pass; begun again each time that it is ensured

    @property
    def all(self) -> tuple[Daemon, ...]:
        return self.watch, self.extract, self.tend

    def ensure(self) -> None:
        for daemon in self.all:
            daemon.ensure()

    def all_is_taken(self) -> bool:
        """Whether the watcher, which is started again where it has ended, has left no file."""
        self.watch.ensure()
        return not any(self.whole.new.iterdir())

    def await_stage(self) -> str:
        """Wait for a moment of the extraction, or for none; its name."""
        tables, before = self.whole.tables, self.whole.number()
        stages: dict[str, Callable[[], object]] = {
            "parsing": lambda: any("parsers/sandbox" in command for command in self.extract.family().values()),
            "staged": lambda: any((tables / "_staging").glob("*/*/*.parquet")),
            "in writing": lambda: in_writing(Folder(tables)) is not None,
            "published": lambda: self.whole.number() > before,
        }
        name = self._chance.choice([*stages, "in writing", "any"])
        if name != "any":
            until(stages[name], STAGE_S)
        until(lambda: False, self._chance.random() * self._chance.choice([0.02, 0.2, 1]))
        return name

    def victim(self) -> tuple[str, list[int]]:
        """Who is to be killed, and at which moment, with the pids."""
        who = self._chance.choice(["watch", "watch", "tend", "driver", "driver", "jvm", "worker", "extract", "all"])
        where = "any" if who in {"watch", "tend"} else self.await_stage()
        return f"{who} ({where})", self._pids(who)

    def _pids(self, who: str) -> list[int]:
        if who == "all":
            return [pid for daemon in self.all for pid in daemon.family()]
        if who == "driver":
            return [self.extract.ensure()]
        if who in IN_EXTRACT:
            until(lambda: self._in_extract(IN_EXTRACT[who]), STAGE_S)
            return self._in_extract(IN_EXTRACT[who])
        (daemon,) = (each for each in self.all if each.name == who)
        return list(daemon.family())

    def _in_extract(self, part: str) -> list[int]:
        """Its processes whose command has this in it."""
        return [pid for pid, command in self.extract.family().items() if part in command]


def killed_at_random(whole: Whole, folder: Path, mails: int, rounds: int, seed: int) -> tuple[Counter[str], int]:
    """Deliver the mails in as many bursts as there are rounds, and kill somebody in each; who was, and the starts."""
    chance = random.Random(seed)
    raws = mails_of(seed, mails, folder)
    running = Running(whole, chance)
    killed = Counter[str]()
    for each in range(rounds):
        for number, raw in enumerate(raws[each::rounds]):
            whole.deliver(f"{each}.{number}.mail", raw)
            if chance.random() < COPIES:
                whole.deliver(f"{each}.{number}.copy", chance.choice(raws[: each + 1]))
        running.ensure()
        if chance.random() < 0.2 and whole.number():
            whole.run("group", "rewind", "extract", "mails", "--shift-by", str(-chance.randrange(1, 200)), "--execute")
        who, pids = running.victim()
        if whole.kill(pids):
            killed[who] += 1
    assert until(running.all_is_taken, 120, 0.1), whole.tails()
    for daemon in running.all:
        daemon.end()
    assert {*running.watch.codes, *running.extract.codes} <= {KILLED, TRY_AGAIN}, whole.tails()
    last = whole.run("extract")
    assert last.returncode == 0, last.stderr[-2000:]
    return killed, sum(daemon.starts for daemon in running.all)


@pytest.mark.parametrize(
    ("mails", "rounds"),
    [
        pytest.param(300, 10, marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
        pytest.param(2000, 60, marks=[pytest.mark.soak, pytest.mark.timeout(7200)]),
    ],
)
def test_whoever_is_killed_the_tables_are_those_of_an_undisturbed_run(  # noqa: PLR0917 -- fixtures
    whole: Whole, tmp_path: Path, mails: int, rounds: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    killed, starts = killed_at_random(whole, tmp_path / "generated", mails, rounds, seed)
    counts = whole.check()
    record_property(
        "count",
        f"whole otclog, kill -9: {rounds} rounds from seed {seed}, {killed.total()} kills {dict(killed)}, {starts} starts, "
        f"{whole.sent.total():,} files of {len(whole.sent):,} mails; lost 0, twice 0; rows equal: {counts}",
    )
    assert killed.total() >= rounds * 3 // 4
