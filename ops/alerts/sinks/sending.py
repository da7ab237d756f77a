"""What waits in the outbox to its sinks, all at once, each within its own time: one that hangs keeps none waiting."""

from __future__ import annotations

import time
import uuid
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts import outbox
from ops.alerts.sinks import command, smtp, stdout, webhook
from ops.alerts.sinks.taking import NotTaken, NotTakenByAll

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Told

TURN_S = 30.0  # that a sink has at a look, besides the time limit of one message

_WAYS: dict[str, Callable[[SinkSettings, Told], None]] = {
    "stdout": stdout.send,
    "smtp": smtp.send,
    "webhook": webhook.send,
    "command": command.send,
}


class _Answer(NamedTuple):
    sink: str
    number: int | None  # None: its turn is over, unless more is due now
    failure: NotTaken | None  # None: taken


def send_due(db: sqlite3.Connection, sinks: Sequence[SinkSettings], now: datetime) -> bool:
    """Tell each sink what it is to be told now. What it has taken goes at once; what failed stays for later.

    What comes due when a sink has taken what was before it, as an alarm's end, it is told within the same turn. Returns
    whether anybody took anything, or nothing was to be told.
    """
    turns = {sink.name: _Turn(sink, waiting) for sink in sinks if (waiting := outbox.due(db, sink.name, now))}
    answers: SimpleQueue[_Answer] = SimpleQueue()
    for turn in turns.values():
        turn.start(answers)
    has_taken = not turns
    begun = time.monotonic()
    while turns:
        name, turn = min(turns.items(), key=lambda each: each[1].limit_s)
        try:
            answer = answers.get(timeout=max(begun + turn.limit_s - time.monotonic(), 0.0))
        except Empty:
            if turn.at is not None:
                outbox.failed(db, turn.at, f"no answer in {turn.limit_s:g} s", now)
            del turns[name]
            continue
        if answer.number is not None:
            has_taken |= answer.failure is None or isinstance(answer.failure, NotTakenByAll)
            _note(db, answer.number, answer.failure, now)
        elif done := turns.pop(answer.sink, None):
            done.waiting = outbox.due(db, answer.sink, now) if done.goes_on else []
            if done.waiting:
                turns[answer.sink] = done
                done.start(answers)
    return has_taken


def _note(db: sqlite3.Connection, number: int, failure: NotTaken | None, now: datetime) -> None:
    if failure is None:
        outbox.taken(db, number)
    elif isinstance(failure, NotTakenByAll):
        outbox.taken_in_part(db, number, failure.left, str(failure), now)
    else:
        outbox.failed(db, number, str(failure), now)


def tried(sink: SinkSettings, now: datetime) -> str | None:
    """Tell a sink that this is a test; why it has not taken it."""
    event = outbox.Event("test", "warning", "alerts", "test", "a test of this sink: nothing is wrong", now, now)
    failure = _failure(sink, outbox.Told(0, uuid.uuid4().hex, event.fields()))
    return None if failure is None else str(failure)


def _failure(sink: SinkSettings, told: Told) -> NotTaken | None:
    try:
        _WAYS[sink.kind](sink, told)
    except NotTaken as failure:
        return failure
    except Exception as error:  # noqa: BLE001 -- a defect of one sink's must not cost the others
        return NotTaken(f"a defect: {type(error).__name__}")  # its words may hold secrets
    return None


class _Turn:
    """What one sink is told at a look, in a thread of its own."""

    def __init__(self, sink: SinkSettings, waiting: list[Told]) -> None:
        self.limit_s = TURN_S + sink.timeout_s
        self._end = time.monotonic() + TURN_S  # nobody waits for what is told later
        self.at: int | None = None  # the message that is being told
        self.waiting = waiting
        self.goes_on = True  # it took all so far, and there is time
        self._sink = sink

    def start(self, answers: SimpleQueue[_Answer]) -> None:
        """Tell what waits."""
        Thread(target=self._run, args=(answers,), daemon=True).start()

    def _run(self, answers: SimpleQueue[_Answer]) -> None:
        """Up to the first failure: the others would most likely meet the same."""
        for told in self.waiting:
            if time.monotonic() > self._end:
                self.goes_on = False
                break
            self.at = told.number
            failure = _failure(self._sink, told)
            answers.put(_Answer(self._sink.name, told.number, failure))
            if failure and not isinstance(failure, NotTakenByAll):
                self.goes_on = False
                break
        answers.put(_Answer(self._sink.name, None, None))
