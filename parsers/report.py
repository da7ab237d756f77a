"""From what was read to what is reported: part outcomes, and every refusal as a reject (spec 6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.mail.part import Part
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.reading import Reading

_NOT_READ: Mapping[str, Reading] = MappingProxyType({})


def untouched(part: Part) -> PartOutcome:
    """The outcome of a part that was decided without reading, or that its mail's fate left unread."""
    return PartOutcome(
        part_path=part.path,
        state=part.state or PartState.skipped,
        code=part.code,
        detail=part.detail,
        content_type=part.content_type,
        declared_type=part.declared_type,
        file_name=part.file_name,
        part_sha256=part.sha256,
        size_bytes=part.size,
    )


def outcome_of(reading: Reading, *, is_lone: bool) -> PartOutcome:
    """The outcome of a part that was read. A lone body without quotes leaves the code to its mail (ruling 20)."""
    outcome = replace(untouched(reading.part), detail=reading.detail, quotes=len(reading.quotes))
    if is_lone and reading.code is Code.NO_QUOTE_CONTENT:
        return replace(outcome, state=PartState.parsed)
    return replace(outcome, state=reading.state, code=reading.code)


def finished(outcome: MailOutcome, readings: Iterable[Reading]) -> MailOutcome:
    """With every refusal: the mail's, the parts', the rows'."""
    rejects: list[Reject] = []
    if outcome.code is not None:
        rejects.append(Reject(level="mail", code=outcome.code))
    of_path = {reading.part.path: reading for reading in readings}
    rejects += part_rejects(outcome.parts, of_path)
    rejects += (reject for reading in of_path.values() for reject in reading.rejects)
    return replace(outcome, rejects=tuple(rejects))


def part_rejects(parts: Iterable[PartOutcome], readings: Mapping[str, Reading] = _NOT_READ) -> Iterator[Reject]:
    """One for each part that has a code."""
    for part in parts:
        if part.code is not None:
            reading = readings.get(part.part_path)
            yield Reject(
                level="part",
                code=part.code,
                detail=part.detail,
                part_path=part.part_path,
                raw_text=reading.unread if reading is not None and part.code is Code.TABLE_NOT_RECOGNISED else None,
                parser=reading.parser if reading is not None else "mail",
            )


def doubted(reading: Reading) -> Reading:
    """Of a mail without quotes: what looks like one makes a clean part one that somebody is to look at."""
    if reading.unread is None or reading.code is not Code.NO_QUOTE_CONTENT:
        return reading
    detail = "; ".join(filter(None, (reading.detail, "an identifier beside what looks like a price")))
    return replace(reading, code=Code.TABLE_NOT_RECOGNISED, detail=detail)
