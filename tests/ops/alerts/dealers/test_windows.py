"""ops.alerts.dealers: until when a day is judged, a dealer is waited for, and what is wrong has become usual."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conf.alerting import AlertSettings
from ops.alerts.alarm import Alarm
from ops.alerts.dealers.falls import Since, falls, new_formats
from ops.alerts.dealers.history import LEAST_DAYS, Day, History
from ops.alerts.dealers.silent import silent

FIRST = date(2026, 3, 2)  # a Monday
LAST = FIRST + timedelta(days=69)
SETTINGS = AlertSettings(looks=2, accounts_every_s=1, state=Path("unused"), heartbeat="", rules=(), sinks=())


def at(day: date, hour: int = 23) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def days(*counts: int, first: date = FIRST, mails: int = 12) -> dict[date, Day]:
    """A day after the other of one dealer, with so many quotes."""
    each = (first + timedelta(days=number) for number in range(len(counts)))
    return {
        day: Day("Fox", day, "europe", mails, 540, quotes, 0, 0, 0) for day, quotes in zip(each, counts, strict=True)
    }


def fallen(known: dict[date, Day], now: datetime, since: Since | None = None) -> list[str]:
    return [alarm.kind for alarm in falls(History({"Fox": known}, {}), SETTINGS, since or {}, now)]


@pytest.mark.parametrize(("after", "is_told"), [(0, True), (3, True), (4, False)])
def test_a_bad_day_is_told_for_three_days_if_none_comes_after_it(after: int, is_told: bool) -> None:
    known = days(*[100, 110, 90] * 8, 10)
    assert fallen(known, at(max(known) + timedelta(days=after))) == (["quotes"] if is_told else [])


@pytest.mark.parametrize(("mails", "is_told"), [(5, False), (6, True)])
def test_a_day_is_judged_once_it_has_half_of_a_usual_days_mails(mails: int, is_told: bool) -> None:
    known = days(*[100, 110, 90] * 8, 1)
    last = max(known)
    known[last] = known[last]._replace(mails=mails)
    assert fallen(known, at(last)) == (["quotes"] if is_told else [])


def like(usual: dict[str, Any], **last: Any) -> list[str]:
    """What is told of the last of 24 days, which are otherwise alike."""
    known = {day: each._replace(mails=1, **usual) for day, each in days(*[1] * 24).items()}
    known[max(known)] = known[max(known)]._replace(**last)
    return fallen(known, at(max(known)))


@pytest.mark.parametrize(("refused", "is_told"), [(25, False), (30, False), (31, True)])
def test_of_a_dealer_much_of_which_is_refused_each_day_more_than_twice_as_much_is_told(
    refused: int, is_told: bool
) -> None:
    found = like({"quotes": 85, "refused": 15}, quotes=100 - refused, refused=refused)
    assert found == (["errors"] if is_told else [])


def test_of_fewer_than_ten_rows_or_200_cells_no_share_is_told() -> None:
    few = {"quotes": 8, "cells": 80, "filled": 60}
    assert like(few, quotes=4, refused=5) == []
    assert like(few, quotes=5, refused=5) == ["errors"]
    assert like(few, cells=199, filled=10) == []
    assert like(few, cells=200, filled=10) == ["fill"]


@pytest.mark.parametrize(("fires", "is_told"), [(13, True), (14, False)])
def test_what_a_dealer_has_sent_for_two_weeks_since_it_was_told_is_what_is_usual(fires: int, is_told: bool) -> None:
    known = days(*[100, 110, 90] * 10, *[10] * fires, 10)
    now = at(max(known))
    assert fallen(known, now) == [], "most of the twenty days before are like this one"
    assert fallen(known, now, {("quotes", "Fox"): now - timedelta(days=fires)}) == (["quotes"] if is_told else [])


def waited_for(after: int) -> list[Alarm]:
    """A dealer that sent one mail each day keeps silent, while others go on; days behind its last mail."""
    fox = days(*[1] * 70, mails=1)
    others = {
        name: {day: each._replace(dealer=name) for day, each in days(*[1] * 120, mails=1).items()} for name in "abc"
    }
    return list(silent(History({"Fox": fox, **others}, {}), at(LAST + timedelta(days=after))))


@pytest.mark.parametrize(("after", "is_told"), [(0, False), (1, True), (14, True), (15, False)])
def test_nobody_waits_for_a_dealer_for_more_than_two_weeks(after: int, is_told: bool) -> None:
    assert [(each.kind, each.subject) for each in waited_for(after)] == ([("silent", "Fox")] if is_told else [])


@pytest.mark.parametrize(("ago", "is_told"), [(363, True), (364, False), (365, False), (366, False), (367, True)])
def test_who_was_silent_a_year_before_on_the_weekday_or_the_date_keeps_a_holiday(ago: int, is_told: bool) -> None:
    fox, day = days(*[1] * 400), FIRST + timedelta(days=400)
    del fox[day - timedelta(days=ago)]
    assert told_of(fox, at(day)) == (["Fox"] if is_told else [])


@pytest.mark.parametrize(("weeks", "is_told"), [(1, False), (8, False), (9, True)])
def test_who_was_silent_on_such_a_weekday_in_the_last_eight_weeks_is_not_waited_for_on_it(
    weeks: int, is_told: bool
) -> None:
    fox, day = days(*[1] * 182), FIRST + timedelta(days=182)
    others = {name: {on: each._replace(dealer=name) for on, each in days(*[1] * 190).items()} for name in "abc"}
    del fox[day - timedelta(weeks=weeks)]
    told = silent(History({"Fox": fox, **others}, {}), at(day))
    assert [each.subject for each in told] == (["Fox"] if is_told else [])


def told_of(fox: dict[date, Day], now: datetime) -> list[str]:
    """Who is called silent beside others, who mail each day at nine."""
    known = {"Fox": fox}
    known |= {name: days(*[1] * ((now.date() - FIRST).days + 1)) for name in "abc"}
    return [each.subject for each in silent(History(known, {}), now)]


@pytest.mark.parametrize(("latest", "by_min"), [(540, 630), (600, 690), (700, 860)])
def test_a_mail_is_missing_an_hour_and_a_half_after_the_latest_first_one_or_as_long_as_they_lie_apart(
    latest: int, by_min: int
) -> None:
    fox = {day: each._replace(first_minute=(540, latest)[day.day % 2]) for day, each in days(*[1] * 70).items()}
    midnight = at(LAST + timedelta(days=1), 0)
    assert told_of(fox, midnight + timedelta(minutes=by_min - 1)) == []
    assert told_of(fox, midnight + timedelta(minutes=by_min)) == ["Fox"]


@pytest.mark.parametrize(("number", "is_told"), [(100, False), (182, True)])
def test_days_without_a_silent_one_that_may_be_chance_let_nobody_wait(number: int, is_told: bool) -> None:
    """One mail and five by turns: where they come at random, none of 100 days is empty in one of 160 cases."""
    fox = {day: each._replace(mails=(1, 5)[day.toordinal() % 2]) for day, each in days(*[1] * number).items()}
    assert told_of(fox, at(FIRST + timedelta(days=number))) == (["Fox"] if is_told else [])


@pytest.mark.parametrize(("others", "told"), [("", ["Fox"]), ("b", ["Fox"]), ("bc", [])])
def test_whether_it_is_a_holiday_two_others_of_the_region_know_and_else_those_of_all(
    others: str, told: list[str]
) -> None:
    quiet = LAST + timedelta(days=1)
    known = {name: days(*[1] * 70) for name in ("Fox", *others)}
    known |= {name: {day: each._replace(region="apac") for day, each in days(*[1] * 71).items()} for name in "defghi"}
    found = {each.subject for each in silent(History(known, {}), at(quiet))}
    assert [name for name in sorted(found) if name == "Fox"] == told


@pytest.mark.parametrize(
    ("number", "first", "is_told"),
    [
        pytest.param(LEAST_DAYS, LAST - timedelta(days=28), True, id="known"),
        pytest.param(LEAST_DAYS - 1, LAST - timedelta(days=28), False, id="of few mails"),
        pytest.param(LEAST_DAYS, LAST - timedelta(days=27), False, id="for less than four weeks"),
    ],
)
def test_a_format_is_new_only_of_a_dealer_that_is_known_for_four_weeks_and_twenty_days_with_mail(
    number: int, first: date, is_told: bool
) -> None:
    known = History({"Fox": days(*[1] * number, first=first)}, {"Fox": {"application/pdf": at(LAST, 9)}})
    assert [each.subject for each in new_formats(known, at(LAST))] == (["Fox: application/pdf"] if is_told else [])
    assert list(new_formats(known, at(LAST + timedelta(days=1), 9))) == [], "a day later it is new no more"
