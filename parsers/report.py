"""From what was read to what is reported: part outcomes, and every refusal as a reject (spec 6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.mail.part import Part
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.reading import Reading

_NO_PARSERS: Mapping[str, str] = MappingProxyType({})


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
    parser_of = {reading.part.path: reading.parser for reading in readings}
    rejects += part_rejects(outcome.parts, parser_of)
    rejects += (reject for reading in readings for reject in reading.rejects)
    return replace(outcome, rejects=tuple(rejects))


def part_rejects(parts: Iterable[PartOutcome], parser_of: Mapping[str, str] = _NO_PARSERS) -> Iterator[Reject]:
    """One for each part that has a code."""
    for part in parts:
        if part.code is not None:
            yield Reject(
                level="part",
                code=part.code,
                detail=part.detail,
                part_path=part.part_path,
                parser=parser_of.get(part.part_path, "mail"),
            )
