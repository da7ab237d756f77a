"""ops.alerts.dealers: what is told of dealers, by weeks of generated traffic and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conf.alerting import AlertSettings, RuleSettings
from ops.alerts.alarm import Alarm
from ops.alerts.dealers.falls import falls, new_formats
from ops.alerts.dealers.history import Day, History
from ops.alerts.dealers.silent import silent
from tests.ops.alerts.dealers.traffic import Clock, Mail, dealers, mails, regular

FIRST = date(2026, 6, 1)  # a Monday
WEEKS = 12
TODAY = FIRST + timedelta(weeks=WEEKS)
TUESDAY = TODAY + timedelta(days=1)
SETTINGS = AlertSettings(looks=2, accounts_every_s=1, state=Path("unused"), heartbeat="", rules=(), sinks=())


def no_holiday(_region: str, _day: date) -> bool:
    return False


def at(day: date, hour: int) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def looks(clock: Clock, first: date, days: int, step_h: int = 3) -> Iterator[tuple[datetime, list[Alarm]]]:
    for hours in range(0, 24 * days, step_h):
        now = at(first, 0) + timedelta(hours=hours)
        known = clock.at(now)
        yield now, [*silent(known, now), *falls(known, SETTINGS, {}, now), *new_formats(known, now)]


@pytest.mark.slow
def test_in_thirty_quiet_days_with_two_holidays_nothing_is_told() -> None:
    off = {("europe", TODAY + timedelta(days=9)), ("north_america", TODAY + timedelta(days=16))}
    sent = mails(FIRST, 7 * WEEKS + 30, lambda region, day: (region, day) in off)
    told = [(now, alarm) for now, alarms in looks(Clock(sent), TODAY, 30) for alarm in alarms]
    assert told == []


def test_a_dealer_that_falls_silent_on_a_tuesday_is_told_that_day_until_its_next_mail() -> None:
    name = regular()
    quiet = {TUESDAY, TUESDAY + timedelta(days=1)}
    sent = [
        mail for mail in mails(FIRST, 7 * WEEKS + 7, no_holiday) if mail.dealer != name or mail.at.date() not in quiet
    ]
    found = list(looks(Clock(sent), TODAY, 6))
    told = [now for now, alarms in found for alarm in alarms if (alarm.kind, alarm.subject) == ("silent", name)]
    assert {alarm.subject for _, alarms in found for alarm in alarms} == {name}
    assert told[0].date() == TUESDAY
    assert told[0].hour <= 18
    back = next(mail.at for mail in sent if mail.dealer == name and mail.at.date() > max(quiet))
    assert back - timedelta(hours=3) <= told[-1] < back
    assert len(told) == len([now for now, _ in found if told[0] <= now <= told[-1]]), "without a gap"


def test_on_a_holiday_of_its_region_nobody_is_silent() -> None:
    sent = mails(FIRST, 7 * WEEKS + 7, lambda region, day: region == "europe" and day == TUESDAY)
    assert [alarm for _, alarms in looks(Clock(sent), TODAY, 5) for alarm in alarms] == []


@pytest.mark.slow
def test_on_a_day_on_which_it_was_silent_a_year_before_it_is_not_told() -> None:
    name = regular()
    first, holiday = FIRST - timedelta(days=364), TUESDAY
    ago = holiday - timedelta(days=364)
    sent = [
        mail
        for mail in mails(first, 364 + 7 * WEEKS + 7, no_holiday)
        if mail.dealer != name or mail.at.date() not in {holiday, ago}
    ]
    told = [alarm for _, alarms in looks(Clock(sent), holiday, 2, 6) for alarm in alarms]
    assert [alarm for alarm in told if alarm.subject == name] == []


def test_of_a_dealer_that_is_known_for_three_weeks_nothing_is_said() -> None:
    late = FIRST + timedelta(weeks=WEEKS - 3)
    name = regular()
    sent = [
        mail
        for mail in mails(FIRST, 7 * WEEKS + 7, no_holiday)
        if mail.dealer != name or late <= mail.at.date() < TUESDAY
    ]
    assert [alarm for _, alarms in looks(Clock(sent), TODAY, 4) for alarm in alarms if alarm.subject == name] == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("quotes", lambda mail: mail._replace(quotes=mail.quotes // 10, filled=mail.filled // 10)),
        ("fill", lambda mail: mail._replace(filled=mail.filled // 3)),
        ("errors", lambda mail: mail._replace(refused=mail.quotes)),
    ],
)
def test_what_a_parser_does_to_one_dealer_is_told_of_it_that_day_and_until_it_is_mended(
    kind: str, change: Callable[[Mail], Mail]
) -> None:
    name = next(each.name for each in dealers() if len(each.runs) > 1 and not each.misses and each.quotes == 200)
    wrong = {TUESDAY, TUESDAY + timedelta(days=1)}

    def as_read(mail: Mail) -> Mail:
        return change(mail) if mail.dealer == name and mail.at.date() in wrong else mail

    clock = Clock([as_read(mail) for mail in mails(FIRST, 7 * WEEKS + 7, no_holiday)])
    since: dict[tuple[Any, str], datetime] = {}
    told: list[datetime] = []
    for hours in range(0, 24 * 5, 2):
        now = at(TODAY, 0) + timedelta(hours=hours)
        alarms = list(falls(clock.at(now), SETTINGS, since, now))
        assert {alarm.subject for alarm in alarms} <= {name}
        if any(alarm.kind == kind for alarm in alarms):
            since.setdefault((kind, name), now)
            told.append(now)
    assert told[0].date() == TUESDAY
    assert told[-1].date() == max(wrong) + timedelta(days=1), "until a day of good mails is known"


def test_a_day_without_quotes_is_not_told_of_a_dealer_that_had_such_a_day_among_the_usual() -> None:
    now = at(FIRST + timedelta(days=20), 23)

    def told(first: int) -> list[Alarm]:
        dates = [FIRST + timedelta(days=number) for number in range(21)]
        quotes = zip(dates, [first, *[3, 5, 10, 7] * 4, 3, 5, 10, 0], strict=True)
        days = {day: Day("Fox", day, "europe", 1, 540, number, 0, 0, 0) for day, number in quotes}
        return list(falls(History({"Fox": days}, {}), SETTINGS, {}, now))

    (alarm,) = told(7)
    assert alarm.text.startswith(f"quotes a mail: 0.00 on {now.date()}, 3.00 to 10.00 on 20 days before")
    assert told(0) == []


def test_what_is_wrong_with_a_dealer_that_mails_once_a_week_is_told_until_its_next_good_mail_or_for_two_weeks() -> None:
    dates = [FIRST + timedelta(weeks=number) for number in range(22)]
    days = {day: Day("Fox", day, "europe", 1, 540, 40, 0, 0, 0) for day in dates[:21]}
    days[dates[20]] = days[dates[20]]._replace(quotes=3)

    def told(after: int) -> list[str]:
        now = at(dates[20] + timedelta(days=after), 12)
        return [alarm.subject for alarm in falls(History({"Fox": days}, {}), SETTINGS, {}, now)]

    assert [told(after) for after in (0, 6, 14)] == [["Fox"]] * 3
    assert told(15) == []
    days[dates[21]] = days[dates[0]]._replace(day=dates[21])
    assert told(7) == []


def test_a_rule_gives_one_dealer_a_limit_of_its_own() -> None:
    name = next(each.name for each in dealers() if len(each.runs) > 1 and not each.misses and each.quotes == 200)
    sent = [
        mail._replace(quotes=mail.quotes // 10) if mail.dealer == name and mail.at.date() == TUESDAY else mail
        for mail in mails(FIRST, 7 * WEEKS + 7, no_holiday)
    ]
    now = at(TUESDAY, 23)
    known = Clock(sent).at(now)
    assert [alarm.subject for alarm in falls(known, SETTINGS, {}, now) if alarm.kind == "quotes"] == [name]
    rules = (RuleSettings(kind="quotes", subject=name, limit=0.05),)
    mild = AlertSettings(looks=2, accounts_every_s=1, state=Path("unused"), heartbeat="", rules=rules, sinks=())
    assert [alarm for alarm in falls(known, mild, {}, now) if alarm.kind == "quotes"] == []


def test_a_new_format_of_a_known_dealer_is_told_for_a_day() -> None:
    name = regular()
    sent = [
        mail._replace(format="application/pdf") if mail.dealer == name and mail.at.date() >= TUESDAY else mail
        for mail in mails(FIRST, 7 * WEEKS + 7, no_holiday)
    ]
    told = [now for now, alarms in looks(Clock(sent), TODAY, 5) for alarm in alarms if alarm.kind == "format"]
    assert told
    assert told[-1] - told[0] <= timedelta(days=1)
