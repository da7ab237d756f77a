"""Numbers as dealers print them."""

from __future__ import annotations

from decimal import Decimal

from ingest.generate.kinds import LevelKind, Notation

_EIGHTHS = ("", "1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8")


def plain(value: Decimal) -> str:
    """Digits without trailing zeros: the gold form of a decimal."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def eighths(value: Decimal) -> str:
    """98 1/4."""
    handle, rest = divmod(value, 1)
    return f"{handle} {_EIGHTHS[int(rest * 8)]}".rstrip()


def ticks(value: Decimal) -> str:
    """98-08+: 32nds, with + for a half of one."""
    handle, rest = divmod(value, 1)
    whole, half = divmod(int(rest * 64), 2)
    return f"{handle}-{whole:02d}{'+' if half else ''}"


def printed(value: Decimal, kind: LevelKind, language: str) -> str:
    """One level by itself."""
    if kind.notation is Notation.ticks:
        return ticks(value)
    if kind.notation is Notation.fraction:
        return eighths(value)
    places = -int(kind.tick.as_tuple().exponent)
    text = f"{value:.{places}f}"
    return text.replace(".", ",") if language == "de" else text


def pair(bid: Decimal, ask: Decimal, kind: LevelKind, language: str, *, shorthand: bool) -> str:
    """Bid and ask in a run: `98 1/4 - 3/4`, `99-16+/17`, `T+85/80`."""
    first, second = printed(bid, kind, language), printed(ask, kind, language)
    same_handle = bid // 1 == ask // 1
    if kind.notation is Notation.fraction:
        if shorthand and same_handle and bid % 1:
            second = second.partition(" ")[2]
        return f"{first} - {second}"
    if kind.notation is Notation.ticks and shorthand and same_handle:
        second = second.partition("-")[2]
    return kind.text.format(f"{first}/{second}")
