"""Rows as people read them."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from conf.cli import decimal_text
from conf.printable import printable
from conf.wrapping import wrapped
from pipelines.readers.runs import took_s
from pipelines.readers.why import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipelines.readers.explain import Explanation

MOST = MappingProxyType(dict.fromkeys(("instrument", "mail", "detail", "text"), 40))
"""How many cells what mails say has beside other columns of a table; below them it has a line."""
_TITLE = 8  # characters in front of what is explained
_NUMBER = 9  # in front of a line of the mail, with the blanks behind it
_USUAL = {"kind": "market", "status": "accepted"}  # a column all of whose cells say this says nothing
_IDENTIFIERS = ("isin", "cusip", "figi", "loanx_id", "red_code", "wkn", "sedol", "common_code", "valor", "local_code")


def position(row: Mapping[str, Any]) -> str:
    """Where the mail stands in the log: mails-0@12."""
    return f"{row['topic']}-{row['log_partition']}@{row['log_offset']}"


def place(row: Mapping[str, Any]) -> str:
    """Where a quote stands in its part: EUR IG!D17, page 2 row 31, line 8."""
    if row["cell"]:
        return f"{row['sheet']}!{row['cell']}" if row["sheet"] else str(row["cell"])
    names = {"page": "page", "table_idx": "table", "row": "row", "col": "column", "line": "line"}
    return " ".join(f"{name} {row[column]}" for column, name in names.items() if row[column] is not None)


def instrument(row: Mapping[str, Any]) -> str:
    """Identifier, description, and what tells the columns of a grid of tenors apart."""
    identifier = next((row[name] for name in _IDENTIFIERS if row[name]), None)
    description = row["description"] or ""
    said = description.upper().split()
    apart = (text for text in (row["tenor"], row["option_struct"]) if text and text.upper() not in said)
    return " ".join(text for text in (identifier, description, *apart) if text)


def price_lines(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Quotes in a table; with columns of kind and status where any of them is not a market, or not accepted."""
    lines = [price_line(row) for row in rows]
    needless = {name for name, usual in _USUAL.items() if all(line[name] == usual for line in lines)}
    return [{name: value for name, value in line.items() if name not in needless} for line in lines]


def price_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A quote in a table."""
    talk = "-".join(decimal_text(row[name]) for name in ("talk_low", "talk_high") if row[name] is not None)
    return {
        "quoted": f"{row['quote_ts']:%Y-%m-%d %H:%M}Z",
        "dealer": row["dealer"],
        "instrument": instrument(row),
        "class": row["asset_class"],
        "kind": row["quote_kind"],
        "type": row["quote_type"],
        "bid": row["bid"],
        "ask": row["ask"],
        "mid or talk": talk or row["mid"],
        "size": row["size_text"],
        "status": row["status"],
        "doubts": ", ".join(row["flags"]),
        "source": f"{position(row)} part {row['part_path']} {place(row)}",
        "record": row["record_id"][:12],
    }


def reject_lines(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rejects in a table."""
    return [reject_line(row) for row in rows]


def reject_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A reject in a table."""
    part = f"part {row['part_path']}" if row["part_path"] else None
    where = " ".join(text for text in (position(row), part, row["locator"]) if text)
    mail = f"{row['sender'] or 'no sender'}: {row['subject'] or 'no subject'}"
    text = {"mail": mail, "detail": row["detail"], "text": row["raw_text"] or ""}
    return {"level": row["level"], "code": row["code"], "source": where} | text


def run_lines(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Runs in a table."""
    return [run_line(row) for row in rows]


def run_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A run in a table."""
    read = (f"{each['topic']}-{each['partition']} [{each['start']}, {each['stop']})" for each in row["ranges"])
    return {
        "started": f"{row['started_ts']:%Y-%m-%d %H:%M:%S}Z",
        "seconds": round(took_s(row), 1),
        "kind": row["kind"],
        "group": row["group"],
        "mails": row["mails"],
        "refused": row["mails_rejected"],
        "quotes": row["quotes"],
        "rejects": row["rejects"],
        "publication": row["publication"],
        "run": row["run_id"],
        "why": row["override_reason"] or row["selection"] or (f"undoes {row['undoes']}" if row["undoes"] else None),
        "read": ", ".join(read),
    }


def explanation_lines(found: Explanation, width: int | None = None) -> Iterator[str]:
    """The explanation as lines, safe for a terminal of so many cells; None: no edge."""
    for head, text, carets in _told(found):
        marks = "".join(mark * len(printable(character)) for character, mark in zip(text, carets, strict=False))
        yield from wrapped(printable(text), width, f"{head:<{_TITLE}}", marks)


def _told(found: Explanation) -> Iterator[tuple[str, str, str]]:
    """What is told, in order: what stands in front, a text, and marks for its characters."""
    row = found.row
    yield from _under("quote", _measured(row))
    yield from _under(
        "of", f"{instrument(row)}  ({row['asset_class']}, {row['quote_kind']}, {row['currency'] or 'no currency'})"
    )
    yield from _under("by", f"{row['dealer']}, quoted {row['quote_ts']:%Y-%m-%d %H:%M:%S}Z ({row['quote_ts_source']})")
    yield from _under(
        "mail",
        f"{position(row)}, received {row['received_ts']:%Y-%m-%d %H:%M:%S}Z, <{row['message_id']}>",
        f"from {row['sender']}: {row['subject']}",
    )
    yield from _under(
        "part", f"{row['part_path']}, {row['file_name'] or 'no name'}, {row['content_type']}, {place(row)}"
    )
    yield "text", _cells_apart(row["raw_text"]), _carets(found)
    yield from _around(found.around)
    yield from _under("decided", *found.decided)
    yield from _under("rules", *rules(row))
    yield from _under(
        "doubts",
        ", ".join(row["flags"]) or "none",
        f"confidence {row['confidence']}, {row['status']}",
        f"read by {row['parser']} {row['parser_version']}",
    )
    size = "" if found.mail_bytes is None else f" ({found.mail_bytes:,} bytes)"
    times = f"the mail is in the log {found.repeats + 1} times; this is the first" if found.repeats else ""
    yield from _under("proof", f"the mail in the log{size} {found.mail_proof}", times)
    yield from _under("record", row["record_id"], f"written by {found.run_kind} {found.run_id}" if found.run_id else "")


def _under(title: str, *texts: str) -> Iterator[tuple[str, str, str]]:
    """Texts below each other, the first behind the title; empty ones nowhere."""
    for at, text in enumerate(filter(None, texts)):
        yield "" if at else title, text, ""


def _measured(row: Mapping[str, Any]) -> str:
    """Quote type and levels."""
    names = ("bid", "ask", "mid", "talk_low", "talk_high")
    levels = (f"{name} {decimal_text(row[name])}" for name in names if row[name] is not None)
    return f"{row['quote_type']}  {'  '.join(levels)}"


def _around(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The lines around a quote, the carets of one with its text."""
    title = "source"
    for line, below in pairwise((*lines, "")):
        if line.strip(" ^"):
            head, text = f"{title:<{_TITLE}}{line[:_NUMBER]}", line[_NUMBER:]
            yield head, text, "" if below.strip(" ^") else below[_NUMBER:]
            title = ""


def _carets(found: Explanation) -> str:
    """A caret for each character of the levels' tokens."""
    marks = {index for start, stop in found.spans.values() for index in range(start, stop)}
    return "".join("^" if index in marks else " " for index in range(max(marks, default=-1) + 1))


def _cells_apart(text: str) -> str:
    """Cells joined by TAB with a mark of the same width between them: the carets below stay in place."""
    return text.replace("\t", "¦")
