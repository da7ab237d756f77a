"""Group commit: the mails that many connections wait with go into the log together, in one durable append.

While one batch is being appended the next gathers, so that the busier it is, the more mails share a flush; a mail that
comes alone waits for nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conf.heartbeat import BEAT_S
from ingest.lmtp import replies
from ingest.lmtp.deliveries import Arrival

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from ingest.incoming import Incoming

logger = logging.getLogger(__name__)


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
        beat: Callable[[], None] = lambda: None,  # called between batches, and while there is none
    ) -> None:
        self._publish = publish
        self._thread = thread
        self._batch_mails = batch_mails
        self._batch_bytes = batch_bytes
        self._beat = beat
        self._waiting: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._ending = False

    async def deliver(self, incoming: Incoming, recipients: Sequence[str]) -> list[str]:
        """A reply for each recipient, once the mail's batch is settled. Closes the mail."""
        waiting = _Waiting(Arrival(incoming, tuple(recipients)), asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._arrived.set()
        try:
            return await waiting.replies
        except asyncio.CancelledError:  # its client has left: nothing was promised, and its memory is needed
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                incoming.close()
            raise

    def end(self) -> None:
        """Make `run` return after the batch in hand."""
        self._ending = True
        self._arrived.set()

    async def run(self) -> None:
        """Settle batches until `end`."""
        while not self._ending:
            self._beat()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), BEAT_S)
            batch = self._next_batch()
            try:
                if batch:
                    await self._settle(batch)
            finally:
                for each in batch:
                    each.arrival.incoming.close()

    def _next_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < self._batch_mails and size < self._batch_bytes:
            batch.append(self._waiting.popleft())
            size += batch[-1].arrival.incoming.size
        if not (self._waiting or self._ending):
            self._arrived.clear()
        return batch

    async def _settle(self, batch: list[_Waiting]) -> None:
        arrivals = [each.arrival for each in batch]
        try:
            answers = await asyncio.get_running_loop().run_in_executor(self._thread, self._publish, arrivals)
        except Exception:
            if len(batch) > 1:  # one of them must not be the others' undoing
                for each in batch:
                    await self._settle([each])
                return
            logger.exception("a mail was not taken", extra={"source": "lmtp"})
            answers = [[replies.FAILED] * len(arrivals[0].recipients)]
        for each, answer in zip(batch, answers, strict=True):
            if not each.replies.done():
                each.replies.set_result(answer)
