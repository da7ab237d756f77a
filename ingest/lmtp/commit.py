"""Group commit: the mails that many connections wait with go into the log together, in one durable append.

While one batch is being appended the next gathers, so that the busier it is, the more mails share a flush; a mail that
comes alone waits for nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail, and whom it came for."""

    raw: bytes
    recipients: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    arrival: Arrival
    replies: asyncio.Future[list[str]]


class GroupCommit:
    """One batch at a time, in one thread of its own. Lives in one event loop."""

    def __init__(
        self,
        publish: Callable[[Sequence[Arrival]], list[list[str]]],  # blocks; a reply for each recipient of each mail
        thread: Executor,
        batch_mails: int,
        batch_bytes: int,
    ) -> None:
        self._publish = publish
        self._thread = thread
        self._batch_mails = batch_mails
        self._batch_bytes = batch_bytes
        self._waiting: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()

    async def deliver(self, raw: bytes, recipients: Sequence[str]) -> list[str]:
        """A reply for each recipient, once the mail's batch is settled."""
        waiting = _Waiting(Arrival(raw, tuple(recipients)), asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._arrived.set()
        try:
            return await waiting.replies
        except asyncio.CancelledError:  # its client has left: nothing was promised, and its memory is needed
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            raise

    async def run(self) -> None:
        """Settle batches until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            batch = self._next_batch()
            try:
                replies = await loop.run_in_executor(self._thread, self._publish, [each.arrival for each in batch])
            except Exception:
                logger.exception("%d mails were not taken", len(batch))
                replies = [["451 4.3.0 otclog failed; try again"] * len(each.arrival.recipients) for each in batch]
            for each, answer in zip(batch, replies, strict=True):
                if not each.replies.done():
                    each.replies.set_result(answer)

    def _next_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < self._batch_mails and size < self._batch_bytes:
            batch.append(self._waiting.popleft())
            size += len(batch[-1].arrival.raw)
        if not self._waiting:
            self._arrived.clear()
        return batch
