"""Standard input: the lines of a program that pipes them. Nobody can go on behind what it gave, so nothing is kept."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conf.printable import counted
from log.opslog import record_of
from ops.shipping.batch import Batch, Behind, records_of
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
        self._data = bytearray()  # behind what was taken; the last line is maybe not whole
        self._taken: Batch | None = None  # until the log has it
        self._behind = Behind()
        self._is_full = False  # lines were dropped since the last were taken: those that follow are, too
        self._amid = False  # what comes goes on in a line that was dropped, or taken as far as a record goes
        self._ended = False
        self.dropped = 0  # lines, ever
        self._told = 0  # of these

    @property
    def is_over(self) -> bool:
        """Whether it ended, and the log has all."""
        return self._ended and not self._data and not self._taken and self._told == self.dropped

    def begin(self) -> None:
        """Nothing is kept of it."""

    def take(self) -> Batch | None:
        """What was held, or comes now; and behind that, how many lines were dropped."""
        if self._taken:
            return self._taken
        for piece in self._pieces(CHUNK_BYTES - len(self._data), MOMENT_S):
            self._data += self._behind_line(piece)
        chunk = bytes(self._data[:CHUNK_BYTES])
        found = split(chunk, inside=False, ends=self._ended and len(chunk) == len(self._data))
        records, self._behind = records_of(found.lines, self._speaker, self._behind)
        del self._data[: found.used]
        self._is_full = False
        if found.inside:
            end = self._data.find(b"\n") + 1
            self._amid = self._amid or not end
            del self._data[: end or len(self._data)]
        if not self._data and self.dropped > self._told:
            records.append(self._notice(self.dropped - self._told))
            self._told = self.dropped
        self._taken = Batch(records, self._kept) if records else None
        return self._taken

    def meanwhile(self) -> None:
        """Hold what comes, or drop it."""
        for piece in self._pieces(BUFFER_BYTES, 0.0):
            wanted = piece if self._is_full else self._behind_line(piece)
            if self._is_full or len(self._data) + len(wanted) > BUFFER_BYTES:
                self._drop(wanted)
            else:
                self._data += wanted

    def close(self) -> None:
        """It is not ours to close."""

    def _pieces(self, most: int, moment_s: float) -> Iterator[bytes]:
        for piece in pieces(self._descriptor, most, moment_s) if not self._ended else ():
            if piece:
                yield piece
            else:
                self._ended = True

    def _drop(self, piece: bytes) -> None:
        """A piece goes, and the line that it goes on with. Counted is each line where it begins."""
        del self._data[self._data.rfind(b"\n") + 1 :]
        self.dropped += piece.count(b"\n") + (not piece.endswith(b"\n")) - self._amid
        self._is_full, self._amid = True, not piece.endswith(b"\n")

    def _behind_line(self, piece: bytes) -> bytes:
        """Without the end of a line of which nothing more is wanted."""
        if not self._amid:
            return piece
        _, end, piece = piece.partition(b"\n")
        self._amid = not end
        return piece

    def _kept(self) -> None:
        self._taken = None

    def _notice(self, dropped: int) -> Record:
        said = f"{counted(dropped, 'line')} of {self.name} dropped: the log could not take them"
        fields = {"timestamp": iso(datetime.now(UTC)), "level": "error", "event": said, "process": os.getpid()}
        return record_of({**fields, "shipped": self._speaker.shipped}, self._speaker.host, self._speaker.unit)
