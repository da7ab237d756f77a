"""ops.alerts: what fires, who is told of it, and when it is resolved: by a clock that the test sets."""

from __future__ import annotations

import dataclasses
import resource
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from conf.alerting import AlertSettings, RuleSettings, SinkSettings
from ops.alerts.alarm import Alarm, Found, Thing
from ops.alerts.file import AlertsUnavailable, changing, ms, opened
from ops.alerts.outbox import Trouble, due, failed, give_up, taken, troubles
from ops.alerts.state import Silence, firing, note, silence

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LATE = Alarm("lag", "extract/mails", "12 records wait", "critical")
SHORT = Alarm("disk", "/data", "4 GiB free", "warning")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(tmp_path / "alerts.sqlite") as db:
        yield db


def rules(*rules: RuleSettings) -> AlertSettings:
    sinks = tuple(SinkSettings(name=name, kind="stdout") for name in ("desk", "night"))
    path = Path("unused")
    return AlertSettings(looks=2, accounts_every_s=86_400, state=path, heartbeat="", rules=rules, sinks=sinks)


def told(db: sqlite3.Connection, sink: str = "desk", at: datetime = NOW + timedelta(hours=12)) -> list[tuple[str, str]]:
    """What the sink is told, which it takes."""
    found = due(db, sink, at)
    for each in found:
        taken(db, each.number)
    return [(each.fields["state"], each.fields["subject"]) for each in found]


def test_an_alarm_is_told_once_after_two_looks_and_its_end_after_two(db: sqlite3.Connection) -> None:
    heard = []
    for number, alarms in enumerate([[LATE], [LATE], [LATE], [], [LATE], [], [], []]):
        note(db, Found(alarms), rules(), NOW + number * MINUTE)
        heard.append(told(db))
    assert heard == [[], [("firing", LATE.subject)], [], [], [], [], [("resolved", LATE.subject)], []]
    assert told(db, "night") == [("firing", LATE.subject)], "the end follows when the beginning was taken"
    assert told(db, "night") == [("resolved", LATE.subject)]


def test_what_comes_and_goes_tells_nobody(db: sqlite3.Connection) -> None:
    for number in range(20):
        note(db, Found([LATE] if number % 2 else []), rules(), NOW + number * MINUTE)
    assert told(db) == []
    assert firing(db) == []


def test_what_could_not_be_asked_stays_as_it_is(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    for number in range(5):
        note(db, Found([], frozenset({Thing("lag")})), rules(), NOW + number * MINUTE)
    assert [each.subject for each in firing(db)] == [LATE.subject]
    assert told(db) == [("firing", LATE.subject)]
    for number in range(2):
        note(db, Found([], frozenset({Thing("lag", "audit/*")})), rules(), NOW + number * MINUTE)
    assert told(db) == [("resolved", LATE.subject)], "it is another one that could not be asked"


def test_an_alarm_that_becomes_critical_is_told_again(db: sqlite3.Connection) -> None:
    for number in range(3):
        note(db, Found([SHORT]), rules(), NOW + number * MINUTE)
    worse = SHORT._replace(level="critical", text="1 KiB free")
    for number in range(3):
        note(db, Found([worse]), rules(), NOW + number * MINUTE)
    assert told(db) == [("firing", "/data")]
    assert told(db) == [("firing", "/data")]
    assert told(db) == []


def test_a_silenced_alarm_is_told_when_the_silence_ends_and_it_fires_still(db: sqlite3.Connection) -> None:
    silence(db, Silence("lag", "extract/*", ms(NOW + 5 * MINUTE), "brokers move"), NOW)
    for number in range(5):
        note(db, Found([LATE, SHORT]), rules(), NOW + number * MINUTE)
    assert told(db) == [("firing", "/data")]
    note(db, Found([LATE]), rules(), NOW + 5 * MINUTE)
    assert told(db) == [("firing", LATE.subject)]


def test_the_first_rule_that_fits_says_what_is_told_to_whom_and_after_how_many_looks(db: sqlite3.Connection) -> None:
    settings = rules(
        RuleSettings(kind="lag", subject="audit/*", tell=False),
        RuleSettings(kind="lag", looks=1, sinks=("night",)),
    )
    note(db, Found([LATE, LATE._replace(subject="audit/mails")]), settings, NOW)
    assert told(db, "desk") == []
    assert told(db, "night") == [("firing", LATE.subject)]


def said(db: sqlite3.Connection, sink: str) -> list[tuple[str, str]]:
    """What the sink is told, in words; it takes it."""
    found = due(db, sink, NOW + timedelta(hours=12))
    for each in found:
        taken(db, each.number)
    return [(each.fields["state"], each.fields["text"]) for each in found]


def test_what_fired_before_a_rule_that_it_is_not_told_is_resolved_as_that(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    assert said(db, "desk") == [("firing", "12 records wait")]
    unseen = Found([LATE], frozenset({Thing("lag")}))
    note(db, unseen, rules(RuleSettings(kind="lag", tell=False)), NOW)
    assert firing(db) == []
    assert said(db, "desk") == [("resolved", "a rule says now that it is not told; what fired: 12 records wait")]


def test_where_a_rule_tells_others_than_before_these_hear_that_it_fires_and_those_that_they_are_told_no_more(
    db: sqlite3.Connection,
) -> None:
    note(db, Found([LATE]), rules(RuleSettings(kind="lag", looks=1, sinks=("night",))), NOW)
    assert (said(db, "desk"), said(db, "night")) == ([], [("firing", "12 records wait")])
    edited = rules(RuleSettings(kind="lag", looks=1, sinks=("desk",)))
    for number in range(2):
        note(db, Found([LATE]), edited, NOW + number * MINUTE)
    assert said(db, "desk") == [("firing", "12 records wait")]
    gone = "the rule that told it here is gone, and it fires still; what fired: 12 records wait"
    assert said(db, "night") == [("resolved", gone)]
    note(db, Found([]), edited, NOW)
    assert (said(db, "desk"), said(db, "night")) == ([("resolved", "it was: 12 records wait")], [])


def test_what_ends_by_another_limit_is_resolved_as_that(db: sqlite3.Connection) -> None:
    fallen = Alarm("quotes", "Fox", "quotes a mail: 3.00", "warning")
    for number in range(2):
        note(db, Found([fallen]), rules(), NOW + number * MINUTE)
    for number in range(2):
        note(db, Found([]), rules(RuleSettings(kind="quotes", limit=0.1)), NOW + number * MINUTE)
    (_, (state, text)) = [*said(db, "desk"), *said(db, "desk")]
    assert state == "resolved"
    assert text.startswith("its rule is gone or has another limit, by which nothing is wrong; what fired: quotes a")


def test_what_a_sink_has_not_taken_when_it_is_renamed_is_a_trouble_and_there_for_a_day_should_it_be_named_again(
    db: sqlite3.Connection,
) -> None:
    for number in range(2):
        note(db, Found([LATE, SHORT]), rules(), NOW + number * MINUTE)
    assert len(told(db, "night")) == 2
    renamed = dataclasses.replace(rules(), sinks=(SinkSettings(name="night", kind="stdout"),))
    for hour in range(24):
        give_up(db, ["night"], NOW + timedelta(hours=hour))
        note(db, Found([LATE]), renamed, NOW + timedelta(hours=hour))
        (trouble,) = troubles(db)
        assert trouble == Trouble("desk", 2 + (hour > 1), 0, "there is no sink of that name any more")
    assert told(db, at=NOW + timedelta(hours=23)) == [("firing", LATE.subject), ("firing", "/data")], "named again"
    assert told(db, at=NOW + timedelta(hours=23)) == [("resolved", "/data")]


def test_of_a_sink_that_is_no_more_what_fires_is_given_up_too_and_told_where_it_is_named_again_later(
    db: sqlite3.Connection,
) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    late = NOW + timedelta(days=1, minutes=2)
    renamed = dataclasses.replace(rules(), sinks=(SinkSettings(name="night", kind="stdout"),))
    for now in (NOW + 2 * MINUTE, late):
        give_up(db, ["night"], now)
        note(db, Found([LATE]), renamed, now)
    assert [(each.sink, each.waiting, each.given_up) for each in troubles(db)] == [("desk", 0, 1)]
    note(db, Found([LATE]), rules(), late)
    assert told(db, at=late) == [("firing", LATE.subject)]
    assert told(db, at=late) == []


@pytest.mark.parametrize("is_over_meanwhile", [True, False])
def test_a_sink_that_the_settings_lack_for_some_looks_hears_the_end_of_what_it_took(
    db: sqlite3.Connection, is_over_meanwhile: bool
) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    assert told(db, at=NOW + MINUTE) == [("firing", LATE.subject)]
    without = dataclasses.replace(rules(), sinks=(SinkSettings(name="night", kind="stdout"),))
    for hour in range(23):
        give_up(db, ["night"], NOW + timedelta(hours=hour))
        note(db, Found([] if hour > 1 and is_over_meanwhile else [LATE]), without, NOW + timedelta(hours=hour))
    for number in range(2):
        now = NOW + timedelta(hours=23, minutes=number)
        give_up(db, ["desk", "night"], now)
        note(db, Found([]), rules(), now)
    assert told(db, at=now) == [("resolved", LATE.subject)]


def test_a_sink_that_was_none_for_a_day_is_told_anew_what_fires_still(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    assert told(db, at=NOW + MINUTE) == [("firing", LATE.subject)]
    without = dataclasses.replace(rules(), sinks=(SinkSettings(name="night", kind="stdout"),))
    for hour in range(25):
        give_up(db, ["night"], NOW + timedelta(hours=hour))
        note(db, Found([LATE]), without, NOW + timedelta(hours=hour))
    assert "desk" not in {each.sink for each in troubles(db)}, "it had taken all"
    note(db, Found([LATE]), rules(), NOW + timedelta(hours=25))
    assert told(db, at=NOW + timedelta(hours=25)) == [("firing", LATE.subject)]


def test_the_end_is_told_to_who_took_the_beginning_though_not_that_it_became_critical(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([SHORT]), rules(), NOW + number * MINUTE)
    assert told(db, at=NOW + MINUTE) == [("firing", "/data")]
    note(db, Found([SHORT._replace(level="critical")]), rules(), NOW)
    for hour in range(30):
        now = NOW + timedelta(hours=hour)
        note(db, Found([]), rules(), now)
        for each in due(db, "desk", now):
            failed(db, each.number, "answered 500", now)
        give_up(db, ["desk", "night"], now)
    assert told(db, at=NOW + timedelta(hours=31)) == [("resolved", "/data")]


def test_the_end_of_what_a_sink_took_is_told_however_long_it_is_away(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    assert told(db, at=NOW + MINUTE) == [("firing", LATE.subject)]
    for hour in range(100):
        now = NOW + timedelta(hours=hour)
        note(db, Found([]), rules(), now)
        for each in due(db, "desk", now):
            failed(db, each.number, "answered 500", now)
        give_up(db, ["desk", "night"], now)
    (trouble,) = (each for each in troubles(db) if each.sink == "desk")
    assert (trouble.waiting, trouble.given_up) == (1, 1)
    assert told(db, at=NOW + timedelta(hours=101)) == [("resolved", LATE.subject)]
    assert [each.sink for each in troubles(db)] == []


def test_what_a_sink_does_not_take_is_told_later_by_the_same_id_and_given_up_after_a_day(
    db: sqlite3.Connection,
) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    (first,) = due(db, "desk", NOW + MINUTE)
    failed(db, first.number, "answered 500", NOW + MINUTE)
    assert due(db, "desk", NOW + MINUTE) == []
    (second,) = due(db, "desk", NOW + 2 * MINUTE)
    assert second.id == first.id
    assert [(each.sink, each.waiting, each.given_up, each.why) for each in troubles(db)] == [
        ("desk", 1, 0, "answered 500")
    ]
    for number in range(2):
        note(db, Found([]), rules(), NOW + number * MINUTE)
    late = NOW + timedelta(days=1, minutes=1)
    failed(db, second.number, "answered 501", late)
    give_up(db, ["desk", "night"], late)
    assert due(db, "desk", late + 2 * MINUTE) == []
    assert [(each.sink, each.waiting, each.given_up, each.why) for each in troubles(db)] == [
        ("desk", 0, 2, "answered 501")
    ]
    give_up(db, ["desk", "night"], late + timedelta(days=1))
    assert troubles(db) == []


def test_what_fires_still_is_told_to_a_sink_that_comes_back_after_days_and_is_a_trouble_till_then(
    db: sqlite3.Connection,
) -> None:
    hours = [NOW + timedelta(hours=number) for number in range(60)]
    for now in hours:
        note(db, Found([LATE]), rules(), now)
        for each in due(db, "desk", now):
            failed(db, each.number, "answered 500", now)
        give_up(db, ["desk", "night"], now)
    (trouble,) = troubles(db)
    assert (trouble.sink, trouble.waiting, trouble.given_up) == ("desk", 1, 1)
    assert told(db, at=hours[-1] + timedelta(hours=1)) == [("firing", LATE.subject)]
    assert troubles(db) == []
    assert told(db, at=hours[-1] + timedelta(hours=2)) == []


def test_what_ended_while_a_sink_was_away_for_days_and_began_again_is_told_once(db: sqlite3.Connection) -> None:
    for number in range(60):
        now = NOW + timedelta(hours=number)
        note(db, Found([] if number in {10, 11} else [LATE]), rules(), now)
        for each in due(db, "desk", now):
            failed(db, each.number, "answered 500", now)
        give_up(db, ["desk", "night"], now)
    assert told(db, at=NOW + timedelta(hours=61)) == [("firing", LATE.subject)]
    assert told(db, at=NOW + timedelta(hours=62)) == []


def test_by_a_clock_that_was_ahead_and_is_not_any_more_nothing_is_put_off(db: sqlite3.Connection) -> None:
    ahead = NOW + timedelta(days=365)
    for number in range(2):
        note(db, Found([LATE]), rules(), ahead + number * MINUTE)
    failed(db, due(db, "desk", ahead + MINUTE)[0].number, "answered 500", ahead + MINUTE)
    give_up(db, ["desk", "night"], NOW)
    assert [each.fields["state"] for each in due(db, "desk", NOW)] == ["firing"]
    for number in range(2):
        note(db, Found([]), rules(), NOW + number * MINUTE)
    late = NOW + timedelta(days=1)
    for now, waits in ((late - MINUTE, ["firing"]), (late, [])):
        failed(db, due(db, "desk", late)[0].number, "answered 500", now)
        give_up(db, ["desk", "night"], now)
        assert [each.fields["state"] for each in due(db, "desk", late + MINUTE)] == waits, "of now by the clock now"


def test_who_was_asleep_for_more_than_a_day_tries_before_anything_is_given_up(db: sqlite3.Connection) -> None:
    for number in range(2):
        note(db, Found([LATE]), rules(), NOW + number * MINUTE)
    failed(db, due(db, "desk", NOW)[0].number, "answered 500", NOW + MINUTE)
    for number in range(2):
        note(db, Found([]), rules(), NOW + number * MINUTE)
    late = NOW + timedelta(days=3)
    give_up(db, ["desk", "night"], late)
    assert troubles(db)[0].given_up == 0
    assert told(db, at=late) == [("firing", LATE.subject)]
    assert told(db, at=late) == [("resolved", LATE.subject)]
    assert told(db, "night", late) == [("firing", LATE.subject)], "nor what was never tried"


def test_why_the_file_cannot_be_written_is_told_where_sqlite_has_ended_the_transaction_itself(tmp_path: Path) -> None:
    rows = [(f"{number:01000}", 1) for number in range(5_000)]  # more than it keeps in memory
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def write() -> None:
        with opened(tmp_path / "alerts.sqlite") as db, changing(db):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, hard))
            db.executemany("INSERT INTO notes VALUES (?, ?)", rows)

    try:
        with pytest.raises(AlertsUnavailable, match="disk"):
            write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("text", "bit"),
    [(b"CREATE TABLE alarms", 0x80), (b"INTEGER NOT NULL", 0x80), (b"12 rec", 0x80), (b'{"state"', 0x01)],
)
def test_a_flipped_bit_in_what_the_file_holds_is_told_with_what_to_do(tmp_path: Path, text: bytes, bit: int) -> None:
    path = tmp_path / "alerts.sqlite"
    with opened(path) as db:
        note(db, Found([LATE]), rules(RuleSettings(kind="lag", looks=1)), NOW)
    path.write_bytes(path.read_bytes().replace(text, bytes([text[0] ^ bit]) + text[1:]))
    with pytest.raises(AlertsUnavailable, match="move it away"), opened(path) as db:
        assert (firing(db), due(db, "desk", NOW)) == ([], []), "what it can no longer know"


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    with opened(tmp_path / "alerts.sqlite"):
        pass
    assert (tmp_path / "alerts.sqlite").stat().st_mode & 0o777 == 0o600
