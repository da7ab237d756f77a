"""Numbers as dealers print them (domain.md section 4)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.generate.books import Measure

_EIGHTHS = ("", "1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8")
_TAIL_CLASSES = {"govt_intl", "irs", "inflation_swap", "fx_forward", "fx_option"}  # rule T of domain.md 4.3
_PRICE_CAP, _LOW_PRICE = (
    Decimal(3),
    Decimal(70),
)  # rule F of 4.3: how wide a market may be before shorthand is looked for


def plain(value: Decimal) -> str:
    """Digits without trailing zeros: the gold form of a decimal."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def eighths(value: Decimal) -> str:
    """98 1/4."""
    handle, rest = divmod(value, 1)
    return f"{handle} {_EIGHTHS[int(rest * 8)]}".strip() if handle or not rest else f"0 {_EIGHTHS[int(rest * 8)]}"


def ticks(value: Decimal) -> str:
    """98-08+: 32nds; a third digit counts eighths of one, + is half of one."""
    handle, rest = divmod(value, 1)
    whole, eighth = divmod(int(rest * 256), 8)
    return f"{handle}-{whole:02d}{'+' if eighth == 4 else eighth or ''}"


def printed(value: Decimal, measure: Measure, decimal: str) -> str:
    """One level by itself."""
    if measure.notation == "ticks":
        return ticks(value)
    if measure.notation == "fraction":
        return eighths(value)
    return f"{value:.{measure.places}f}".replace(".", decimal)


def pair(
    bid: Decimal | None, ask: Decimal | None, measure: Measure, decimal: str, *, null: str = "--", short_for: str = ""
) -> str:
    """Bid and ask in a run: `98 1/4 - 3/4`, `99-16+/17`, `85/80`, `+31/28`, `--/99.25`, with `null` for no level.

    `short_for` is the asset class if the ask may leave out what it shares with the bid; where that could be read as
    another level, it stands in full.
    """
    sign = ""
    if measure.signed:
        sign = "-" if (bid if bid is not None else ask or 0) < 0 else "+"
        bid, ask = (None if level is None else abs(level) for level in (bid, ask))
    if bid is None or ask is None:
        first = null if bid is None else printed(bid, measure, decimal)
        second = null if ask is None else printed(ask, measure, decimal)
    else:
        first, second = printed(bid, measure, decimal), printed(ask, measure, decimal)
        if short_for:
            second = _short(bid, ask, measure, (first, second), short_for)
        if measure.notation == "fraction":
            return f"{first} - {second}"
    if measure.signed and ask is not None and bid is not None:
        second = f"{'-' if sign == '-' else ''}{second}"
    return f"{sign}{first}/{second}"


def _short(bid: Decimal, ask: Decimal, measure: Measure, texts: tuple[str, str], cls: str) -> str:
    first, second = texts
    same_handle = bid // 1 == ask // 1
    if measure.notation == "fraction":
        return second.partition(" ")[2] if same_handle and bid % 1 and ask % 1 else second
    if measure.notation == "ticks":
        return second.partition("-")[2] if same_handle and not _like_a_fraction(second) else second
    if measure.places >= 3 and cls in _TAIL_CLASSES and first[:-2] == second[:-2]:
        return second[-2:]
    if measure.places == 2 and same_handle and measure.type == "price_pct" and _too_wide(bid, Decimal(second[-2:])):
        return second[-2:]
    return second


def _like_a_fraction(ask: str) -> bool:
    """99-15/16 would be 99 15/16, and only two digits (and +) are ever left."""
    tick = ask.partition("-")[2]
    return len(tick.rstrip("+")) != 2 or tick in {"02", "04", "08", "16"}


def _too_wide(bid: Decimal, full: Decimal) -> bool:
    """Whether the shortened ask, read in full, makes no market."""
    cap = _PRICE_CAP if bid >= _LOW_PRICE else max(_PRICE_CAP, bid * Decimal("0.15"))
    return not bid <= full <= bid + cap
