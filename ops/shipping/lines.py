"""Bytes as they are read, cut into lines. No line is held that is longer than a record may be, whatever comes."""

from __future__ import annotations

from typing import NamedTuple

from log.opslog import MAX_VALUE_BYTES

LINE_BYTES = MAX_VALUE_BYTES  # a line of so many is cut by its record, for that has its names and quotes besides
CHUNK_BYTES = 2**20  # read at once: some thousand lines, which are one append ...
MOST_LINES = 10_000  # ... for there are lines of a byte


class Split(NamedTuple):
    """What of some bytes is whole."""

    lines: list[bytes]  # without their ends; of longer ones than LINE_BYTES the beginnings; no empty ones
    used: int  # bytes: the rest is the beginning of a line, and is to be given again with what follows it
    inside: bool  # what follows belongs to a line of which the beginning is among these lines


def split(data: bytes, *, inside: bool, ends: bool) -> Split:
    """Cut into lines. `inside`: as the `Split` before it says. `ends`: nothing follows, so that the last one is whole.

    NULs before a line are left out: so reads a file that was truncated under a program which writes on where it was.
    """
    begin = 0
    if inside:
        begin = data.find(b"\n") + 1
        if not begin:
            return Split([], len(data), inside=not ends)
    *whole, rest = data[begin:].split(b"\n", MOST_LINES)
    lines = [_shown(line) for line in whole]
    end = len(data) - len(rest)
    if len(whole) == MOST_LINES:
        return Split([line for line in lines if line], end, inside=False)
    if ends or len(rest) >= LINE_BYTES:
        begun = _shown(rest)
        return Split([line for line in (*lines, begun) if line], len(data), inside=bool(begun) and not ends)
    return Split([line for line in lines if line], end, inside=False)


def _shown(line: bytes) -> bytes:
    return line.lstrip(b"\0")[:LINE_BYTES].rstrip(b"\r")
