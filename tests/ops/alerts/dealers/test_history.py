"""ops.alerts.dealers.history: what is kept of days that were counted."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from ops.alerts.dealers.history import KEEP, LEAST_DAYS, Counted, Day, history, keep, last_day
from ops.alerts.file import opened

TODAY = date(2026, 11, 24)
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def day(number: int, mails: int = 1, dealer: str = "Northgate") -> Day:
    return Day(dealer, TODAY - timedelta(days=number), "europe", mails, 540, 10 * mails, 0, 100, 50)


def test_days_that_are_counted_again_take_the_place_of_what_was_known_of_them(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        before = [day(number) for number in range(1, 30)]
        keep(
            db,
            Counted(TODAY - KEEP, None, [*before, day(1, 5, "Fox"), *(day(3 + at, 1, "Fox") for at in range(20))], []),
            NOW,
        )
        keep(db, Counted(TODAY - timedelta(days=1), None, [day(1, 3), day(0)], []), NOW)
        known = history(db).days
    assert {each.day: each.mails for each in known["Northgate"].values()} == {
        **{each.day: 1 for each in before},
        day(1).day: 3,
        TODAY: 1,
    }
    assert day(1).day not in known["Fox"]


def test_while_lost_tables_are_filled_anew_what_was_counted_of_earlier_days_stays(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        keep(db, Counted(TODAY - KEEP, None, [day(number) for number in range(60)], []), NOW)
        for _ in range(5):
            last = last_day(db, NOW)
            assert last == TODAY
            keep(db, Counted(last - timedelta(days=1), None, [], []), NOW)
        assert len(history(db).days["Northgate"]) == 58


def test_by_a_clock_that_was_ahead_counting_goes_on_from_today(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        keep(db, Counted(TODAY - KEEP, None, [day(0), day(-365)], []), NOW)
        assert last_day(db, NOW) == TODAY


def test_what_is_older_than_a_year_and_a_month_goes_and_a_format_keeps_its_first_time(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        days = [day(number) for number in (399, *range(LEAST_DAYS))]
        csv = ("Northgate", "text/csv")
        keep(db, Counted(TODAY - KEEP, None, days, [(*csv, 2_000), (*csv, 3_000)]), NOW)
        keep(db, Counted(TODAY, None, [day(0)], [(*csv, 9_000)]), NOW + timedelta(days=2))
        known = history(db)
    assert day(399).day not in known.days["Northgate"]
    assert len(known.days["Northgate"]) == LEAST_DAYS
    assert known.formats["Northgate"]["text/csv"].timestamp() == 2


def test_who_has_mailed_on_a_few_days_costs_no_look_anything_and_is_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        unknown = [day(number % 9, 1, f"new-{number}.example") for number in range(2_000)]
        formats = [(each.dealer, "text/html", 2_000) for each in unknown]
        keep(db, Counted(TODAY - KEEP, None, [*unknown, *(day(number) for number in range(LEAST_DAYS))], formats), NOW)
        assert set(history(db).days) == {"Northgate"}
        assert history(db).formats == {}
        keep(db, Counted(TODAY + KEEP, None, [], []), NOW + timedelta(days=410))
        assert db.execute("SELECT count(*) FROM formats").fetchone() == (0,)


def test_days_that_are_counted_by_the_month_are_those_that_are_counted_at_once(tmp_path: Path) -> None:
    days = [day(number) for number in range(0, 400, 3)]
    with opened(tmp_path / "alerts.sqlite") as db:
        since, month = TODAY - KEEP, timedelta(days=30)
        while since <= TODAY:
            until = since + month if since + month <= TODAY else None
            part = [each for each in days if since <= each.day < (until or date.max)]
            keep(db, Counted(since, until, part, []), NOW)
            last = last_day(db, NOW)
            assert last == (until or TODAY)
            if until is None:
                break
            since = last - timedelta(days=1)
        assert {each.day for each in history(db).days["Northgate"].values()} == {each.day for each in days}


def test_a_month_without_any_mail_is_not_counted_again_and_again(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        keep(db, Counted(TODAY - KEEP, TODAY - timedelta(days=370), [], []), NOW)
        assert last_day(db, NOW) == TODAY - timedelta(days=370)


def test_of_tables_without_any_mail_yet_nothing_is_counted(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        keep(db, Counted(TODAY - KEEP, None, [], []), NOW)
        assert last_day(db, NOW) is None


def test_a_year_and_the_weeks_around_its_days_are_kept(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite") as db:
        keep(db, Counted(TODAY - KEEP, None, [day(number) for number in range(402)], []), NOW)
        keep(db, Counted(TODAY, None, [day(0)], []), NOW)
        assert min(history(db).days["Northgate"]) == TODAY - timedelta(days=400)
