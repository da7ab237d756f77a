"""Counts of what was found right, missed and invented, and the ratios of them (spec 7.4, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from parsers.scoring.differing import Differing
from parsers.scoring.pairing import (
    NAMES,
    PRICE_FIELDS,
    ROW_FIELDS,
    Line,
    are_equal,
    is_same_instrument,
    pairs,
    value,
)


class Figures(Struct, frozen=True):
    """Counts of one group of mails."""

    expected: int = 0
    predicted: int = 0
    paired: int = 0
    price_exact: int = 0
    exact: int = 0
    side_swaps: int = 0

    @property
    def recall(self) -> float | None:
        """Of the quotes in the truth, those found."""
        return _ratio(self.paired, self.expected)

    @property
    def price_exact_share(self) -> float | None:
        """Of the quotes in the truth, those found with instrument, type and levels right."""
        return _ratio(self.price_exact, self.expected)

    @property
    def exact_share(self) -> float | None:
        """Of the quotes in the truth, those found with every scored field right."""
        return _ratio(self.exact, self.expected)

    @property
    def false_price_rate(self) -> float | None:
        """Of the quotes found, those that are in no truth or have a wrong price."""
        return _ratio(self.predicted - self.price_exact, self.predicted)

    def __add__(self, other: Figures) -> Figures:
        """The counts of both."""
        names = self.__struct_fields__
        return Figures(*(getattr(self, name) + getattr(other, name) for name in names))


class MailScore(Struct, frozen=True):
    """One mail: its counts, those of each field, and the quotes that are wrong."""

    figures: Figures
    fields: Mapping[str, Counter[str]] = field(default_factory=dict)
    wrongs: tuple[Differing, ...] = ()  # missing; false: of no truth, or of another instrument or price; else wrong


def score_mail(truths: Sequence[Line], founds: Sequence[Line]) -> MailScore:
    """Scores the quote lines of one mail.

    Args:
        truths: what it says, in the gold form.
        founds: what the parser made of it, in the same form.
    """
    count: Counter[str] = Counter(expected=len(truths), predicted=len(founds))
    fields: dict[str, Counter[str]] = {name: Counter() for name in ROW_FIELDS}
    wrongs: list[Differing] = []
    for truth, found in pairs(truths, founds):
        if truth is None or found is None:
            wrongs.append(Differing("false" if truth is None else "missing", truth, found, ROW_FIELDS))
            continue
        wrong = _wrong_fields(truth, found)
        is_priced = is_same_instrument(truth, found) and are_equal(truth, found, PRICE_FIELDS)
        count["paired"] += 1
        count["price_exact"] += is_priced
        count["exact"] += not wrong
        count["side_swaps"] += _is_swapped(truth, found)
        if wrong:
            wrongs.append(Differing("wrong" if is_priced else "false", truth, found, wrong))
        for name, of_field in fields.items():
            _count_field(of_field, value(truth, name), value(found, name))
    return MailScore(Figures(**count), fields, tuple(wrongs))


def f1(count: Mapping[str, int]) -> float | None:
    """2PR / (P + R); None where nothing was expected or found."""
    right, wrong = count.get("tp", 0), count.get("fp", 0) + count.get("fn", 0)
    return _ratio(2 * right, 2 * right + wrong)


def _wrong_fields(truth: Line, found: Line) -> tuple[str, ...]:
    """Of what must be right for a row to be exact."""
    named = () if is_same_instrument(truth, found) else NAMES
    return (*named, *(name for name in ROW_FIELDS if value(truth, name) != value(found, name)))


def _count_field(count: Counter[str], truth: object, found: object) -> None:
    """A wrong value is an invented one and a missed one."""
    count["tp"] += truth is not None and truth == found
    count["fp"] += found is not None and truth != found
    count["fn"] += truth is not None and truth != found


def _is_swapped(truth: Line, found: Line) -> bool:
    told = value(truth, "bid"), value(truth, "ask")
    return told[0] != told[1] and told == (value(found, "ask"), value(found, "bid"))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
