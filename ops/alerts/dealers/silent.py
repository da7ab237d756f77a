"""Dealers that send nothing, where they always have by then: learned from their own weekdays, hours and holidays.

Expected of a dealer on a day is a mail, where
 - on each of the last eight such weekdays (four at least) it sent one, holidays left out
 - its days of half a year, forty at least, let expect that it keeps silent on one in forty at most
 - and that is no chance: it sends too many mails for that, or too evenly
By when: an hour and a half after the latest of these first mails; or as long after it as they lie apart.
A holiday is a day on which half of the other dealers of its region, or more, have sent nothing, though they mostly have
by then (of all regions, where there are not two others); or on which the dealer itself sent nothing a year before.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, time, timedelta
from math import comb, exp
from statistics import mean, median, pvariance
from typing import TYPE_CHECKING, NamedTuple

from ops.alerts.alarm import Alarm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ops.alerts.dealers.history import Day, History

WEEKS, LEAST_WEEKS = 8, 4
RECENT_DAYS = 60  # of which the region is asked
LEARNT = timedelta(weeks=26)
MOST_SILENT = 1 / 40  # of its days, by Laplace's rule of succession: none of 38, one of 78
CHANCE = 1 / 1_000
ENOUGH = 12  # mails a day: if so many come at random, hardly a day in a lifetime has none
LEAST_SPARE_MIN = 90  # more than clocks are put forward or back by, and a mail comes late
GONE = timedelta(days=14)  # after which nobody waits for it any more
DAY_MIN = 24 * 60
LEAST_OTHERS = 2
_YEARS_AGO = (timedelta(days=364), timedelta(days=365), timedelta(days=366))  # the same weekday, the same date


class _Crowd:
    """When dealers sent the first mail of each day: of a region, or of all."""

    def __init__(self) -> None:
        self._firsts: dict[date, list[int]] = defaultdict(list)

    def add(self, day: Day) -> None:
        insort(self._firsts[day.day], day.first_minute)

    def others(self, day: date, by_min: int, of: Mapping[date, Day]) -> int:
        """How many had sent one by that minute of the day, but for one dealer."""
        own = day in of and of[day].first_minute <= by_min
        return bisect_right(self._firsts[day], by_min) - own if day in self._firsts else 0


class _Expected(NamedTuple):
    by_min: int  # after midnight, of that day
    weeks: int  # in which it always was so


def silent(history: History, now: datetime) -> Iterator[Alarm]:
    """An alarm a dealer whose mail is missing; it ends with the next mail, or once nobody waits for it any more.

    `now` is up to when all mails are in the history.
    """
    everybody, regions = _Crowd(), defaultdict[str, _Crowd](_Crowd)
    home = {dealer: _region(days) for dealer, days in history.days.items()}
    for dealer, days in history.days.items():
        for each in days.values():
            everybody.add(each)
            regions[home[dealer]].add(each)
    for dealer, days in history.days.items():
        crowds = (regions[home[dealer]], everybody)
        last = max(days)
        missing = (last + timedelta(days=number) for number in range(1, (now.date() - last).days + 1))
        for day in missing if now.date() - last <= GONE else ():
            expected = _expected(day, days, crowds)
            if expected and _is_past(day, expected, now) and not _is_holiday(day, days, crowds, now):
                yield Alarm("silent", dealer, _said(day, last, expected), "warning")
                break


def _expected(day: date, days: Mapping[date, Day], crowds: tuple[_Crowd, ...]) -> _Expected | None:
    first, last = min(days), max(days)
    weekdays = [day - timedelta(weeks=number) for number in range(1, 2 * WEEKS)]
    asked = [
        each for each in weekdays if first <= each <= last and (each in days or not _was_holiday(each, days, crowds))
    ]
    asked = asked[:WEEKS]
    if len(asked) < LEAST_WEEKS or any(each not in days for each in asked) or not _is_regular(days, crowds):
        return None
    firsts = [days[each].first_minute for each in asked]
    spare = max(LEAST_SPARE_MIN, max(firsts) - min(firsts))
    return _Expected(min(max(firsts) + spare, DAY_MIN), len(asked))


def _is_regular(days: Mapping[date, Day], crowds: tuple[_Crowd, ...]) -> bool:
    """Whether it hardly ever keeps silent on one of its weekdays, and not by chance."""
    last = max(days)
    first = max(min(days), last - LEARNT)
    span = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    mailed = Counter(each.weekday() for each in span if each in days)
    usual = {weekday for weekday, number in mailed.items() if 2 * number >= len(span) // 7}
    own = [each for each in span if each.weekday() in usual]
    asked = [each for each in own if each in days or not _was_holiday(each, days, crowds)]
    counts = [days[each].mails if each in days else 0 for each in asked]
    kept_silent = counts.count(0)
    return (kept_silent + 1) / (len(counts) + 2) <= MOST_SILENT and _is_no_chance(counts, kept_silent)


def _is_no_chance(counts: list[int], kept_silent: int) -> bool:
    """Whether days without mail are rare for another reason than luck.

    So many come, or so evenly, that none is hardly possible. Or else so few days without any would be a chance of one
    in 1,000, if they came at random: they come by a plan.
    """
    often, uneven = mean(counts), pvariance(counts)
    if often * often >= ENOUGH * uneven:
        return True
    empty = exp(-often)
    ways = (comb(len(counts), k) * empty**k * (1 - empty) ** (len(counts) - k) for k in range(kept_silent + 1))
    return sum(ways) < CHANCE


def _is_past(day: date, expected: _Expected, now: datetime) -> bool:
    return now >= _midnight(day) + timedelta(minutes=expected.by_min)


def _is_holiday(day: date, days: Mapping[date, Day], crowds: tuple[_Crowd, ...], now: datetime) -> bool:
    by_min = DAY_MIN if day < now.date() else now.hour * 60 + now.minute
    return _are_others_silent(day, by_min, days, crowds) or any(_kept_silent(day - ago, days) for ago in _YEARS_AGO)


def _was_holiday(day: date, days: Mapping[date, Day], crowds: tuple[_Crowd, ...]) -> bool:
    return _are_others_silent(day, DAY_MIN, days, crowds)


def _are_others_silent(day: date, by_min: int, days: Mapping[date, Day], crowds: tuple[_Crowd, ...]) -> bool:
    for crowd in crowds:
        before = [crowd.others(day - timedelta(weeks=number), by_min, days) for number in range(1, WEEKS + 1)]
        usual = median([number for number in before if number] or [0])
        if usual >= LEAST_OTHERS:
            return 2 * crowd.others(day, by_min, days) <= usual
    return False


def _kept_silent(day: date, days: Mapping[date, Day]) -> bool:
    """Whether it sent nothing on a day of long ago, and did a week before and after."""
    week = timedelta(weeks=1)
    return day not in days and day - week in days and day + week in days


def _region(days: Mapping[date, Day]) -> str:
    named = Counter(day.region for day in list(days.values())[-RECENT_DAYS:] if day.region)
    return named.most_common(1)[0][0] if named else ""


def _said(day: date, last: date, expected: _Expected) -> str:
    by = f"{expected.by_min // 60:02}:{expected.by_min % 60:02}"
    return f"no mail on {day:%A}, {day}; on the last {expected.weeks} one had come by {by} UTC. The last came on {last}"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
