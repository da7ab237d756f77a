"""Numbers as dealers print them: each level with the text that says it."""

from __future__ import annotations

import random
from fractions import Fraction

EIGHTHS = {0: "", 1: "1/8", 2: "1/4", 3: "3/8", 4: "1/2", 5: "5/8", 6: "3/4", 7: "7/8"}
QUARTERS = {0: "", 2: ".25", 4: ".5", 6: ".75"}
GLYPHS = {"1/8": "⅛", "1/4": "¼", "3/8": "⅜", "1/2": "½", "5/8": "⅝", "3/4": "¾", "7/8": "⅞"}


def on_grid(rng: random.Random, low: float, high: float, step: str) -> Fraction:
    """A level between the bounds that is a multiple of a step."""
    size = Fraction(step)
    return size * rng.randint(int(Fraction(str(low)) / size), int(Fraction(str(high)) / size))


def decimal(value: Fraction, places: int, mark: str = ".") -> str:
    """`98.250`; rounds nothing: the value must be a multiple of 10^-places."""
    scaled = value * 10**places
    assert scaled.denominator == 1, (value, places)
    digits = f"{abs(scaled.numerator):0{places + 1}d}"
    whole, tail = (digits[:-places], digits[-places:]) if places else (digits, "")
    return ("-" if value < 0 else "") + whole + (mark + tail if tail else "")


def places_of(value: Fraction, least: int = 0) -> int:
    """How many decimals a value needs, `least` at least."""
    return next(n for n in range(least, 9) if (value * 10**n).denominator == 1)


def fraction(value: Fraction, style: str) -> str:
    """`98 1/4`, `98-1/4` or `98¼`: eighths."""
    whole, eighths = divmod(value * 8, 8)
    part = EIGHTHS[int(eighths)]
    if not part:
        return str(int(whole))
    return f"{whole}{GLYPHS[part]}" if style == "glyph" else f"{whole}{'-' if style == 'dash' else ' '}{part}"


def ticks(value: Fraction, style: str) -> str:
    """`99-16+`, `99-164` or `99'16.5`: 32nds and their quarters."""
    whole, rest = divmod(value * 256, 256)
    tick, eighth = divmod(int(rest), 8)
    if style == "quote":
        return f"{whole}'{tick:02}" + QUARTERS[eighth]
    tail = "+" if eighth == 4 and style != "digits" else str(eighth) if eighth else ""
    return f"{whole}-{tick:02}{tail}"


def decimal_tail(bid: str, ask: str) -> str | None:
    """The D form of an ask: `98.25`, `98.75` -> `75`, where it reads back as the same (spec 4.3)."""
    whole, mark, tail = ask.partition(".")
    is_same = mark and bid.partition(".")[0] == whole and len(tail) == len(bid.partition(".")[2]) >= 2
    is_full = Fraction(tail or 0) > Fraction(bid) and len(tail) == 2  # `94.45/96` is 96 (spec 4.3)
    return tail if is_same and not is_full and not tail.startswith("0") and Fraction(ask) > Fraction(bid) else None
