"""Which levels a line states, and the words that belong to each (spec 4.6, 4.7, 5.11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from parsers.codes import Firmness
from parsers.quotes.answers.naming import first_level
from parsers.quotes.lexer.labels import CURVES, KINDS, MEASURES, SIDES
from parsers.quotes.lexer.token import BOND, DATE, DELTA, LABEL, LEVEL, REFERENCE, SIZE, TENOR, TIME, WORD, Token
from parsers.quotes.runs.marked.gone import is_gone
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.values.currencies import CODES

_SWAPS = frozenset({"swaps", "midswaps", "mid-swaps", "midswap"})  # `mid swaps +35/+32`
_MONEY = frozenset({"EUR", "CHF", "USD", "GBP", "€", "Euro"})
"""Behind a level: it is of one piece, where pieces are traded."""
_CODES = {**{code: code for code in CODES}, "€": "EUR", "Euro": "EUR"}
_MARKED = frozenset({LEVEL, LABEL})
_IN_TICKS = re.compile(r"\d{2,3}-[0-3]\d")
"""No spread is: in `FHR 4977 Z  98-24/99-08` the letter is the tranche's."""
_TWO_SIDED = re.compile(r"\d\s?[-–/]\s?\d")
_FRACTION = re.compile(r"[ \-]\d{1,2}/\d{1,2}$")
_OVER = frozenset({"to", "over", "off", "vs"})
"""Between a spread and its curve."""
RUNNING = frozenset({"25", "100", "300", "500", "1000"})
"""Coupons of credit default swaps, in basis points."""
_ON = frozenset({"on", "am", "le", "el", "em", "il"})
"""In front of a day."""
_NOTES = {"subject": Firmness.subject, "firm": Firmness.firm, "indicative": Firmness.indicative}


def _is_up_front(unit: str | None) -> bool:
    return unit is not None and unit.startswith(("pt", "poi", "up"))


def _same_option(last: Mark | None, waiting: Mapping[str, str]) -> str | None:
    """`ATM: 1W 12.4/13.6, 1M 13/13.8`: another tenor of the option before."""
    return last.struct if last is not None and last.struct == "atm" and "tenor" in waiting else None


def _is_market(text: str) -> bool:
    """Whether a level has both sides; neither is the one that a word behind it names."""
    return "/" in text.strip(" /") and not _FRACTION.search(text)


def mark(found: Sequence[Token], reading: Reading, *, german: bool = False) -> None:
    """Fills the reading with the levels, their labels, the sizes and the remarks of the line."""
    _Marker(list(found), reading, german=german).run()


class _Marker:
    """Walks the tokens once; what a word says waits for the level that it belongs to."""

    def __init__(self, found: list[Token], reading: Reading, *, german: bool) -> None:
        self.found, self.reading, self.german = found, reading, german
        self.first = first_level(found)
        self.waiting: dict[str, str] = {}
        self.sides_first = self._sides_first()

    def run(self) -> None:
        for at, token in enumerate(self.found):
            kind = token.kind
            if kind is WORD:
                if token.text in CURVES or token.text in _SWAPS:
                    self._curve(token, at)
                elif token.text.strip("()") in _CODES and at > self.first:
                    self._money(token.text.strip("()"), at)
            elif kind is LEVEL:
                self._level(token)
            elif kind is LABEL:
                self._label(token, at)
            elif kind is SIZE:
                self.reading.sizes.append(token.text)
            else:
                self._other(token, at)

    def _other(self, token: Token, at: int) -> None:
        kind = token.kind
        if kind is TENOR:
            is_of_index = at and self.found[at - 1].text.lower() in ("vs", "vs.")  # `EUR 10y vs 6m`
            self.waiting["tenor"] = self.waiting.get("tenor", token.text) if is_of_index else token.text
        elif kind is BOND:
            self.reading.bond = token.text
        elif kind is REFERENCE:
            if self.reading.marks:
                self._change_last(reference=token.text)
            else:
                self.waiting["reference"] = token.text
        elif kind is DELTA:
            self._change_last(delta=token.text)
        elif kind is TIME:
            self.reading.is_timed = True
            self.reading.time = token.text if at == 0 or self._is_of_market(at) else None

    def _is_of_market(self, at: int) -> bool:
        """Whether a time ends the line, right behind a market or its sizes: `24.85/24.95 10:15`."""
        is_behind = at == len(self.found) - 1 and self.found[at - 1].kind in {LEVEL, SIZE}
        return is_behind and any(_TWO_SIDED.search(mark.token.text) for mark in self.reading.marks)

    def _level(self, token: Token) -> None:
        reading, waiting = self.reading, self.waiting
        last = reading.marks[-1] if reading.marks else None
        if last is not None and self._belongs_to(token, last):
            return
        if self._is_of_another(token, last) or self._is_running(token, last):
            return
        if token.key == "with" and last is not None:
            reading.marks.append(Mark(token, side=last.side, kind=last.kind))
            return
        if self._is_unpaid(token):
            return
        running = self._running_ahead(token, last)
        reading.marks.append(
            Mark(
                token,
                side=self._printed_side(token) or waiting.pop("side", None),
                kind="talk" if token.key == "talk" else waiting.pop("kind", None),
                label=waiting.pop("label", None),
                struct=waiting.pop("struct", None) or _same_option(last, waiting),
                tenor=waiting.pop("tenor", None),
                reference=waiting.pop("reference", None),
                running=running,
            )
        )

    def _belongs_to(self, token: Token, last: Mark) -> bool:
        """Adds what is no level to the one before: the coupon of points up front, a delta (`101/102 v 13.20 48%`)."""
        if token.prefix == "" and _is_up_front(last.token.unit) and "/" not in token.text:
            self._change_last(running=token.text)
            return True
        if token.unit == "%" and last.reference is not None and "label" not in self.waiting:
            self._change_last(delta=token.text)
            return True
        return False

    def _is_of_another(self, token: Token, last: Mark | None) -> bool:
        """Whether a level is of another day, compared with one of another bond, or gone."""
        is_dated = self._is_of_another_day(token)
        self.reading.is_dated = self.reading.is_dated or is_dated
        is_compared = token.prefix is not None and last is not None and last.reference  # `182/188 vs 6.1 32 +178/172`
        return bool(is_dated or is_compared or is_gone(self.found, token, german=self.german))

    def _is_unpaid(self, token: Token) -> bool:
        """Whether nobody paid a level: `DNT, high bid 91`, or `traded high 99s`, which is no price."""
        if self.reading.is_untraded and token.key != "talk" and "kind" not in self.waiting:
            return True
        if token.key == "talk" and self.waiting.pop("kind", "talk") != "talk":
            self.reading.is_untraded = True
            return True
        return False

    def _printed_side(self, token: Token) -> str | None:
        """The side that the level itself says; for a buyer `@ 98` is where it buys."""
        if token.key == "at":
            return "bid" if self.reading.side == "bid" else "ask"
        return token.key if token.key in SIDES else None

    def _is_of_another_day(self, token: Token) -> bool:
        """`callable at par on 02/01/07` behind a bond: a lone level of a day that is printed is what it costs then."""
        at = self.found.index(token) + 1
        named = self.reading.named
        if not named.is_bond or "/" in token.text or "kind" in self.waiting or len(self.found) <= at + 1:
            return False
        is_on = self.found[at].text.lower() in _ON
        return is_on and self.found[at + 1].kind is DATE and self.found[at + 1].text != named.maturity

    def _is_running(self, token: Token, last: Mark | None) -> bool:
        """`US single names, 100 running`: a running coupon, and no level beside it."""
        at = self.found.index(token) + 1
        return last is None and "/" not in token.text and at < len(self.found) and self.found[at].key == "running"

    def _running_ahead(self, token: Token, last: Mark | None) -> str | None:
        """`Zeta Steel 5y 500  12.5/13.5 pts upf`: bare in front of points it is their running coupon, no level."""
        if last is None or not _is_up_front(token.unit) or last.token.text not in RUNNING:
            return None
        if last != Mark(last.token, tenor=last.tenor) or last.token.unit is not None:
            return None
        self.reading.marks.pop()
        if last.tenor is not None:
            self.waiting.setdefault("tenor", last.tenor)
        return last.token.text

    def _label(self, token: Token, at: int) -> None:
        key = token.key or ""
        last = self.reading.marks[-1] if self.reading.marks else None
        has_next = self._has_next(at, last)
        if key in SIDES:
            self._side(key, at)
        elif key in KINDS:
            self._kind(key, at, last, has_next=has_next)
        elif key in MEASURES:
            self._measure(key, at, last, has_next=has_next)
        elif key == "atm" or key[:2] in ("rr", "bf"):
            self.waiting["struct"] = key
        else:
            self._remark(key, at)

    def _kind(self, key: str, at: int, last: Mark | None, *, has_next: bool) -> None:
        """A word of a kind belongs to the next value, else to the last that has none."""
        if has_next and not self._is_closed(at):
            self.waiting["kind"] = key
        elif key == "talk" or last is None or last.kind is not None:
            self._remark(key, at)
        elif not _is_market(last.token.text):  # `142/137, we bought 10m` is a market all the same
            self._change_last(kind=key)

    def _measure(self, key: str, at: int, last: Mark | None, *, has_next: bool) -> None:
        """A measure's word belongs to the next value, else to the last that has none."""
        if has_next:
            self.waiting["label"] = key
        elif key != "price" and last is not None and last.label is None:
            self._change_last(label=key)
        else:
            self._remark(key, at)

    def _has_next(self, at: int, last: Mark | None) -> bool:
        """Whether a level or a label stands behind a word, or behind the tenor of the first: `BEI 10y 2.28/2.30`."""
        behind = self.found[at + 1 : at + 3]
        if last is None and behind and behind[0].kind is TENOR:
            behind = behind[1:]
        return bool(behind) and behind[0].kind in _MARKED

    def _side(self, key: str, at: int) -> None:
        """A side word belongs to the next value where side words stand in front, else to the last."""
        marks = self.reading.marks
        if self._is_better(key, at):
            self.reading.axe = self.reading.axe or key
            if any(_is_market(mark.token.text) for mark in marks):
                return
        is_taken = bool(marks) and (marks[-1].side is not None or _is_market(marks[-1].token.text))
        next_is_free = self._next_is_level(at) and (is_taken or self._is_of_next(at))
        if self.sides_first or not marks or next_is_free:
            if at >= self.first - 2:
                self.waiting["side"] = key
        elif marks[-1].side is None and marks[-1].kind is None:
            self._change_last(side=key)

    def _is_better(self, key: str, at: int) -> bool:
        """`98/99 better buyer`: who has more to do."""
        return at > 0 and key in ("bid", "ask") and self.found[at - 1].text.lower() == "better"

    def _is_closed(self, at: int) -> bool:
        """`J+88 cover, J+86 trade`: a word at the level before it, apart from the one behind, or `covered MS+12/9`."""
        before, here, behind = self.found[at - 1 : at + 2] if at else (self.found[0],) * 3
        is_near = before.kind is LEVEL and here.start - before.end == 1 and behind.start - here.end > 1
        is_secured = here.text == "covered" and behind.prefix is not None and _is_market(behind.text)  # the bond is
        return is_secured or (is_near and self.reading.marks[-1].kind is None)

    def _is_of_next(self, at: int) -> bool:
        """`pay J+112 for 10mm, offer J+104`: apart from the level before, and no other side word stands behind."""
        is_apart = self.found[at - 1].kind is not LEVEL
        return is_apart and not any(token.kind is LABEL and token.key in SIDES for token in self.found[at + 1 :])

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
        before = self.found[at - 2 if at > 1 and self.found[at - 1].text in _OVER else at - 1]
        if token.text == "MMD" and at and before.kind is LEVEL and self.reading.marks:
            last = self.reading.marks[-1]  # `+12/+8 MMD`, `+12/+8 to MMD`
            self.reading.marks[-1] = replace(last, token=replace(last.token, prefix="MMD"))
        elif at and at > self.first - 3 and self._next_is_level(at):
            following = self.found[at + 1]
            if token.text in _SWAPS:
                self.found[at + 1] = replace(following, prefix=following.prefix or "MS")
            elif following.prefix is None and _IN_TICKS.match(following.text) is None:
                self.found[at + 1] = replace(following, prefix=token.text)

    def _money(self, text: str, at: int) -> None:
        """`5,62/5,58 CLP`: what the bond is in; right behind a level, the level is of one piece where pieces trade."""
        self.reading.currency = _CODES[text]
        if self.found[at - 1].kind is LEVEL and text in _MONEY:
            self._change_last(label="price_unit")

    def _change_last(self, **changes: str) -> None:
        marks = self.reading.marks
        if marks:
            marks[-1] = replace(marks[-1], **changes)  # texts of the fields named by the caller

    def _next_is_level(self, at: int) -> bool:
        return at + 1 < len(self.found) and self.found[at + 1].kind is LEVEL

    def _sides_first(self) -> bool:
        """Whether side words stand in front of their values: `bid 98.5 offer 99`."""
        for at, token in enumerate(self.found[: self.first]):
            if token.kind is LABEL and token.key in ("bid", "ask") and self._next_is_level(at):
                return True
        return False
