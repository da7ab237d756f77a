"""Times that a document prints beside its prices: `as of 10:30 LDN 20-Nov-2026`, `Stand 20.11.2026`, `COB 19 Nov`.

Only what is printed is read; on which day a time without a date is, and in which zone one without a zone, is the
assembler's question (spec 2.3, ruling 29).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import cache, lru_cache

from msgspec import Struct

from parsers.lexicon import compiled, spelled
from parsers.values.times.dates import MONTH_NAME, MONTHS
from parsers.words import words_of

MAX_STATEMENT = 160
"""Characters of a line in which a time is looked for."""
UNKNOWN_ZONE = "?"
"""A zone that is printed and may be several: `IST`, `CST`."""


class Printed(Struct, frozen=True):
    """A day, a time of it, or both."""

    days: tuple[date, ...] = ()  # readings of a printed date; of `05/11/2026` month first, then day first
    day_of_month: tuple[tuple[int, int], ...] = ()  # (month, day), the same for a date without a year
    time: time | None = None
    zone: str | None = None  # IANA name, `+02:00`, or UNKNOWN_ZONE; None: not printed
    is_as_of: bool = False  # a word says that prices are of then
    weekday: int | None = None  # Monday is 0
    is_close: bool = False  # of the end of a day, which is never to come: `COB`, `Closing marks`

    def __str__(self) -> str:
        """For people: `2026-05-11 or 2026-11-05 10:30 Europe/London`."""
        days = [day.isoformat() for day in self.days] or [f"{month:02}-{day:02}" for month, day in self.day_of_month]
        at = self.time.isoformat("minutes") if self.time is not None else None
        return " ".join(filter(None, (" or ".join(days), at, self.zone)))


_DIGIT = compiled(r"\d")
_MAY = compiled(
    r"\d[:h]\d\d|\d\s?[ap]\.?m\b|\d\d?\.\d\d\s?{hour_word}\b|\d{4}\s?{hour_word}\b|\b{as_of_sign}\b|\b{day_preposition}\s"
)
"""What every statement has, in lower case: most titles have none of it."""
_WORDS = (
    r"(?<!\bnav )(?<!factor )(?<!factors )(?<!ratings )(?<!holdings )"
    r"{as_of}"
)
_PREPOSITIONS = "{day_preposition}"
"""These announce a date alone: `Niveaux au 20/11/2026`."""
_CLOSES = r"(?<!vs )(?<!vs\. )(?<!since )(?<!from )(?<!versus )(?<!last ){close_word}(?:\s+{closing_of})?"
"""So does this, but for a day with its month, in a title: `EM Hard Currency - Close 20 Nov 2026`."""
_CLOSED = compiled(r"\b{closed}\b", re.IGNORECASE)
_UNTIL = compiled(
    r"\b{until}\b"
    r"(?:\W+{until_when}\b)*[^\w.;]*$",
    re.IGNORECASE,
)
"""In front of a time: something is to be done until then, and nothing is quoted."""
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = rf"(?:(?P<{{}}>{'|'.join(_WEEKDAYS)})[a-z]{{{{0,6}}}}\.?,?\s+)?"
_FILLER = r"(?:\s*:?\s*(?:(?:close\s+(?:of\s+business\s+)?|{moment_filler})\s+){0,2})"
_DATE = (
    r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./\-]\d{1,2}[./\-](?:20\d{2}|\d{2})(?!\d)|"
    rf"\d{{1,2}}{{ordinal}}?[\s\-/.]{{0,2}}(?:de\s+)?{MONTH_NAME}\b\.?"
    r"(?:[\s\-/,.']{0,2}(?:de\s+)?(?:20\d{2}|\d{2})(?![\d:h.]))?|"
    rf"{MONTH_NAME}\.?\s+\d{{1,2}}{{ordinal}}?(?![\d:h])(?:,?\s+20\d{{2}})?)"
)
_SHORT_DATE = r"(?:\d{1,2}/\d{1,2}(?![\d/]))"  # behind a word alone
_TIME = (
    r"(?:(?:[01]?\d|2[0-3])[:h][0-5]\d(?::[0-5]\d)?(?!\d)(?:\s?[ap]\.?m\b\.?)?|(?:0?[1-9]|1[0-2])\s?[ap]\.?m\b\.?|"
    r"(?:[01]?\d|2[0-3])\.[0-5]\d(?=\s?(?:{hour_word}|[ap]m)\b)|(?:[01]\d|2[0-3])[0-5]\d(?=\s?{hour_word}\b))"
)
_AT = r"(?:\s*[,;|@–-]?\s*{at_time}?\s*)"
_ZONE = (
    spelled(r"(?:\s?{hour_word}\b)?")
    + r"(?:\s?\(?(?P<{}>utc\s?[+\-]\d{{1,2}}|gmt\s?[+\-]\d{{1,2}}|[+\-]\d\d:?\d\d|{})\b\)?)?"
)


@lru_cache(maxsize=2048)  # titles come again; so do the times of a column
def printed(text: str) -> Printed | None:
    """The first time that a title, a line above prices or a cell prints; a bare date says nothing of prices."""
    text = text[:MAX_STATEMENT]
    if not may_state(text):
        return None
    for pattern in statements():
        match = pattern.search(text)
        if match is not None and (found := _read(match)) is not None and not _UNTIL.search(text[: match.start()]):
            return found
    return None


@lru_cache(maxsize=2048)
def clock(text: str) -> Printed | None:
    """The day, the time, or both, that the whole text of a cell is."""
    match = _cell().fullmatch(text.strip()) if text[:MAX_STATEMENT] == text else None
    return _read(match) if match is not None else None


def may_state(text: str) -> bool:
    """Whether a text has what every statement of a time has; most titles have not."""
    return _DIGIT.search(text) is not None and _MAY.search(text.lower()) is not None


@cache
def statements() -> tuple[re.Pattern[str], ...]:
    """The forms of a statement: a word with what it announces, then a date and time beside each other."""
    names = "|".join(sorted(map(re.escape, _zones()), key=len, reverse=True))
    zones = [_ZONE.format(name, names) for name in ("zone", "zone2")]
    weekdays = [_WEEKDAY.format(name) for name in ("weekday", "weekday2")]
    date_first = rf"{weekdays[0]}(?P<date>{_DATE})(?:{_AT}(?P<time>{_TIME}){zones[0]})"
    day_or_both = rf"{weekdays[0]}(?P<date>{_DATE})(?:{_AT}(?P<time>{_TIME}){zones[0]})?"
    date_or_both = rf"{weekdays[0]}(?P<date>{_DATE}|{_SHORT_DATE})(?:{_AT}(?P<time>{_TIME}){zones[0]})?"
    time_first = rf"(?P<time2>{_TIME}){zones[1]}(?:\s*[,;|/–-]?\s*{{on_day}}?\s*{weekdays[1]}(?P<date2>{_DATE}))"
    time_or_both = time_first + "?"
    return (
        compiled(rf"\b(?P<word>{_WORDS})\b{_FILLER}{_AT}(?:{date_or_both}|{time_or_both})", re.IGNORECASE),
        compiled(rf"\b(?P<word>{_PREPOSITIONS})\s+{date_or_both}", re.IGNORECASE),
        compiled(rf"\b(?P<word>{_CLOSES})\s+{day_or_both}", re.IGNORECASE),
        compiled(rf"(?<![\w.,/:+-])(?:{date_first}|{time_first})", re.IGNORECASE),
    )


@cache
def _cell() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _zones()), key=len, reverse=True))
    zones = [_ZONE.format(name, names) for name in ("zone", "zone2")]
    return compiled(
        rf"(?:{_WEEKDAY.format('weekday')}(?P<date>{_DATE})(?:(?:{_AT}|T)(?P<time>{_TIME}){zones[0]})?|"
        rf"(?P<time2>{_TIME}){zones[1]}(?:\s+(?P<date2>{_DATE}))?)",
        re.IGNORECASE,
    )


@cache
def _zones() -> dict[str, str]:
    """Printed name, lower case -> IANA zone."""
    table = words_of(__file__, "zones")
    return {name: zone for zone, names in table.items() for name in names}


def _read(match: re.Match[str]) -> Printed | None:
    said = match.groupdict()
    days, of_month = _days(said.get("date") or said.get("date2") or "")
    clock_text = said.get("time") or said.get("time2")
    at = _time(clock_text) if clock_text else None
    if not days and not of_month and at is None:
        return None
    zone = said.get("zone") or said.get("zone2")
    weekday = said.get("weekday") or said.get("weekday2")
    return Printed(
        days,
        of_month,
        at,
        _zone(zone) if zone else None,
        bool(said.get("word")),
        _WEEKDAYS.index(weekday.lower()) if weekday else None,
        _CLOSED.search(match[0]) is not None,
    )


def _days(text: str) -> tuple[tuple[date, ...], tuple[tuple[int, int], ...]]:
    """The readings of a date, and those of one without a year."""
    words = re.findall(r"\d+|[^\W\d_]+", text.lower())
    name = next((word for word in words if word in MONTHS), None)
    numbers = [word for word in words if word.isdecimal()]
    if name is not None:
        triples = [(numbers[1] if len(numbers) > 1 else None, MONTHS[name], int(numbers[0]))] if numbers else []
    elif len(numbers) == 3 and len(numbers[0]) == 4:
        triples = [(numbers[0], int(numbers[1]), int(numbers[2]))]
    elif len(numbers) >= 2:
        year = numbers[2] if len(numbers) == 3 else None
        pairs = [(int(numbers[0]), int(numbers[1])), (int(numbers[1]), int(numbers[0]))]
        triples = [(year, month, day) for month, day in dict.fromkeys(pairs if "." not in text else pairs[1:])]
    else:
        return (), ()
    full = [(int(year) + (2000 if len(year) == 2 else 0), month, day) for year, month, day in triples if year]
    without = tuple((month, day) for year, month, day in triples if not year and 1 <= month <= 12 and 1 <= day <= 31)
    return tuple(_existing(full)), without


def _existing(triples: Iterable[tuple[int, int, int]]) -> Iterable[date]:
    for year, month, day in triples:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _time(text: str) -> time | None:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if len(numbers) == 1 and numbers[0] > 24:
        numbers = [numbers[0] // 100, numbers[0] % 100]
    hour, minute, second = (*numbers, 0, 0)[:3]
    half = re.search(r"([ap])\.?m", text, re.IGNORECASE)
    if half is not None and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half[1].lower() == "p" else 0)
    return time(hour, minute, second) if hour < 24 else None


def _zone(text: str) -> str:
    """The zone as the assembler takes it."""
    lower = " ".join(text.lower().split())
    if lower in _zones():
        return _zones()[lower]
    match = re.search(r"([+\-])(\d{1,2}):?(\d{2})?$", lower)
    if match is None or int(match[2]) > 14:
        return UNKNOWN_ZONE
    return f"{match[1]}{int(match[2]):02}:{match[3] or '00'}"


def of_value(value: datetime | date | time) -> Printed:
    """What a workbook's typed cell prints; midnight is a day without a time, for cells of dates hold it."""
    if isinstance(value, datetime):
        at = value.time() if value.time() != time() else None
        return Printed(days=(value.date(),), time=at)
    return Printed(days=(value,)) if isinstance(value, date) else Printed(time=value)
