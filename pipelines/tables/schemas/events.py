"""The table `events`: what programs said, a row a line of the topic `ops`. It lies apart from the tables of mails."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, StructType

from pipelines.tables.schemas.table import DATE, INT, LONG, TEXT, TIMESTAMP, Table, column

EVENTS = Table(
    "events",
    StructType(
        [
            column("log_partition", INT, "the line's partition of topic ops, 0-based", required=True),
            column("log_offset", LONG, "its offset, 0-based", required=True),
            column("topic", TEXT, "ops", required=True),
            column("received_ts", TIMESTAMP, "when the log took it, UTC", required=True),
            column("received_day", DATE, "day of received_ts in UTC", required=True),
            column("message_id_hash", LONG, "of message_id: BLAKE2b of 8 bytes, by which a search skips text"),
            column("sha256_hash", LONG, "of sha256, in the same way"),
            column("said_ts", TIMESTAMP, "when it was said, by its own word, UTC; null where that is no time"),
            column("level", TEXT, "debug, info, warning, error, critical; or as a program says"),
            column("host", TEXT, "the machine that says it"),
            column("unit", TEXT, "the service or command that says it"),
            column("process", LONG, "its pid"),
            column("program", TEXT, "which program of the unit"),
            column("event", TEXT, "the message"),
            column("message_id", TEXT, "of the mail that it is about, without <>, a field or in the message"),
            column("sha256", TEXT, "of that mail, hex"),
            column("mail_topic", TEXT, "where that mail is in the log: the topic"),
            column("mail_partition", LONG, "its partition, 0-based"),
            column("mail_offset", LONG, "its offset, 0-based"),
            column("run", TEXT, "the run that says it"),
            column("parser_version", TEXT, "of that run"),
            column("state", TEXT, "of an outcome: parsed, parsed_empty, rejected"),
            column("code", TEXT, "of an outcome: the reject code"),
            column("flags", ArrayType(TEXT, containsNull=False), "what is odd about the line, sorted", required=True),
            column("line", TEXT, "the whole line", required=True),
        ]
    ),
    partitioned_by=("received_day",),
)
