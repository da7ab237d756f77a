"""Which levels a line states, and the words that belong to each (spec 4.6, 4.7, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from parsers.codes import Firmness
from parsers.quotes.runs.reading import Habits, Mark, Named, Reading
from parsers.quotes.runs.tokens import Kind, Token
from parsers.values.numbers import Locale, number

MEASURES = frozenset(
    {
        "yield_pct",
        "breakeven_pct",
        "discount_rate_pct",
        "price",
        "payup_32",
        "roll_ticks",
        "premium_bp",
        "dm_bp",
        "spread_oas_bp",
        "spread_asw_bp",
        "base_corr_pct",
    }
)
"""Labels that say what a level measures."""
SIDES = frozenset({"bid", "ask", "mid"})
KINDS = frozenset({"talk", "cover", "trade"})
CURVES = frozenset({"Z", "G", "I", "J", "N", "MS", "OAS", "ASW", "MMD", "T"})
"""Curve letters that also stand apart from their level: `Z 412/402`."""
_IN_NAMES = frozenset({Kind.series, Kind.date, Kind.identifier, Kind.tranche})
_NOTES = {"subject": Firmness.subject, "firm": Firmness.firm, "indicative": Firmness.indicative}
_PRINTED_FULL = re.compile(r"[.,¼½¾⅛⅜⅝⅞/'’\-+]")


def promote(found: list[Token], named: Named, locale: Locale, habits: Habits) -> None:
    """Turns months and lone numbers that can only be levels into levels."""
    has_level = any(token.kind is Kind.level for token in found)
    for at, token in enumerate(found):
        is_month = token.kind is Kind.month and token.text != named.maturity and token.text[:1].isdigit()
        if is_month and not has_level:
            found[at] = replace(token, kind=Kind.level)
            has_level = True
    start = _name_end(found, named)
    lone = [at for at, token in enumerate(found) if at >= start and token.kind is Kind.number]
    keyed = [at for at in lone if _is_keyed(found, at, habits)]
    for at in keyed:
        found[at] = replace(found[at], kind=Kind.level)
    free = [at for at in lone if at not in keyed]
    has_level = has_level or bool(keyed)
    if len(free) == 2 and free[1] == free[0] + 1 and not has_level and _are_close(found, free, locale):
        first, second = found[free[0]], found[free[1]]
        text = f"{first.text} / {second.text}"
        found[free[0]] = Token(Kind.level, first.start, second.end, text, unit=second.unit)
        del found[free[1]]
    elif len(free) == 1 and _can_be_level(found, free[0], named, habits, alone=not has_level):
        found[free[0]] = replace(found[free[0]], kind=Kind.level)


def mark(found: Sequence[Token], reading: Reading) -> None:
    """Fills the reading with the levels, their labels, the sizes and the remarks of the line."""
    _Marker(list(found), reading).run()


def second_instrument(found: Sequence[Token], *, curves: bool) -> int | None:
    """Where a second instrument begins: behind a level, with a level of its own; None on most lines.

    Args:
        found: the line's tokens.
        curves: instruments are a name and a tenor, so a name is enough to begin one; else it takes a bond.
    """
    levels = [at for at, token in enumerate(found) if token.kind is Kind.level]
    if len(levels) < 2:
        return None
    for at in range(levels[0] + 1, levels[-1]):
        token = found[at]
        if token.kind is Kind.identifier or (
            _may_name(found, at, curves=curves) and _has_own(found, at, curves=curves)
        ):
            return token.start
    return None


def _may_name(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    token = found[at]
    is_name = token.kind is Kind.word and token.text[0].isupper() and found[at - 1].kind is not Kind.word
    return is_name and len(token.text) >= (1 if curves else 2)


def _has_own(found: Sequence[Token], at: int, *, curves: bool) -> bool:
    """Whether a tenor or bond, and then a level, stand behind a name."""
    ahead = found[at + 1 : at + 5]
    until = next((index for index, token in enumerate(ahead) if token.kind is Kind.level), None)
    if until is None:
        return False
    own = {token.kind for token in ahead[:until]}
    if curves and (not own or Kind.tenor in own) and found[at].text not in CURVES:
        return True
    return bool(own & {Kind.month, Kind.date, Kind.series}) and bool(own & {Kind.number, Kind.series})


def _name_end(found: Sequence[Token], named: Named) -> int:
    """The first token behind the instrument's description: behind its parts, and words in front of any level."""
    left = [text for text in (named.coupon, named.maturity) if text is not None]
    end = 0
    has_level = False
    for at, token in enumerate(found):
        has_level = has_level or token.kind is Kind.level or (named.is_bond and not left and token.kind is Kind.number)
        if token.text in left:
            left.remove(token.text)
            end = at + 1
        elif token.kind in _IN_NAMES or (token.kind is Kind.word and not has_level):
            end = at + 1
    return end


def _is_keyed(found: Sequence[Token], at: int, habits: Habits) -> bool:
    """A lone number that a word beside it makes a level."""
    if found[at].unit in ("dm", "DM"):
        return True
    keys = SIDES | MEASURES | {"cover", "trade"}
    before = found[at - 1] if at else None
    after = found[at + 1] if at + 1 < len(found) else None
    if before is not None and (
        (before.kind is Kind.label and before.key in keys) or (habits.curves and before.kind is Kind.tenor)
    ):
        return True
    return after is not None and after.kind is Kind.label and after.key in keys | {"subject", "flat"}


def _are_close(found: Sequence[Token], free: Sequence[int], locale: Locale) -> bool:
    """Two lone numbers within a fifth of each other are the sides of a market."""
    values = [number(found[at].text, locale, ceiling=1000) for at in free]
    known = sorted(abs(value.value) for value in values if value is not None)
    return len(known) == 2 and known[1] > 0 and (known[1] - known[0]) * 5 <= known[1]


def _can_be_level(found: Sequence[Token], at: int, named: Named, habits: Habits, *, alone: bool) -> bool:
    """A lone value behind a name: with decimals, a fraction or ticks a level; a bare integer may be anything."""
    token = found[at]
    if token.unit is not None:
        return token.unit != "%" or alone
    has_tenor = any(other.kind is Kind.tenor for other in found)
    has_identifier = any(other.kind is Kind.identifier for other in found)
    if not (has_identifier or named.is_bond or has_tenor or habits.known):
        return False
    is_integer = alone and named.coupon is not None and len(token.text) in (2, 3)
    return bool(_PRINTED_FULL.search(token.text)) or is_integer


class _Marker:
    """Walks the tokens once; what a word says waits for the level that it belongs to."""

    def __init__(self, found: list[Token], reading: Reading) -> None:
        self.found = found
        self.reading = reading
        self.first = next((at for at, token in enumerate(found) if token.kind is Kind.level), len(found))
        self.waiting: dict[str, str] = {}
        self.sides_first = self._sides_first()

    def run(self) -> None:
        reading = self.reading
        reading.is_timed = any(token.kind is Kind.time for token in self.found)
        for at, token in enumerate(self.found):
            if token.kind is Kind.level:
                self._level(token)
            elif token.kind is Kind.label:
                self._label(token, at)
            elif token.kind is Kind.tenor:
                self.waiting["tenor"] = token.text
            elif token.kind is Kind.size:
                reading.sizes.append(token.text)
            elif token.kind is Kind.bond:
                reading.bond = token.text
            elif token.kind is Kind.reference:
                self._change_last(reference=token.text)
            elif token.kind is Kind.delta:
                self._change_last(delta=token.text)
            elif token.kind is Kind.word:
                self._curve(token, at)

    def _level(self, token: Token) -> None:
        reading, waiting = self.reading, self.waiting
        last = reading.marks[-1] if reading.marks else None
        if token.prefix == "" and last is not None and "pt" in (last.token.unit or "") and "/" not in token.text:
            self._change_last(running=token.text)
            return
        reading.marks.append(
            Mark(
                token,
                side=token.key if token.key in SIDES else waiting.pop("side", None),
                kind="talk" if token.key == "talk" else waiting.pop("kind", None),
                label=waiting.pop("label", None),
                struct=waiting.pop("struct", None),
                tenor=waiting.pop("tenor", None),
            )
        )

    def _label(self, token: Token, at: int) -> None:
        key = token.key or ""
        has_next = at + 1 < len(self.found) and self.found[at + 1].kind in (Kind.level, Kind.label)
        if key in SIDES:
            self._side(key, at)
        elif key in KINDS and has_next:
            self.waiting["kind"] = key
        elif key in MEASURES and has_next:
            self.waiting["label"] = key
        elif key in MEASURES and key != "price" and self.reading.marks and self.reading.marks[-1].label is None:
            self._change_last(label=key)
        elif key == "atm" or key[:2] in ("rr", "bf"):
            self.waiting["struct"] = key
        else:
            self._remark(key, at)

    def _side(self, key: str, at: int) -> None:
        """A side word belongs to the next value where side words stand in front, else to the last."""
        marks = self.reading.marks
        next_is_free = self._next_is_level(at) and bool(marks) and marks[-1].side is not None
        if self.sides_first or not marks or next_is_free:
            if at >= self.first - 2:
                self.waiting["side"] = key
        elif marks[-1].side is None and marks[-1].kind is None:
            self._change_last(side=key)

    def _remark(self, key: str, at: int) -> None:
        reading = self.reading
        is_last = at == len(self.found) - 1
        if key == "flat":
            reading.is_flat = True
        elif key == "not_traded":
            reading.is_untraded = True
        elif key == "withdrawn":
            reading.is_withdrawn = reading.is_withdrawn or at >= len(self.found) - 2
        elif key == "axe":
            reading.axe = reading.axe or "any"
        elif key in _NOTES:
            reading.firmness = _NOTES[key]
            reading.is_withdrawn = reading.is_withdrawn or (key == "subject" and not reading.marks and is_last)

    def _curve(self, token: Token, at: int) -> None:
        """`Z 412/402`: a curve letter apart from its level."""
        if token.text in CURVES and at and at > self.first - 3 and self._next_is_level(at):
            following = self.found[at + 1]
            if following.prefix is None:
                self.found[at + 1] = replace(following, prefix=token.text)

    def _change_last(self, **changes: str) -> None:
        marks = self.reading.marks
        if marks:
            marks[-1] = replace(marks[-1], **changes)  # type: ignore[arg-type]  # texts of the fields named by the caller

    def _next_is_level(self, at: int) -> bool:
        return at + 1 < len(self.found) and self.found[at + 1].kind is Kind.level

    def _sides_first(self) -> bool:
        """Whether side words stand in front of their values: `bid 98.5 offer 99`."""
        for at, token in enumerate(self.found[: self.first]):
            if token.kind is Kind.label and token.key in ("bid", "ask") and self._next_is_level(at):
                return True
        return False
