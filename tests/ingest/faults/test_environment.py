"""Faults 77 to 81: clocks that jump, dates that are nonsense, time zones, locales, and homes that are not there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import conf
from log import StoredRecord, open_log
from tests.ingest.faults.conftest import Desk, StartWatch, desk_in

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]
Needs = Callable[[str], str]

DATES = [
    b"Thu, 1 Jan 1970 00:00:00 +0000",
    b"Fri, 31 Dec 2099 23:59:60 -0000",
    b"Wed, 18 Nov 2026 25:61:61 +9999",
    b"yesterday",
    b"",
    b"\xff\xfe",
    b"Tue, 19 Jan 2038 03:14:08 +0000",
]


def records(desk: Desk) -> list[StoredRecord]:
    with closing(open_log(desk.settings.log)) as log:
        return list(desk.records(log))


def test_when_the_clock_jumps_offsets_keep_the_order_and_nothing_is_lost(
    desk: Desk, start: StartWatch, needs: Needs, a_mail: AMail
) -> None:
    for number, jump in enumerate(["+0", "-2h", "+1y", "-1d"]):
        desk.deliver(f"{number}", a_mail(number))
        under = [needs("faketime"), "-f", jump]
        env = {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        assert start(desk, "--once", under=under, env=env).wait(60) == 0
    desk.check_taken()
    stored = records(desk)
    assert [record.value for record in stored] == [a_mail(number) for number in range(4)]
    assert [record.timestamp_ms for record in stored] == sorted(record.timestamp_ms for record in stored)
    assert stored[2].timestamp_ms - stored[0].timestamp_ms > 300 * 86_400_000, "the clock did jump"


def test_what_a_mail_says_of_its_date_does_not_matter_here(desk: Desk, start: StartWatch) -> None:
    for number, date in enumerate(DATES):
        desk.deliver(f"{number}", b"From: a@b\nDate: " + date + b"\n\n%d" % number)
    assert start(desk, "--once").wait(60) == 0
    desk.check_taken()


def test_a_file_may_have_any_time_and_the_record_says_it_in_utc_whatever_the_zone(
    desk: Desk, start: StartWatch, a_mail: AMail
) -> None:
    times = {
        -(2**31): "1901-12-13T20:45:52",
        2**31: "2038-01-19T03:14:08",
        1_792_890_000: "2026-10-25T01:00:00",  # the hour that summer time ends in Europe
        4_102_444_799: "2099-12-31T23:59:59",
    }
    zones = ["Asia/Kolkata", "Europe/London", "America/St_Johns", "Pacific/Kiritimati"]
    for number, (seconds, zone) in enumerate(zip(times, zones, strict=True)):
        desk.deliver(f"{number}", a_mail(number), time_s=seconds)
        assert start(desk, "--once", env={"TZ": zone}).wait(60) == 0
    desk.check_taken()
    told = [dict(record.headers)["file-time"].decode() for record in records(desk)]
    assert told == [f"{time}.000000Z" for time in times.values()]


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"HOME": "/nonexistent"},
        {"HOME": ""},
        {"HOME": "/proc"},
    ],
    ids=["C", "Turkish", "no home", "empty home", "read-only home"],
)
def test_the_surroundings_change_nothing_in_a_record(
    tmp_path: Path, start: StartWatch, env: dict[str, str], a_mail: AMail
) -> None:
    raw = a_mail(1, "ISTANBUL@INFO.EXAMPLE") + "Grüne İ ı 1.234,5".encode()
    told = []
    for name, surroundings in (("plain", {}), ("odd", env)):
        home = tmp_path / name
        home.mkdir()
        config = home / "otclog.toml"
        config.write_text('[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n')
        desk = desk_in(home, conf.load(config, {}))
        for number, file in enumerate((b"\xff\xfe.eml", "grün İ.eml".encode())):
            desk.deliver(os.fsdecode(file), raw + b"%d" % number, time_s=number)
        assert start(desk, "--once", env=surroundings).wait(60) == 0
        desk.check_taken()
        headers = [dict(record.headers) for record in records(desk)]
        told.append(
            [(record.key, {**each, "source": b""}) for record, each in zip(records(desk), headers, strict=True)]
        )
    assert told[0] == told[1]
    assert told[0][0][0] == b"istanbul@info.example"


def test_a_ledger_that_is_lost_costs_nothing_but_reading_the_log(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    for number in range(20):
        desk.deliver(f"{number}", a_mail(number, f"d{number}@x.example"))
    assert start(desk, "--once").wait(60) == 0
    for file in desk.home.glob("ledger.sqlite*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    for number in range(20):
        desk.deliver(f"again-{number}", a_mail(number, f"d{number}@x.example"))
    assert start(desk, "--once").wait(60) == 0
    desk.check_taken()
