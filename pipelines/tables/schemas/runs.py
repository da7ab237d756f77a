"""The table `runs`: what each run of extract, reparse or undo did, when, with counts that add up."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, DoubleType, StructType

from pipelines.tables.schemas.table import INT, LONG, TEXT, TIMESTAMP, Table, column

_RANGE = StructType(
    [
        column("topic", TEXT, "topic", required=True),
        column("partition", INT, "partition, 0-based", required=True),
        column("start", LONG, "first offset", required=True),
        column("stop", LONG, "offset after the last", required=True),
    ]
)

COUNTS = {
    "records": "records in the ranges",
    "mails": "mails with an outcome; equals records",
    "mails_parsed": "mails with at least one quote",
    "mails_parsed_empty": "mails read and clean of quotes",
    "mails_rejected": "mails refused",
    "parts": "parts with an outcome",
    "parts_parsed": "parts read",
    "parts_skipped": "containers, unused alternatives, signatures",
    "parts_rejected": "parts refused",
    "quotes": "rows in table quotes",
    "rejects": "rows in table rejects",
}

RUNS = Table(
    "runs",
    StructType(
        [
            column("run_id", TEXT, "names the run; one row a run", required=True),
            column("kind", TEXT, "extract, reparse or undo", required=True),
            column("group", TEXT, "consumer group; null but for extract"),
            column("started_ts", TIMESTAMP, "when the run that wrote the row began, UTC", required=True),
            column("ended_ts", TIMESTAMP, "when its tables were written, UTC", required=True),
            column("parser_version", TEXT, "label+digest of the parsers.digest of what users teach", required=True),
            *(column(name, LONG, comment, required=True) for name, comment in COUNTS.items()),
            column("parse_s", DoubleType(), "seconds for reading, parsing and staging", required=True),
            column("write_s", DoubleType(), "seconds for the tables' commits", required=True),
            column("ranges", ArrayType(_RANGE, containsNull=False), "what was read", required=True),
            column("host", TEXT, "where its driver ran"),
            column("os_user", TEXT, "whose process that was"),
            column("settings_sha256", TEXT, "SHA-256 of all settings, hex"),
            column("pack_sha256", TEXT, "SHA-256 of the pack that a cluster's workers ran, hex; null where none did"),
            column("publication", LONG, "the number of the publication that shows it"),
            column("selection", TEXT, "what a reparse was told to choose, as JSON"),
            column("shadow_of", LONG, "the publication that its shadow was compared with; null where it had none"),
            column("override_reason", TEXT, "why it was published though the gate had stopped it"),
            column("undoes", TEXT, "the run whose rows it puts back as they were before"),
        ]
    ),
)
