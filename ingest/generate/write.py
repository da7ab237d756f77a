"""Generated mails into a folder, with their truth beside them."""

from __future__ import annotations

import json
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from ingest.generate.compose import compose
from ingest.generate.pool import POOL, keep, pooled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.context import SpawnContext
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from ingest.generate.pool import Pooled

TRUTH = "truth.jsonl"
CHUNK = 250  # mails that a process writes before it reports
PROCESSES = 2
ALONE = 1000  # up to so many mails, starting processes costs more than it saves


@dataclass(frozen=True, slots=True)
class _Target:
    """Where the mails go: a Maildir takes them by a rename from tmp/ to new/ and holds no other files there."""

    folder: Path
    draft: Path
    beside: bool  # the truth of each mail as CASE.jsonl


def generate(out: Path, mails: int, seed: int = 1) -> Iterator[int]:
    """Write the mails of the seed from the first on; yields the number of quotes in each as they are written.

    A Maildir (a folder that has `new/`) gets them there, each by a rename as the protocol asks, and the truth at its
    root, where no watcher takes it for a mail. Any other folder becomes a gold corpus: each mail's truth is also
    beside it as CASE.jsonl, which the scorer reads.
    """
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    maildir = (out / "new").is_dir()
    target = _Target(out / "new", out / "tmp", beside=False) if maildir else _Target(out, out, beside=True)
    target.draft.mkdir(mode=0o700, exist_ok=True)
    chunks = [range(first, min(first + CHUNK, mails)) for first in range(0, mails, CHUNK)]
    write = partial(_chunk, target, seed)
    with (out / TRUTH).open("w", encoding="utf-8") as truth:
        for lines, counts in map(write, chunks) if mails <= ALONE else _shared(write, chunks, seed):
            truth.write(lines)
            yield from counts


def _shared(write: partial[tuple[str, list[int]]], chunks: list[range], seed: int) -> Iterator[tuple[str, list[int]]]:
    """The chunks' results in order. The pool's small documents are made once, by all processes, and handed to each."""
    wanted = [(seed, form, index) for form, count in POOL.items() if form != "large" for index in range(count)]
    context = get_context("spawn")
    with _pool(context, {}) as makers:
        with _interrupts_are_ours():
            documents = makers.map(_document, wanted, chunksize=10)
        made = dict(zip(wanted, documents, strict=True))
    with _pool(context, made) as writers:
        with _interrupts_are_ours():
            written = writers.map(write, chunks)
        yield from written


@contextmanager
def _pool(context: SpawnContext, made: dict[tuple[int, str, int], Pooled]) -> Iterator[ProcessPoolExecutor]:
    """Processes that have these documents, and end with the block, soon where that is cut off."""
    stop = context.Event()
    with ProcessPoolExecutor(PROCESSES, context, initializer=_begin, initargs=(stop, made)) as pool:
        try:
            yield pool
        except BaseException:
            stop.set()
            raise


_STOPS: list[Event] = []  # in a process of a pool, one


def _begin(stop: Event, made: dict[tuple[int, str, int], Pooled]) -> None:
    _STOPS.append(stop)
    keep(made)


def _go_on() -> None:
    if any(stop.is_set() for stop in _STOPS):
        raise InterruptedError


@contextmanager
def _interrupts_are_ours() -> Iterator[None]:
    """Processes that start within leave a Ctrl-C to this one, which ends them: each had a traceback to show."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _document(key: tuple[int, str, int]) -> Pooled:
    _go_on()
    return pooled(*key)


def _chunk(target: _Target, seed: int, numbers: range) -> tuple[str, list[int]]:
    """Write these mails; their truth, and the number of quotes in each."""
    truths, counts = [], []
    for number in numbers:
        _go_on()
        mail = compose(seed, number)
        written = target.draft / f".{mail.case}"
        written.write_bytes(mail.raw)
        written.rename(target.folder / f"{mail.case}.eml")
        lines = "".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in mail.lines)
        if target.beside:
            (target.folder / f"{mail.case}.jsonl").write_text(lines, encoding="utf-8")
        truths.append(lines)
        counts.append(len(mail.lines) - 1)
    return "".join(truths), counts
