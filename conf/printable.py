"""Text of somebody else's, such as a mail's or a file's name, as it may be shown."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """`text` with control and direction characters escaped: it must not steer a terminal, or forge a line of a log."""
    return "".join(c if unicodedata.category(c) not in {"Cc", "Cf", "Cs"} else ascii(c)[1:-1] for c in text)
