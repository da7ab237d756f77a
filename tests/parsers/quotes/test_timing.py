from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec.structs import replace

from parsers.codes import Flag
from parsers.quotes.context import Dealer, MailContext
from parsers.quotes.timing import Times, times_of
from parsers.values.times.moments import clock, printed

MAIL = MailContext(  # 11:00 in New York
    message_key="k", message_id="m", sent_at=datetime(2026, 11, 20, 16, 0, tzinfo=UTC), sent_offset=timedelta(hours=-5)
)
LONDON = replace(MAIL, dealer=Dealer(name="d", zone="Europe/London", region="europe"))


def utc(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "mail", "quoted"),
    [
        ("as of 10:30", MAIL, utc(20, 15, 30)),  # the sender's clock
        ("as of 10:30", LONDON, utc(20, 10, 30)),  # the dealer's zone
        ("as of 10:30 CET", LONDON, utc(20, 9, 30)),  # the printed one
        ("as of 10:30", replace(MAIL, sent_offset=None), None),
        ("as of 10:30", replace(MAIL, sent_at=None), None),
        ("as of 10:30 CST", MAIL, None),
        ("as of 16:00", MAIL, None),  # still to come: of another zone, or no quote's
        ("as of 20-Nov-2026 10:30 LDN", replace(MAIL, sent_at=None), utc(20, 10, 30)),
    ],
)
def test_a_time_is_placed_by_its_zone_the_dealers_or_the_mails(
    text: str, mail: MailContext, quoted: datetime | None
) -> None:
    found = times_of(None, printed(text), mail)
    assert (found.quote_ts, found.as_of_ts) == (quoted, quoted)


def test_a_day_alone_dates_the_quotes_and_is_no_time_of_theirs() -> None:
    found = times_of(None, printed("COB 19 Nov"), MAIL)
    assert (found.quote_ts, found.quote_date) == (None, date(2026, 11, 19))
    assert found.as_of_ts == utc(19, 5)  # the day's beginning in New York


def test_what_is_of_an_earlier_day_than_the_mail_is_stale() -> None:
    assert times_of(None, printed("COB 19 Nov"), MAIL).flags == {Flag.stale}
    assert times_of(None, printed("COB 20 Nov"), MAIL).flags == frozenset()


@pytest.mark.parametrize(
    ("text", "day", "is_ambiguous"),
    [
        ("as of 5/11/2026", date(2026, 11, 5), True),  # the other reading is half a year old
        ("as of 3/2/2026", date(2026, 3, 2), True),  # as the desk orders its dates
        ("as of 11/20/2026", date(2026, 11, 20), False),
        ("COB 20 Dec", date(2025, 12, 20), False),  # a close is never to come
        ("Closing marks 20 Dec", date(2025, 12, 20), False),
        ("COB 21 Nov", None, False),  # tomorrow's, by a clock that is ahead; not of a year ago
        ("as of 20 Dec", None, False),  # of the nearest year, and so to come: no day of these prices
        ("COB Sat 20 Dec", date(2025, 12, 20), False),  # its weekday tells the year
        ("COB 30 Jun", date(2026, 6, 30), False),
    ],
)
def test_a_day_is_the_reading_that_fits_the_mail(text: str, day: date | None, *, is_ambiguous: bool) -> None:
    found = times_of(None, printed(text), MAIL)
    assert (found.quote_date, Flag.ambiguous_date in found.flags) == (day, is_ambiguous)


def test_a_close_in_a_title_dates_its_prices() -> None:
    found = times_of(None, printed("EM Hard Currency - Close 19 Nov 2026"), MAIL)
    assert found == Times(None, date(2026, 11, 19), utc(19, 5), frozenset({Flag.stale}))


@pytest.mark.parametrize("text", ["Bids due Mon Nov 23, 11:00am NY", "Bids due Fri Nov 20, 9:00am NY"])
def test_a_time_until_which_bids_are_due_is_none_of_the_quotes(text: str) -> None:
    assert times_of(None, printed(text), MAIL) == Times(None, None, None, frozenset())


def test_two_readings_of_which_one_is_the_mails_day_are_not_ambiguous() -> None:
    mail = replace(MAIL, sent_at=datetime(2026, 11, 5, 16, 0, tzinfo=UTC))
    found = times_of(None, printed("as of 5/11/2026"), mail)
    assert (found.quote_date, found.flags) == (date(2026, 11, 5), frozenset())


def test_a_rows_time_goes_before_that_of_the_words_around_it_and_takes_their_day() -> None:
    found = times_of(clock("09:45"), printed("COB 19 Nov"), MAIL)
    assert (found.quote_ts, found.quote_date) == (utc(19, 14, 45), date(2026, 11, 19))


def test_a_rows_day_in_the_future_or_long_ago_is_not_the_quotes() -> None:
    for text in ("20-Nov-2034", "15-May-2024"):
        found = times_of(clock(text), None, MAIL)
        assert (found.quote_ts, found.quote_date, found.flags) == (None, None, frozenset())
