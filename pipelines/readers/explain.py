"""Explain: the way back from one price to its mail."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from log.claims import claim_of
from log.errors import LogError
from log.reading import record_at
from log.types import TopicPartition
from pipelines.errors import UnknownRecord
from pipelines.readers.runs import writer_of
from pipelines.tables.published import published

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from log.claims import ClaimStore
    from log.interface import CommitLog
    from log.types import StoredRecord
    from parsers.account import Account
    from parsers.sandbox import SandboxSettings
    from pipelines.tables.store.interface import Store

_FOUND = "starts_with(record_id, lower($record_id))"
_ORDER = "received_ts, topic, log_partition, log_offset"


@dataclass(frozen=True, slots=True)
class Explanation:
    """One quote and what stands behind it."""

    row: dict[str, Any]  # of the table quotes
    spans: dict[str, tuple[int, int]]  # bid, ask, mid -> half-open span in the row's raw_text
    repeats: int  # further records of the same mail that have this quote too
    mail_bytes: int | None  # size of the mail that the log holds, or has the claim of; None when it cannot be read
    mail_is_the_one: bool  # whether the log's mail is the one the row came from
    mail_proof: str  # the same in words
    around: tuple[str, ...] = ()  # lines or rows of the part, the quote's marked; as today's parser reads them
    decided: tuple[str, ...] = ()  # the words that decided, a sentence each
    run_id: str | None = None  # that wrote the row; None of one that is not published
    run_kind: str | None = None  # extract, reparse or undo


def explain(
    store: Store, log: CommitLog, claims: ClaimStore, record_id: str, parsers: SandboxSettings | None = None
) -> Explanation:
    """Explain a published quote; `record_id` may be cut short. Raises UnknownRecord, NothingPublished.

    With the parsers' settings its part is read again in the sandbox, for the lines around it and what decided.
    """
    if not record_id.strip():
        raise UnknownRecord("give a record_id, or its beginning; `otclog prices` shows them")
    with published(store, "quotes", "runs") as tables:
        rows = list(tables.rows("SELECT * FROM quotes", [_FOUND], _ORDER, {"record_id": record_id}, limit=100))
        run = writer_of(tables, rows[0]) if rows else None
    names = {row["record_id"] for row in rows}
    if not names:
        raise UnknownRecord(f"no published quote has record_id {record_id}; `otclog prices --json` shows them")
    if len(names) > 1:
        raise UnknownRecord(f"{len(names)} quotes begin with {record_id}: give more of the record_id")
    found = explained(log, claims, rows, parsers)
    return replace(found, run_id=run["run_id"], run_kind=run["kind"]) if run else found


def explained(
    log: CommitLog, claims: ClaimStore, rows: Sequence[dict[str, Any]], parsers: SandboxSettings | None = None
) -> Explanation:
    """What stands behind the first of rows that are repeats of one quote."""
    record, size, is_the_one, proof = _mail(log, claims, rows[0])
    found = Explanation(rows[0], spans(rows[0]), len(rows) - 1, size, is_the_one, proof)
    if parsers is None or record is None or not is_the_one:
        return found
    told = _account(record, claims, found.row, parsers)
    return found if told is None else replace(found, around=told.source, decided=told.decided)


def spans(row: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Where the levels' tokens stand in raw_text, as far as they are found there."""
    found = {}
    at = _level_start(row)
    for name in ("bid", "ask", "mid"):
        token = row[f"{name}_raw"]
        start = row["raw_text"].find(token, at) if token else -1
        if start >= 0:
            at = start + len(token)
            found[name] = (start, at)
    return found


def _level_start(row: Mapping[str, Any]) -> int:
    """Where the level begins in raw_text.

    In a table char_start says it. In a text char_start counts from the part's beginning: there it is the first stretch
    of the level's length that begins and ends with the level's tokens.
    """
    if row["char_start"] is None:
        return 0
    if row["line"] is None:
        return int(row["char_start"])
    tokens = [token for token in (row["bid_raw"], row["ask_raw"], row["mid_raw"]) if token]
    text, length = row["raw_text"], row["char_end"] - row["char_start"]
    for start in range(len(text) - length + 1):
        stretch = text[start : start + length]
        if tokens and stretch.startswith(tokens[0]) and stretch.endswith(tokens[-1]):
            return start
    return 0


def _account(
    record: StoredRecord, claims: ClaimStore, row: Mapping[str, Any], parsers: SandboxSettings
) -> Account | None:
    """The quote's account; None where the mail's bytes are gone, or today's parser reads another quote there."""
    from parsers.sandbox import Sandbox
    from parsers.sandbox.failures import ChildFailed, StartFailed

    claim = claim_of(record)
    try:
        raw = claims.read(claim) if claim else record.value or b""
        with Sandbox(parsers) as sandbox:
            return sandbox.account(raw, row["part_path"], row["record_id"])
    except (LogError, ChildFailed, StartFailed):
        return None


def _mail(
    log: CommitLog, claims: ClaimStore, row: Mapping[str, Any]
) -> tuple[StoredRecord | None, int | None, bool, str]:
    """The record at the row's position; of its mail, or the claim's, the size, and whether it is the row's, and why."""
    try:
        record = record_at(log, TopicPartition(row["topic"], row["log_partition"]), row["log_offset"])
        claim = claim_of(record) if record else None
    except (LogError, ValueError) as error:
        return None, None, False, f"cannot be read: {error}"
    if record is None:
        return None, None, False, "is no longer in the log"
    value = record.value or b""
    digest, size = (claim.sha256, claim.size) if claim else (hashlib.sha256(value).hexdigest(), len(value))
    if digest != row["message_key"]:
        return record, size, False, "is ANOTHER one (SHA-256 differs)"
    lacking = claims.lacks(claim) if claim else None
    return (
        record,
        size,
        True,
        f"is the one the row came from (SHA-256 equal){f', but not in every place: {lacking}' if lacking else ''}",
    )
