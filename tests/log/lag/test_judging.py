"""log.lag.judging: Burrow's states, and its list of false alarms. A `!` behind a state: somebody is told."""

from __future__ import annotations

from log import TopicPartition
from log.journal import delete_offsets, move
from log.rewind import to_earliest, to_latest
from tests.log.lag.conftest import SOURCE, Desk


def test_a_job_that_runs_each_ten_minutes_is_not_late_at_nine(desk: Desk) -> None:
    desk.every_s = 600
    desk.mail()
    desk.run()
    for minutes in range(10, 100, 10):
        desk.at(minutes - 9.9).mail()
        assert desk.at(minutes - 1).state() == "OK"
        desk.at(minutes).run()
        assert desk.state() == "OK"


def test_a_job_that_did_not_run_when_it_should_have_has_stopped(desk: Desk) -> None:
    desk.every_s = 600
    desk.mail()
    desk.run()
    desk.at(1).mail()
    assert desk.at(25).state() == "OK", "its next run may begin at the tenth minute, and take a while"
    assert desk.at(27).state() == "STOPPED!"
    assert "it stands where it is since " in desk.look().why
    desk.run()
    assert desk.state() == "OK"


def test_where_no_mail_comes_nothing_is_wrong_however_long_ago_the_last_commit_was(desk: Desk) -> None:
    desk.mail()
    desk.run()
    for days in range(5):
        assert desk.at(days * 1440).state() == "OK"


def test_one_that_stopped_when_it_had_read_all_is_told_once_mails_have_waited(desk: Desk) -> None:
    """Burrow takes it for well for ever, as its lag was 0 at its last commit."""
    desk.mail()
    desk.run()
    assert desk.at(600).state() == "OK"
    desk.mail()
    assert desk.at(601).state() == "OK", "a mail that has just come waits for nobody's fault"
    assert desk.at(616).state() == "STOPPED!"


def test_one_that_reads_but_not_enough_is_late(desk: Desk) -> None:
    for minutes in range(0, 60, 4):
        desk.at(minutes).mail(10)
        desk.run(5)
        state = desk.state()
    assert state == "WARN!"
    assert desk.look().why == "it reads on"


def test_one_that_has_a_member_and_stands_still_has_stalled(desk: Desk) -> None:
    desk.mail(2)
    desk.run(1)
    with desk.member():
        assert desk.at(14).state() == "OK"
        assert desk.at(16).state() == "STALLED!"
        assert "a member of it has the partition" in desk.look().why
    assert desk.state() == "STOPPED!"


def test_one_that_commits_the_same_offset_again_and_again_has_stalled(desk: Desk) -> None:
    """No commit alone says so: the history knows that it stood there before."""
    desk.mail(2)
    for minutes in range(0, 60, 5):
        desk.at(minutes).log.commit("extract", {SOURCE: 1})
        state = desk.state()
    assert state == "STALLED!"
    assert "commits that again" in desk.look().why


def test_a_group_that_has_not_begun_has_stopped_once_mails_have_waited(desk: Desk) -> None:
    desk.mail()
    assert desk.at(14).state() == "OK"
    assert desk.at(16).state() == "STOPPED!"
    assert desk.look().why == "it has not begun"


def test_a_rewind_that_was_meant_alarms_nobody_while_it_is_read_again(desk: Desk) -> None:
    """A thousand mails of yesterday are read again in two hours, while new ones come and wait behind them."""
    for hours in range(10):
        desk.at(hours * 60).mail(100)
        desk.run()
    desk.at(1440).rewind()
    states = []
    for minutes in range(0, 120, 20):
        desk.at(1440 + minutes).mail()
        desk.run(250)
        states.append(desk.state())
    assert "REWIND" in states
    assert states == sorted(states, reverse=True), "REWIND, then OK, and never late"
    assert states[-1] == "OK"
    assert states.count("REWIND") == 4


def test_what_came_while_a_group_read_again_is_late_for_nothing_until_it_has_caught_up(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(60).rewind()
    desk.at(61).mail(100)
    for minutes in range(62, 86):
        desk.at(minutes).run(5)
        assert desk.state() == "REWIND"
    assert desk.log.committed("extract")[SOURCE] > 100, "what it reads by now it had not read before"
    desk.run()
    assert desk.state() == "OK"


def test_a_rewound_group_that_nobody_starts_has_stopped(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(60).rewind()
    assert desk.at(74).state() == "REWIND"
    assert "reads again what it had read: moved at 2025-11-24T17:00:00.000Z by " in desk.look().why
    assert desk.at(76).state() == "STOPPED!"


def test_a_group_that_goes_back_without_a_move_in_its_journal_is_told(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    assert desk.state() == "OK"
    desk.at(60).log.commit("extract", {SOURCE: 10})
    assert desk.at(61).state() == "REWIND!"
    assert desk.look().why.startswith("stood at offset 100 at 2025-11-24T16:00:00.000Z, and stands at 10")
    desk.run()
    assert desk.at(62).state() == "OK"


def test_a_group_that_lost_where_it_stood_is_told(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    assert desk.state() == "OK"
    delete_offsets(desk.log, "extract", [SOURCE])
    assert desk.at(1).state() == "REWIND!"


def test_a_move_forward_and_a_second_rewind_are_meant_too(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(1).rewind()
    assert desk.state() == "REWIND"
    move(desk.log, "extract", [SOURCE], to_latest)
    assert desk.at(2).state() == "OK"
    desk.at(3).rewind()
    desk.at(4).run(50)
    desk.at(5).rewind()
    assert desk.at(6).state() == "REWIND"


def test_a_topic_that_was_made_anew_has_neither_moves_nor_a_past(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(1).rewind()
    assert desk.state() == "REWIND"
    desk.log.delete_topic("mails")
    desk.log.create_topic("mails", 1)
    desk.at(2).mail(5)
    desk.run(1)
    assert desk.at(3).state() == "OK"
    assert desk.at(20).state() == "STOPPED!"


def test_records_that_cannot_be_read_make_no_state_of_their_own(desk: Desk) -> None:
    """Damage, and what retention took, are told apart: the age of what is left decides."""
    desk.mail(5)
    desk.log.commit("extract", {SOURCE: 1})
    desk.log.delete_records(TopicPartition("mails", 0), 4)
    judged = desk.at(1).look()
    assert (judged.state, judged.lag.expired) == ("OK", 3)


def test_a_rewound_group_that_never_catches_up_is_told_once_it_has_read_what_came_while_it_read_again(
    desk: Desk,
) -> None:
    desk.mail(100)
    desk.run()
    desk.at(10).rewind()
    states = desk.looks(range(20, 400, 10), mails=10, reads=9)
    assert set(states[:10]) == {"REWIND"}
    assert set(states[-10:]) == {"WARN!"}


def test_that_a_group_was_set_back_excuses_no_lateness_later(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    assert desk.state() == "OK"
    desk.at(60).log.commit("extract", {SOURCE: 0})
    states = desk.looks(range(70, 1440, 10), mails=10, reads=9)
    assert states[0] == "REWIND!"
    assert states[-1] == "WARN!"


def test_a_look_amid_a_rewind_excuses_no_lateness_a_week_later(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(60).rewind()
    assert desk.state() == "REWIND"
    desk.at(61).run()
    for minute in range(10_000, 10_060, 4):
        desk.at(minute).mail(10)
        desk.run(5)
    assert desk.state() == "WARN!"


def test_what_was_seen_while_a_clock_was_ahead_excuses_nothing(desk: Desk) -> None:
    desk.mail(100)
    desk.run()
    desk.at(525_600).rewind()
    assert desk.state() == "REWIND"
    desk.at(10).run()
    assert desk.looks(range(20, 400, 4), mails=10, reads=5)[-1] == "WARN!"


def test_a_group_that_was_deleted_and_made_anew_by_a_move_has_no_past_and_is_late_for_no_old_mail(desk: Desk) -> None:
    desk.mail(100)
    desk.rewind()
    desk.run()
    assert desk.state() == "OK"
    delete_offsets(desk.log, "extract", [SOURCE])
    desk.at(120)
    move(desk.log, "extract", [SOURCE], to_earliest)
    assert desk.state() == "REWIND"
    assert "reads what came before it began: moved at " in desk.look().why
    desk.at(121).run(20)
    assert desk.state() == "REWIND"
    assert desk.at(140).state() == "STOPPED!"


def test_mails_that_came_behind_one_of_a_clock_ahead_are_late_though_all_look_as_young_as_that(desk: Desk) -> None:
    desk.at(43_200).mail()
    desk.at(0).run()
    desk.at(1).mail(3)
    assert desk.state() == "OK"
    assert desk.at(17).look().age_s == 960
    assert desk.state() == "STOPPED!"


def test_mails_of_a_partition_that_came_after_the_group_last_read_are_late_as_others(desk: Desk) -> None:
    """Extraction is down, and somebody has added partitions."""
    desk.mail()
    desk.run()
    desk.log.alter_topic("mails", 3)
    desk.mail(partition=2)
    judged = desk.at(16).look_at_all()
    assert [(each.lag.partition, each.state, each.alarms) for each in judged] == [
        (0, "OK", False),
        (1, "OK", False),
        (2, "STOPPED", True),
    ]


def test_a_time_that_is_named_for_a_look_makes_mails_late_and_not_a_group_that_reads_on_stand_still(desk: Desk) -> None:
    desk.mail(100)
    for minute in (0, 1, 2):
        desk.at(minute).run(10)
    judged = desk.at(3).look(alert_after_s=10)
    assert (judged.state, judged.alarms, judged.why) == ("WARN", True, "it reads on")


def test_a_group_that_has_not_begun_though_a_member_reads_the_topic_has_stalled(desk: Desk) -> None:
    desk.mail()
    with desk.member():
        judged = desk.at(20).look()
    assert judged.state == "STALLED"
    assert judged.why == "it has not begun, though a member of it reads the topic"
