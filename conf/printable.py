"""What somebody else says, such as a mail, a file's name or the system's error, as it may be shown."""

from __future__ import annotations

import os
import unicodedata

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    """`text` with what controls, directs or parts lines escaped: it must not steer a terminal, or forge a line."""
    return "".join(c if unicodedata.category(c) not in _ESCAPED else ascii(c)[1:-1] for c in text)


def said(error: Exception) -> str:
    """In words: of the system's errors the file first, and no number."""
    if type(error).__str__ is OSError.__str__ and isinstance(error, OSError) and error.strerror:
        named = error.filename if error.filename2 is None else f"{error.filename} -> {error.filename2}"
        return f"{os.fsdecode(named)}: {error.strerror}" if isinstance(named, str | bytes) else error.strerror
    return str(error)


def counted(number: int, what: str) -> str:
    """`1 mail`, `3 mails`: of a noun whose plural has an s."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def span(seconds: float) -> str:
    """A length of time in its largest unit: 12 s, 3 min, 5 h, 2 d."""
    size, unit = next((each for each in _UNITS if seconds >= 2 * each[0]), _UNITS[-1])
    return f"{seconds / size:.0f} {unit}"


def size(number: int) -> str:
    """A number of bytes in its largest unit: 312 B, 12.5 KiB, 3.1 GiB."""
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if number >= 1 << power:
            return f"{number / (1 << power):,.1f} {unit}"
    return f"{number} B"
