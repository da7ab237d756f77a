"""Weeks of dealers' mails by a clock that the test moves: each dealer has its weekdays, hours, sizes and moods."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from ops.alerts.dealers.history import Day, History

CELLS = 10
REGIONS = {"europe": (12, 7 * 60), "north_america": (12, 12 * 60), "apac": (8, 23 * 60), "latin_america": (2, 13 * 60)}


class Mail(NamedTuple):
    dealer: str
    region: str
    at: datetime
    quotes: int
    refused: int
    filled: int
    format: str


class Dealer(NamedTuple):
    name: str
    region: str
    runs: tuple[int, ...]  # minutes of the day when it usually sends one
    jitter_min: float
    more: float  # mails besides, on average, over eight hours
    misses: float  # share of its days on which it sends nothing
    quotes: int  # of a mail, on average
    full: float  # share of cells filled


def dealers(seed: int = 1) -> list[Dealer]:
    chance = random.Random(seed)
    return [
        _dealer(f"{region}-{number}", region, opens, chance)
        for region, (most, opens) in REGIONS.items()
        for number in range(most)
    ]


def _dealer(name: str, region: str, opens: int, chance: random.Random) -> Dealer:
    runs = tuple(
        opens + round(chance.uniform(0, 50 if opens > 1_200 else 400)) for _ in range(chance.choice((0, 1, 1, 2, 4)))
    )
    return Dealer(
        name,
        region,
        runs,
        chance.choice((1.0, 10.0, 30.0)),
        chance.choice((0.0, 0.5, 4.0, 30.0)) if runs else chance.choice((1.0, 2.0, 6.0)),
        chance.choice((0.0, 0.0, 0.0, 0.1, 0.3)),
        chance.choice((5, 40, 200)),
        chance.uniform(0.4, 0.9),
    )


def regular() -> str:
    """A dealer that mails each day by a plan."""
    found = (each for each in dealers() if each.region == "europe" and each.runs and each.more < 1)
    return next(each.name for each in found if not each.misses)


def mails(first: date, days: int, is_holiday: Callable[[str, date], bool], seed: int = 2) -> list[Mail]:
    """All of so many days, in the order of their times."""
    chance = random.Random(seed)
    found = [
        mail
        for dealer in dealers()
        for number in range(days)
        for mail in _of_day(dealer, first + timedelta(days=number), chance)
        if not is_holiday(dealer.region, mail.at.date())
    ]
    return sorted(found, key=lambda mail: mail.at)


def _of_day(dealer: Dealer, day: date, chance: random.Random) -> Iterator[Mail]:
    if day.weekday() >= 5 or chance.random() < dealer.misses:
        return
    minutes = [run + abs(chance.gauss(0, dealer.jitter_min)) for run in dealer.runs]
    minutes += [REGIONS[dealer.region][1] + chance.uniform(0, 480) for _ in range(poisson(dealer.more, chance))]
    for minute in minutes:
        quotes = max(1, round(chance.gauss(dealer.quotes, dealer.quotes * 0.3)))
        at = datetime.combine(day, time.min, UTC) + timedelta(minutes=min(minute, 1_439))
        refused = poisson(quotes * 0.01, chance)
        filled = sum(chance.random() < dealer.full for _ in range(min(quotes, 20) * CELLS)) * quotes // min(quotes, 20)
        yield Mail(dealer.name, dealer.region, at, quotes, refused, filled, "text/plain")


def poisson(mean: float, chance: random.Random) -> int:
    count, left = 0, chance.random()
    while left > math.exp(-mean) and count < 1_000:
        count, left = count + 1, left * chance.random()
    return count


class Clock:
    """The history as it is known at a time, which only goes on."""

    def __init__(self, sent: list[Mail]) -> None:
        self._sent, self._at = sorted(sent, key=lambda mail: mail.at), 0
        self._days: dict[str, dict[date, Day]] = defaultdict(dict)
        self._formats: dict[str, dict[str, datetime]] = defaultdict(dict)

    def at(self, now: datetime) -> History:
        while self._at < len(self._sent) and self._sent[self._at].at <= now:
            self._add(self._sent[self._at])
            self._at += 1
        return History(self._days, self._formats)

    def _add(self, mail: Mail) -> None:
        day = mail.at.date()
        was = self._days[mail.dealer].get(
            day, Day(mail.dealer, day, mail.region, 0, mail.at.hour * 60 + mail.at.minute, 0, 0, 0, 0)
        )
        self._days[mail.dealer][day] = was._replace(
            mails=was.mails + 1,
            quotes=was.quotes + mail.quotes,
            refused=was.refused + mail.refused,
            cells=was.cells + CELLS * mail.quotes,
            filled=was.filled + mail.filled,
        )
        self._formats[mail.dealer].setdefault(mail.format, mail.at)
