"""The dots of DATA (RFC 5321, 4.5.2): a line that begins with a dot was given another one for the way."""

from __future__ import annotations

END = b".\r\n"  # after a line end: the end of the mail


class Unstuffer:
    """Takes the dots off again, over pieces cut anywhere, and tells the end: a lone dot between two CR LFs.

    Nothing but CR LF ends a line: taking a bare LF for one would let one mail become two (SMTP smuggling).
    """

    def __init__(self) -> None:
        self._held = b"\r\n"  # what may be the beginning of CR LF dot; at first, the line end before the first line
        self._before = len(self._held)  # of its bytes, which are no part of the mail, so many are still to go
        self._tail = self._held

    @property
    def ended(self) -> bool:
        """Whether the last piece ended the mail."""
        return self._tail == b"\r\n" + END

    def feed(self, piece: bytes) -> bytes:
        """The mail's own bytes, as far as they are known. The end is never within a piece, only at its end."""
        self._tail = (self._tail + piece[-5:])[-5:]
        raw = self._held + piece
        cut = len(raw) - (2 if raw.endswith(b"\r\n") else raw.endswith(b"\r"))
        self._held = raw[cut:]
        mail = raw[:cut].replace(b"\r\n.", b"\r\n")
        before = min(self._before, len(mail))
        self._before -= before
        return mail[before:]
