from __future__ import annotations

import random
from datetime import date, datetime, time

import pytest

from parsers.values.times.moments import UNKNOWN_ZONE, Printed, clock, may_state, of_value, printed, statements
from tests.parsers.generated import generated

NOV_20 = (date(2026, 11, 20),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HY levels as of 10:30 LDN 20-Nov-2026", Printed(NOV_20, (), time(10, 30), "Europe/London", True)),
        ("HY levels as of 20-Nov-2026 10:30 LDN", Printed(NOV_20, (), time(10, 30), "Europe/London", True)),
        ("Stand: 20.11.2026, 10.30 Uhr", Printed(NOV_20, (), time(10, 30), None, True)),
        ("Niveaux au 20/11/2026 à 17h30", Printed(NOV_20, (), time(17, 30), None, True)),
        ("Niveles al 20 de noviembre de 2026", Printed(NOV_20, is_as_of=True)),
        ("Níveis em 20/11/26", Printed(NOV_20, is_as_of=True)),
        ("Prices as of close of business November 20, 2026", Printed(NOV_20, is_as_of=True, is_close=True)),
        ("EM Hard Currency - Close 20 Nov 2026", Printed(NOV_20, is_as_of=True, is_close=True)),
        ("Closing marks Fri 20 Nov", Printed((), ((11, 20),), is_as_of=True, weekday=4, is_close=True)),
        ("COB 20 Nov", Printed((), ((11, 20),), is_as_of=True, is_close=True)),
        ("COB 11/20", Printed((), ((11, 20),), is_as_of=True, is_close=True)),
        ("as of 5/11/2026", Printed((date(2026, 5, 11), date(2026, 11, 5)), is_as_of=True)),
        ("HY axes 11/20/2026 9:15 AM", Printed(NOV_20, (), time(9, 15))),
        ("updated 2:05pm NY", Printed((), (), time(14, 5), "America/New_York", True)),
        ("as of 1630 hrs", Printed((), (), time(16, 30), None, True)),
        ("as of 12:15am", Printed((), (), time(0, 15), None, True)),
        ("as of 09:30 CST", Printed((), (), time(9, 30), UNKNOWN_ZONE, True)),
        ("as of 09:30 UTC+2", Printed((), (), time(9, 30), "+02:00", True)),
    ],
)
def test_a_title_tells_when_its_prices_are_of(text: str, expected: Printed) -> None:
    assert printed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "EUR IG run 20/11/2026",  # a bare date may be of anything
        "T 4 1/4 05/15/34 99-16+/99-17",
        "BACR 5.2 05/26 98.25/98.75",
        "NAV as of 30 June 2026",
        "we are available from 8:30 to 17:00",
        "5% al 2030",
        "as of late",
        "COB levels",
        "spreads vs close 20 Nov 2026",
        "Bids due Tue Nov 24, 11:00am NY",
        "please bid by 11:00am 24 Nov",
        "",
    ],
)
def test_what_is_no_statement_of_time_tells_none(text: str) -> None:
    assert printed(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("09:45", Printed(time=time(9, 45))),
        ("9:45 am ET", Printed(time=time(9, 45), zone="America/New_York")),
        ("20-Nov-26", Printed(NOV_20)),
        ("2026-11-20T09:45", Printed(NOV_20, (), time(9, 45))),
        ("2026-11-20 09:45:10", Printed(NOV_20, (), time(9, 45, 10))),
    ],
)
def test_a_cell_is_a_day_a_time_or_both(text: str, expected: Printed) -> None:
    assert clock(text) == expected


@pytest.mark.parametrize("text", ["98.25", "10:30 call", "25:00", "5.2 05/26", "", "x" * 500])
def test_another_cell_is_none_of_them(text: str) -> None:
    assert clock(text) is None


def test_midnight_in_a_workbook_is_a_day() -> None:
    midnight = datetime(2026, 11, 20)  # noqa: DTZ001 -- a workbook knows no zones
    assert of_value(midnight) == of_value(midnight.date()) == Printed(NOV_20)
    assert of_value(midnight.replace(hour=9, minute=45)) == Printed(NOV_20, (), time(9, 45))
    assert of_value(time(9, 45)) == Printed(time=time(9, 45))


def test_a_printed_time_is_shown_with_all_readings_of_its_day() -> None:
    assert str(printed("as of 5/11/2026 10:30 LDN")) == "2026-05-11 or 2026-11-05 10:30 Europe/London"
    assert str(printed("COB 20 Nov")) == "11-20"


def test_every_statement_has_what_is_asked_of_a_text_before_one_is_looked_for() -> None:
    chance = random.Random(20261123)
    for pattern in statements():
        stated = [text for text in generated(pattern, 1000, chance) if pattern.search(text)]
        assert len(stated) > 100
        assert [text for text in stated if not may_state(text)] == []
