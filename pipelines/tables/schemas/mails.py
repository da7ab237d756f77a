"""The tables `mails`, `parts` and `rejects`: what became of every record, MIME part and refused row (spec 6.5)."""

from __future__ import annotations

from pyspark.sql.types import StructType

from pipelines.tables.schemas.table import INT, LONG, POSITION, TEXT, TIMESTAMP, Table, column

_KEY = column("message_key", TEXT, "SHA-256 of the raw mail, hex", required=True)
_VERSION = column("parser_version", TEXT, "label+digest of the parsers.digest of what users teach", required=True)

MAILS = Table(
    "mails",
    StructType(
        [
            *POSITION,
            _KEY,
            column("message_id", TEXT, "Message-ID without <>, else sha256:<message_key>", required=True),
            column("state", TEXT, "parsed, parsed_empty, rejected", required=True),
            column("code", TEXT, "reject code (spec 6.4)"),
            column("sender", TEXT, "address, lower case"),
            column("dealer", TEXT, "name of the dealer table, else the sender's domain"),
            column("sent_at", TIMESTAMP, "the Date header, UTC; null when absent or unreadable"),
            _VERSION,
            column("size_bytes", LONG, "of the raw mail", required=True),
            column("parts", INT, "rows in table parts", required=True),
            column("quotes", INT, "rows in table quotes", required=True),
            column("rejects", INT, "rows in table rejects", required=True),
            column("sender_name", TEXT, "as written"),
            column("subject", TEXT, "as written"),
            column("date_text", TEXT, "the Date header as written"),
        ]
    ),
)

PARTS = Table(
    "parts",
    StructType(
        [
            *POSITION,
            _KEY,
            column("part_path", TEXT, "MIME part or container member (spec 6.3)", required=True),
            column("state", TEXT, "parsed, skipped, rejected", required=True),
            column("code", TEXT, "reject code (spec 6.4)"),
            column("content_type", TEXT, "detected by content", required=True),
            column("declared_type", TEXT, "as the mail says"),
            column("part_sha256", TEXT, "of the decoded bytes, hex"),
            column("size_bytes", LONG, "decoded", required=True),
            column("quotes", INT, "quotes found in it", required=True),
            _VERSION,
            column("file_name", TEXT, "decoded"),
            column("detail", TEXT, "for people", required=True),
        ]
    ),
)

REJECTS = Table(
    "rejects",
    StructType(
        [
            *POSITION,
            _KEY,
            column("level", TEXT, "mail, part or row", required=True),
            column("code", TEXT, "reject code (spec 6.4)", required=True),
            column("part_path", TEXT, "MIME part or container member (spec 6.3)"),
            column("locator", TEXT, "EUR IG!D17, page 2 row 31, line 8"),
            column("parser", TEXT, "which reader refused", required=True),
            _VERSION,
            column("detail", TEXT, "for people", required=True),
            column("raw_text", TEXT, "at most 500 characters"),
        ]
    ),
)
