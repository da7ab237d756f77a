from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

from msgspec.structs import replace

from parsers.codes import Flag
from parsers.quotes.common import common_of
from parsers.quotes.context import Dealer, PartContext
from parsers.values.times.moments import printed

Part = Callable[..., PartContext]


def test_records_without_a_printed_time_are_of_the_mails_date(part: Part) -> None:
    quote = common_of(part("HY run"), None, None).quote
    assert (quote.quote_ts, quote.quote_ts_source) == (datetime(2026, 11, 18, 14, 0, tzinfo=UTC), "header")
    assert (quote.quote_date, quote.subject, quote.part_path) == (date(2026, 11, 18), "HY run", "1")


def test_what_is_printed_goes_before_the_mails_date(part: Part) -> None:
    found = common_of(part(), None, printed("COB 17 Nov"))
    assert found.quote.quote_date == date(2026, 11, 17)
    assert found.flags == {Flag.stale}


def test_a_desk_has_the_dealers_region_and_a_clock_the_senders_offset(part: Part) -> None:
    found = common_of(part(dealer=Dealer(name="d", region="europe"), hours=2), None, None)
    assert (found.desk, found.offset_hours) == ("europe", 2)
    assert common_of(part(dealer=Dealer(name="d")), None, None).desk is None


def test_all_quotes_of_a_history_are_flagged(part: Part) -> None:
    context = part()
    old = replace(context, mail=replace(context.mail, from_history=True))
    assert common_of(old, None, None).flags == {Flag.from_history}
