from __future__ import annotations

import pytest

from log.times import rfc3339, timestamp_ms


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_772_373_907_123, "2026-03-01T14:05:07.123Z"),
        (2_147_483_648_001, "2038-01-19T03:14:08.001Z"),
    ],
)
def test_a_time_is_written_in_utc_and_read_back(milliseconds: int, text: str) -> None:
    assert rfc3339(milliseconds) == text
    assert timestamp_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["2026-03-01T15:05:07.123+01:00", "2026-03-01T09:05:07.123-05:00"])
def test_a_time_of_another_zone_is_the_same_moment(text: str) -> None:
    assert timestamp_ms(text) == 1_772_373_907_123


@pytest.mark.parametrize("text", ["2026-03-01T14:05:07", "2026-03-01", "yesterday", ""])
def test_a_time_without_a_zone_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the interpreter's own words differ
        timestamp_ms(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [("2026-03-28T14:00", "2026-03-28T14:00:00Z"), ("2026-03-29T14:00", "2026-03-29T13:00:00Z")],
)
def test_a_time_off_a_clock_is_of_the_zone_named(text: str, same: str) -> None:
    assert timestamp_ms(text, "Europe/London") == timestamp_ms(same)


@pytest.mark.parametrize("text", ["2026-03-29T01:30:00", "2026-10-25T01:30:00"])
def test_a_time_that_the_clocks_skipped_or_showed_twice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="comes twice or not at all in Europe/London"):
        timestamp_ms(text, "Europe/London")


@pytest.mark.parametrize("zone", ["Europe/Londn", "../etc/passwd", ""])
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(ValueError, match="is no time zone"):
        timestamp_ms("2026-03-01T14:00:00", zone)


def test_the_offset_of_a_time_counts_whatever_the_zone() -> None:
    assert timestamp_ms("2026-03-01T14:05:07.123Z", "America/New_York") == 1_772_373_907_123
