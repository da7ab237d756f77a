"""Standard input: the lines of a program that pipes them. Nobody can go on behind what it gave, so nothing is kept."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conf.printable import counted
from log.opslog import record_of
from ops.shipping.batch import Batch, records_of
from ops.shipping.coming import MOMENT_S, pieces
from ops.shipping.lines import CHUNK_BYTES, split
from ops.shipping.times import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

    from log.types import Record
    from ops.shipping.batch import Speaker

BUFFER_BYTES = 8 * 2**20  # what is held while the log cannot take lines: as much as a mail server says in an hour


class PipeSource:
    """What comes from a program.

    While the log takes lines, a program that is faster waits for it. While it cannot, the program does not: lines are
    held, and what comes when BUFFER_BYTES are full is dropped and counted, which is a line of its own afterwards.
    """

    name = "standard input"

    def __init__(self, descriptor: int, speaker: Speaker) -> None:
        self._descriptor, self._speaker = descriptor, speaker
        self._data = bytearray()  # of lines that the log has not; the last one is maybe not whole
        self._inside, self._key_lines = False, 0
        self._amid = False  # what was dropped last ended amid a line
        self._ended = False
        self.dropped = 0  # lines, ever
        self._told = 0  # of these

    @property
    def is_over(self) -> bool:
        """Whether it ended, and the log has all."""
        return self._ended and not self._data and self._told == self.dropped

    def take(self) -> Batch | None:
        """What was held, or comes now; and behind that, how many lines were dropped."""
        for piece in self._pieces(CHUNK_BYTES - len(self._data), MOMENT_S):
            self._data += self._behind_a_drop(piece)
        chunk = bytes(self._data[:CHUNK_BYTES])
        found = split(chunk, inside=self._inside, ends=self._ended and len(chunk) == len(self._data))
        records, key_lines = records_of(found.lines, self._speaker, self._key_lines)
        dropped = self.dropped if found.used == len(self._data) else self._told
        if dropped > self._told:
            records.append(self._notice(dropped - self._told))

        def keep() -> None:
            del self._data[: found.used]
            self._inside, self._key_lines, self._told = found.inside, key_lines, dropped

        if not records:
            keep()  # blank lines
            return None
        return Batch(records, keep)

    def meanwhile(self) -> None:
        """Hold what comes, or drop it."""
        for piece in self._pieces(BUFFER_BYTES, 0.0):
            if len(self._data) + len(piece) <= BUFFER_BYTES and not self._amid:
                self._data += piece
            else:
                self._drop(piece)

    def close(self) -> None:
        """It is not ours to close."""

    def _pieces(self, most: int, moment_s: float) -> Iterator[bytes]:
        for piece in pieces(self._descriptor, most, moment_s) if not self._ended else ():
            if piece:
                yield piece
            else:
                self._ended = True

    def _drop(self, piece: bytes) -> None:
        if not self._amid:
            del self._data[self._data.rfind(b"\n") + 1 :]  # the line that is not whole ends in this piece
        self.dropped += piece.count(b"\n")
        self._amid = not piece.endswith(b"\n")

    def _behind_a_drop(self, piece: bytes) -> bytes:
        """Without the end of a line whose beginning was dropped."""
        if not self._amid:
            return piece
        _, end, piece = piece.partition(b"\n")
        self._amid = not end
        self.dropped += len(end)
        return piece

    def _notice(self, dropped: int) -> Record:
        said = f"{counted(dropped, 'line')} of {self.name} dropped: the log could not take them"
        fields = {"timestamp": iso(datetime.now(UTC)), "level": "error", "event": said, "process": os.getpid()}
        return record_of({**fields, "shipped": self._speaker.shipped}, self._speaker.host, self._speaker.unit)
