"""Dealers of whose mails less is read than was: fewer quotes a mail, emptier rows, more refused. And new formats.

A day is judged once it has half of a usual day's mails or rows, the latest such day of two weeks alone; beside the
twenty days before it that have any. Of these the worst is left out: one bad day must not hide the next. It is wrong if
it is beyond the limit, and far from them by how they differ among themselves; or if nothing is left. Days since an
alarm fires do not count as usual, for two weeks: then it is how that dealer mails now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from math import sqrt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.alarm import Alarm, limit_of
from ops.alerts.dealers.history import LEAST_DAYS as USUAL_DAYS
from ops.alerts.usual import FAR, LASTS, has_fallen, has_risen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conf.alerting import AlertSettings, Kind
    from ops.alerts.alarm import Since
    from ops.alerts.dealers.history import Day, History

OLD = timedelta(weeks=4)  # so long a dealer is known before a format of its is new
NEW = timedelta(days=1)  # so long it is new


class _Measure(NamedTuple):
    kind: Kind
    what: str
    of: Callable[[Day], float]
    weight: Callable[[Day], int]
    least: int  # of that
    # Of a day's value, the usual ones in order, the limit, and how far values of a day of so few mails or rows may lie.
    is_wrong: Callable[[float, Sequence[float], float, float], bool]


_MEASURES = (
    _Measure("quotes", "quotes a mail", lambda day: day.quotes / day.mails, lambda day: day.mails, 1, has_fallen),
    _Measure(
        "fill", "share of cells filled", lambda day: day.filled / day.cells, lambda day: day.cells, 200, has_fallen
    ),
    _Measure(
        "errors",
        "share of rows refused",
        lambda day: day.refused / (day.quotes + day.refused),
        lambda day: day.quotes + day.refused,
        10,
        has_risen,
    ),
)


def falls(history: History, settings: AlertSettings, since: Since, now: datetime) -> Iterator[Alarm]:
    """An alarm a dealer and measure."""
    for dealer, days in history.days.items():
        for measure in _MEASURES:
            begun = since.get((measure.kind, dealer))
            end = begun.date() if begun and now - begun < LASTS else now.date() + timedelta(days=1)
            limit = limit_of(settings, measure.kind, dealer)
            if said := _judged(days, measure, end, limit, now.date()):
                yield Alarm(measure.kind, dealer, said, "warning")


def _judged(days: Mapping[date, Day], measure: _Measure, end: date, limit: float, today: date) -> str | None:
    """What is wrong with the latest day that has enough."""
    for day in sorted((each for each in days if today - LASTS <= each <= today), reverse=True):
        before = [days[each] for each in days if each < min(day, end) and measure.weight(days[each])][-USUAL_DAYS:]
        if len(before) < USUAL_DAYS:
            continue
        weight, usually = measure.weight(days[day]), median(map(measure.weight, before))
        if weight < max(measure.least, usually / 2):
            continue
        value, usual = measure.of(days[day]), sorted(map(measure.of, before))
        if not measure.is_wrong(value, usual, limit, FAR * sqrt(max(usually / weight, 1))):
            return None
        return (
            f"{measure.what}: {value:.2f} on {day}, {usual[1]:.2f} to {usual[-2]:.2f} on {USUAL_DAYS} days before, "
            "but for the least and the most"
        )
    return None


def new_formats(history: History, now: datetime) -> Iterator[Alarm]:
    """An alarm a dealer and content type, for a day: its reader may never have seen this dealer's."""
    for dealer, formats in history.formats.items():
        days = history.days.get(dealer, {})
        is_known = len(days) >= USUAL_DAYS and now.date() - min(days) >= OLD
        for name, first in formats.items():
            if is_known and now - NEW < first:
                said = (
                    f"sends {name} since {first:%Y-%m-%d %H:%M} UTC, and had not: see `otclog rejects` and its quotes"
                )
                yield Alarm("format", f"{dealer}: {name}", said, "warning")
