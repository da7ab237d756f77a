"""The replies that are ours to word (RFC 5321; RFC 3463 for the second number)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from log.types import Position

NOT_NOW = "451 4.3.0 the log cannot take it now; try again"
FAILED = "451 4.3.0 otclog failed; try again"
NO_ROOM = "452 4.3.1 no room to receive it; try again"
TOO_MANY_RECIPIENTS = "452 4.5.3 too many recipients"
NO_SUCH_RECIPIENT = "550 5.1.1 no such recipient"
MALFORMED_ADDRESS = "501 5.1.3 malformed address"
RECIPIENT = "250 2.1.5 recipient OK"
DROPPED = "250 2.0.0 dropped, as a rule says"


def closing(why: str) -> str:
    """The last reply on a connection that ends now."""
    return f"421 4.3.2 {why}; try again"


def too_large(max_bytes: int) -> str:
    """To a mail of more bytes than that."""
    return f"552 5.3.4 a mail may have {max_bytes} bytes"


def durable(at: Position, *, is_new: bool) -> str:
    """To a mail that the log has."""
    return f"250 2.0.0 {'is' if is_new else 'was'} at {at.topic}-{at.partition} offset {at.offset}"
