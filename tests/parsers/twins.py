"""Twins: one quote printed bare as a line, and as a table of one row, below one subject; both say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from parsers.scoring.pairing import Line
from tests.parsers.quotes.desks.cases import Case, mail, named_cases, page_of

SAME = ("quote_type", "bid", "ask", "asset_class")
"""What is to be alike."""


class Twin(Struct, frozen=True):
    """Two mails, named by the desk's case whose quote they print."""

    name: str
    line: bytes
    table: bytes


def twins() -> Iterator[Twin]:
    """Of each two-sided quote that is the only one of a desk's line."""
    seen = set()
    for name, case in named_cases():
        printed = _printed(case)
        if printed is None or (case.subject, *printed) in seen:
            continue
        seen.add((case.subject, *printed))
        instrument, bid, ask = printed
        table = page_of([("Security", "Bid", "Ask"), printed])
        yield Twin(name, mail(case.subject, f"{instrument}  {bid} / {ask}"), mail(case.subject, table, "html"))


def are_alike(line: Sequence[Line], table: Sequence[Line]) -> bool:
    """Whether the first quote of both is the same."""
    first = [[quotes[0].get(name) for name in SAME] if quotes else None for quotes in (line, table)]
    return first[0] == first[1]


def _printed(case: Case) -> tuple[str, str, str] | None:
    if case.text is None or "\n" in case.text or len(case.quotes) != 1:
        return None
    instrument, bid, ask = (case.quotes[0].get(name) for name in ("description", "bid_raw", "ask_raw"))
    return (instrument, bid, ask) if instrument and bid and ask else None
