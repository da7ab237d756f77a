from __future__ import annotations

from log.kafka.acls import ROLES, Named, command_of, grants_of

NAMED = Named(("mails",), "ingest-journal", ("ops",), ("extract",))


def test_who_publishes_may_change_no_topic_and_who_reads_may_write_none() -> None:
    allowed = {role: {one for each in grants_of(role, NAMED) for one in each.operations} for role in ROLES}
    assert allowed["publisher"] == {"Read", "Write", "DescribeConfigs"}
    assert allowed["reader"] == {"Read", "Describe", "DescribeConfigs"}
    assert [each.name for each in grants_of("job", NAMED) if "Write" in each.operations] == [
        "__otclog_groups",
        "ops",
        "otclog.extract",
    ]


def test_a_grant_is_a_command_of_kafkas() -> None:
    (group,) = [each for each in grants_of("job", NAMED) if each.resource == "group"]
    assert command_of(group, "k1:9092", "User:etl") == (
        "kafka-acls.sh --bootstrap-server k1:9092 --add --allow-principal User:etl --operation Read --group extract"
    )
