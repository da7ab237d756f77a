"""Shared strings of an XLS whose text looks different in parts ([MS-XLS] 2.4.265, 2.5.293).

The table of strings goes on in CONTINUE records wherever one is full: in the middle of a text, too, which then says
anew how wide its characters are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from parsers.documents.workbooks.looks import Font, Rich, rich

_WIDE, _EXTENDED, _IN_PARTS = 0x01, 0x04, 0x08  # flags of a string
_RUN = struct.Struct("<HH")


def rich_strings(records: Sequence[bytes], fonts: Sequence[Font]) -> dict[int, Rich]:
    """By their number, those with parts that are struck or raised.

    Args:
        records: of the table: the first, and those that continue it.
        fonts: of the workbook.
    """
    strings = enumerate(_strings(_Table(records)))
    found = ((number, rich(_parts(text, runs, fonts))) for number, (text, runs) in strings if runs)
    return {number: text for number, text in found if text is not None}


def font_at(fonts: Sequence[Font], number: int) -> Font | None:
    """A font by the number it goes by: there is none of the number 4."""
    at = number - (number > 4)
    return fonts[at] if at < len(fonts) else None


def _parts(text: str, runs: list[tuple[int, int]], fonts: Sequence[Font]) -> Iterator[tuple[str, Font | None]]:
    """What stands before the first run has the cell's own font."""
    yield text[: runs[0][0]], None
    ends = [start for start, _ in runs[1:]] + [len(text)]
    for (start, font), end in zip(runs, ends, strict=True):
        yield text[start:end], font_at(fonts, font)


def _strings(table: _Table) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Texts and their runs: where each begins, and its font. Up to where the table breaks off."""
    try:
        _, count = struct.unpack("<LL", table.take(8))
        for _ in range(count):
            length, flags = struct.unpack("<HB", table.take(3))
            parts = int.from_bytes(table.take(2), "little") if flags & _IN_PARTS else 0
            extension = int.from_bytes(table.take(4), "little") if flags & _EXTENDED else 0
            text = table.text(length, wide=bool(flags & _WIDE))
            runs = [_RUN.unpack(table.take(4)) for _ in range(parts)]
            table.take(extension)
            yield text, runs
    except (struct.error, IndexError):
        return


class _Table:
    """The bytes of the records one after the other."""

    def __init__(self, records: Sequence[bytes]) -> None:
        self._records = records
        self._record = 0
        self._at = 0

    def _left(self) -> int:
        """Bytes of the record at hand, or of the next where it is at its end. Raises IndexError behind the last."""
        while self._at >= len(self._records[self._record]):
            self._record, self._at = self._record + 1, 0
        return len(self._records[self._record]) - self._at

    def take(self, size: int) -> bytes:
        """The next bytes. Raises IndexError where there are not as many."""
        taken = b""
        while len(taken) < size:
            step = min(self._left(), size - len(taken))
            taken += self._records[self._record][self._at : self._at + step]
            self._at += step
        return taken

    def text(self, length: int, *, wide: bool) -> str:
        """As many characters: two bytes each, or one."""
        text = ""
        while len(text) < length:
            if self._at >= len(self._records[self._record]):  # the next record begins with how wide it goes on
                wide = bool(self.take(1)[0] & _WIDE)
            width = 2 if wide else 1
            step = min(self._left() // width, length - len(text))
            data = self.take(max(step, 1) * width)
            text += data.decode("utf-16-le" if wide else "latin-1", "replace")
        return text
