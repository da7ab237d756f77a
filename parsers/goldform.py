"""Outcomes in the form of the gold corpus: JSON lines, sorted keys, decimals as strings, absent left out (spec 7.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import asdict

from parsers.outcome import MailOutcome
from parsers.quote import Quote
from parsers.values.decimals import decimal_text

_LEFT_OUT = frozenset(  # keys, mail, party and parser: they are no part of the truth
    """dealer sender sender_name forwarded_by subject message_id message_key content_type file_name part_sha256 parser
    parser_version record_id line_key dedupe_key duplicate_of""".split()  # noqa: SIM905 -- as literals they fill a page
)
_QUOTE_FIELDS = tuple(name for name in Quote.__struct_fields__ if name not in _LEFT_OUT)


def gold_lines(outcome: MailOutcome) -> Iterator[str]:
    """A line for each quote that is no copy (ruling 5), then one for each refusal."""
    for quote in outcome.quotes:
        if quote.duplicate_of is None:
            yield _line(gold_form(quote))
    for reject in outcome.rejects:
        yield _line({"kind": "reject"} | _present(asdict(reject)))


def gold_form(quote: Quote) -> dict[str, Any]:
    """What a line says of a quote."""
    return {"kind": "quote"} | _present({name: getattr(quote, name) for name in _QUOTE_FIELDS})


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in values.items() if value not in (None, (), "")}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, date):
        return value.isoformat()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True) + "\n"
