"""ops.shipping.files beside a plain list, through histories of whatever may befall a file"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest

from ops.shipping.batch import Speaker
from ops.shipping.files import FileSource
from ops.shipping.state import state_of

STEPS = 60
BANNERS: tuple[list[str], ...] = ([], ["# begun"], ["# " + "=" * 700] * 2)  # with which a program begins each file
SPEAKER = Speaker("mx1", "app", "file")


class History:
    """A file, what was written to it, and what was shipped of it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.path, self._root, self._chance = folder / "app.log", folder / "root", chance
        self._clock, self._numbers, self._rotated = count(1_795_900_000), count(), count(1)
        self._banner = chance.choice(BANNERS)
        self.written: list[str] = []  # whole lines
        self._begun = ""  # of a line that is not whole
        self.shipped: list[str] = []
        self.steps: list[str] = []
        self._running = ExitStack()
        self._source: FileSource | None = None
        self.path.touch()
        self._stamp(self.path)

    def step(self) -> None:
        steps: list[Callable[[], None]] = [self.write, self.write, self.begin, self.ship, self.ship_a_part, self.rename]
        step = self._chance.choice(
            [*steps, self.rename_and_pack, self.truncate, self.truncate_and_pack, self.copy, self.touch, self.restart]
        )
        self.steps.append(step.__name__)
        step()

    def write(self) -> None:
        self._begin_the_file()
        for _ in range(self._chance.choice((1, 3, 40))):
            line = self._begun + f"{next(self._numbers)} " + "x" * self._chance.choice((0, 5, 90))
            self._append(line[len(self._begun) :] + "\n")
            self.written.append(line)
            self._begun = ""

    def begin(self) -> None:
        self._begin_the_file()
        if not self._begun:
            self._begun = f"{next(self._numbers)} begun "
            self._append(self._begun)

    def ship(self) -> None:
        self._ship(10**9)

    def ship_a_part(self) -> None:
        self._ship(1)

    def rename(self) -> None:
        self._end_the_line()
        self._name().write_bytes(b"")  # the name is free: renaming puts the file in its place
        self.path.rename(self._last)
        self.path.touch()
        self._stamp(self.path)

    def rename_and_pack(self) -> None:
        self.rename()
        self._pack()

    def truncate(self) -> None:
        if not self.path.stat().st_size:
            return
        self._end_the_line()
        shutil.copyfile(self.path, self._name())
        self._stamp(self._last)
        os.truncate(self.path, 0)
        self._stamp(self.path)

    def truncate_and_pack(self) -> None:
        if self.path.stat().st_size:
            self.truncate()
            self._pack()

    def copy(self) -> None:
        """By somebody, for himself."""
        shutil.copyfile(self.path, self.path.with_name(f"app.log.{self._chance.choice(('bak', 'copy', '1~'))}"))

    def touch(self) -> None:
        """What was rotated, and is shipped by now."""
        if self.shipped == self.written and (rotated := list(self.path.parent.glob("app.log.[1-9]*"))):
            self._stamp(self._chance.choice(rotated))

    def restart(self) -> None:
        self._running.close()
        self._source = None

    def _ship(self, most: int) -> None:
        """By a process that began now, or goes on; so many portions."""
        if self._source is None:
            state = self._running.enter_context(state_of(self._root, str(self.path)))
            self._source = self._running.enter_context(closing(FileSource(self.path, state, SPEAKER, once=True)))
        for _ in range(most):
            batch = self._source.take()
            if batch is None:
                break
            self.shipped += [json.loads(record.value or b"")["event"] for record in batch.records]
            batch.keep()

    def _append(self, text: str) -> None:
        with self.path.open("a") as out:
            out.write(text)
        self._stamp(self.path)

    def _stamp(self, path: Path) -> None:
        os.utime(path, (now := next(self._clock), now))

    def _begin_the_file(self) -> None:
        if self._banner and not self.path.stat().st_size:
            lines = [*self._banner, str(next(self._numbers))]
            self._append("".join(f"{line}\n" for line in lines))
            self.written += lines

    def _name(self) -> Path:
        self._last = self.path.with_name(f"app.log.{next(self._rotated)}")
        return self._last

    def _end_the_line(self) -> None:
        """What follows stands in another file."""
        if self._begun:
            self.written.append(self._begun)
            self._begun = ""

    def _pack(self) -> None:
        packed = self._last.with_name(f"{self._last.name}.gz")
        packed.write_bytes(gzip.compress(self._last.read_bytes()))
        shutil.copystat(self._last, packed)
        self._last.unlink()


@pytest.mark.parametrize("seed", range(40))
def test_each_line_is_shipped_once_and_in_its_order(seed: int, tmp_path: Path) -> None:
    history = History(tmp_path, random.Random(seed))
    history.ship()  # from the first line on: what was rotated before is nobody's
    for _ in range(STEPS):
        history.step()
        assert history.shipped == history.written[: len(history.shipped)], history.steps
    history.ship()
    history.restart()
    assert history.shipped == history.written, history.steps
