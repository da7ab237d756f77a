"""Counts of what was found right, missed and invented, and the ratios of them (spec 7.4, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from parsers.scoring.pairing import PRICE_FIELDS, ROW_FIELDS, Line, are_equal, is_same_instrument, pairs, value


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
    """One mail: its counts, those of each field, and what is wrong, for people."""

    figures: Figures
    fields: Mapping[str, Counter[str]] = field(default_factory=dict)
    wrongs: tuple[str, ...] = ()


def score_mail(truths: Sequence[Line], founds: Sequence[Line]) -> MailScore:
    """Scores the quote lines of one mail.

    Args:
        truths: what it says, in the gold form.
        founds: what the parser made of it, in the same form.
    """
    count: Counter[str] = Counter(expected=len(truths), predicted=len(founds))
    fields: dict[str, Counter[str]] = {name: Counter() for name in ROW_FIELDS}
    wrongs: list[str] = []
    for truth, found in pairs(truths, founds):
        if truth is None or found is None:
            wrongs.append(f"{'invented' if truth is None else 'missed'} {_told(found or truth or {})}")
            continue
        is_same = is_same_instrument(truth, found)
        count["paired"] += 1
        count["price_exact"] += is_same and are_equal(truth, found, PRICE_FIELDS)
        count["exact"] += is_same and are_equal(truth, found, ROW_FIELDS)
        count["side_swaps"] += _is_swapped(truth, found)
        wrong = [name for name in ROW_FIELDS if value(truth, name) != value(found, name)]
        if wrong or not is_same:
            wrongs.append(f"{_told(truth)}: " + ", ".join(f"{name} {found.get(name)}" for name in wrong))
        for name, of_field in fields.items():
            _count_field(of_field, value(truth, name), value(found, name))
    return MailScore(Figures(**count), fields, tuple(wrongs))


def f1(count: Mapping[str, int]) -> float | None:
    """2PR / (P + R); None where nothing was expected or found."""
    right, wrong = count.get("tp", 0), count.get("fp", 0) + count.get("fn", 0)
    return _ratio(2 * right, 2 * right + wrong)


def _count_field(count: Counter[str], truth: object, found: object) -> None:
    """A wrong value is an invented one and a missed one."""
    count["tp"] += truth is not None and truth == found
    count["fp"] += found is not None and truth != found
    count["fn"] += truth is not None and truth != found


def _is_swapped(truth: Line, found: Line) -> bool:
    told = value(truth, "bid"), value(truth, "ask")
    return told[0] != told[1] and told == (value(found, "ask"), value(found, "bid"))


def _told(line: Line) -> str:
    levels = "/".join(str(line.get(name, "")) for name in ("bid", "ask", "mid"))
    return f"{line.get('instrument_id') or line.get('description')} {line.get('quote_type')} {levels}"


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
