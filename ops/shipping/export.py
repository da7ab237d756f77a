"""The export format of systemd's journal, cut into entries as it comes.

Its page is https://systemd.io/JOURNAL_EXPORT_FORMATS/. A field is a line `NAME=value`; or, where the value may hold
anything, `NAME`, a line's end, its length as 64 bits (little-endian), the value and a line's end. An empty line ends an
entry.
"""

from __future__ import annotations

from ops.shipping.lines import LINE_BYTES

_LENGTH_BYTES = 8
Entry = dict[bytes, bytes]  # by name; of a longer value than LINE_BYTES the beginning


class Export:
    """What was read, and is no whole entry yet: at most a field of LINE_BYTES, beside those before it."""

    def __init__(self) -> None:
        self._left = b""  # of a line or a length that is not whole
        self._entry: Entry = {}
        self._binary = b""  # the name of the field whose value is being read ...
        self._to_come = 0  # ... and how many bytes of it follow, with its line's end

    def feed(self, data: bytes) -> list[Entry]:
        """The entries that are whole with this."""
        data, self._left, at, entries = self._left + data, b"", 0, []
        while at < len(data):
            if self._binary:
                at = self._value(data, at)
                continue
            whole = data.find(b"\n\n", at) if not self._entry else -1
            if whole >= 0 and (entry := _of_lines(data[at:whole])):
                entries.append(entry)
                at = whole + 2
                continue
            end = data.find(b"\n", at)
            if end < 0:
                self._left = self._bounded(data[at:])
                break
            line = data[at:end]
            if not line:
                entries.append(self._entry)
                self._entry = {}
            elif b"=" in line:
                name, _, value = line.partition(b"=")
                self._entry[name] = value[:LINE_BYTES]
            elif len(data) < end + 1 + _LENGTH_BYTES:
                self._left = data[at:]
                break
            else:
                self._binary = line
                self._to_come = int.from_bytes(data[end + 1 : end + 1 + _LENGTH_BYTES], "little") + 1
                self._entry[self._binary] = b""
                end += _LENGTH_BYTES
            at = end + 1
        return [entry for entry in entries if entry]

    def _value(self, data: bytes, at: int) -> int:
        """Take what there is of it; where the data go on behind that."""
        come = data[at : at + self._to_come]
        self._to_come -= len(come)
        value = come if self._to_come else come[:-1]
        room = LINE_BYTES - len(self._entry[self._binary])
        self._entry[self._binary] += value[:room]
        if not self._to_come:
            self._binary = b""
        return at + len(come)

    def _bounded(self, line: bytes) -> bytes:
        """A line that is not whole, without what nobody would keep of it."""
        return line[: 2 * LINE_BYTES]


def _of_lines(block: bytes) -> Entry | None:
    """The entry that it is if each field is a line, as of most entries; None of any other, which costs more."""
    if len(block) > LINE_BYTES:
        return None
    fields = [line.partition(b"=") for line in block.split(b"\n")]
    return {name: value for name, _, value in fields} if all(sign for _, sign, _ in fields) else None
