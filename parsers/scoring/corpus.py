"""A gold corpus and what was found in its mails: figures by class, format, language and field (spec 7.1, 7.4)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from parsers.scoring.figures import Figures, MailScore, f1, score_mail
from parsers.scoring.pairing import ROW_FIELDS, Line

GROUPS = ("asset_class", "format", "language")


class Case(Struct, frozen=True):
    """A mail of the corpus with its truth."""

    name: str
    meta: Mapping[str, Any]
    lines: tuple[Line, ...]  # quotes and refusals


class Scored(Struct, frozen=True):
    """A case and how near the parser came."""

    case: Case
    score: MailScore
    refusals: int  # that the truth has
    refusals_found: int


class Report(Struct, frozen=True):
    """The figures of a corpus."""

    total: Figures
    groups: Mapping[tuple[str, str], Figures]  # (group, name) -> figures
    fields: Mapping[str, float | None]  # F1 of each field
    refusals: int
    refusals_found: int
    silent: int  # mails without a quote in the truth
    spoken: int  # of them, those in which one was found
    worst: tuple[Scored, ...]  # the mails with something wrong


def cases(folder: Path) -> list[Case]:
    """The cases of a folder: `NAME.jsonl` beside each `NAME.eml`."""
    found = []
    for mail in sorted(folder.glob("*.eml")):
        truth = mail.with_suffix(".jsonl")
        if truth.is_file():
            lines = [json.loads(line) for line in truth.read_text("utf-8").splitlines() if line.strip()]
            meta: dict[str, Any] = next((line for line in lines if line.get("kind") == "meta"), {})
            found.append(Case(mail.stem, meta, tuple(line for line in lines if line.get("kind") != "meta")))
    return found


def scored(case: Case, found: Iterable[Line]) -> Scored:
    """A case beside what the parser found, both in the gold form."""
    lines = list(found)
    truths, founds = _quotes(case.lines), _quotes(lines)
    wanted, told = _refusals(case.lines), _refusals(lines)
    return Scored(case, score_mail(truths, founds), len(wanted), len(wanted & told))


def report(results: Iterable[Scored]) -> Report:
    """All cases in one."""
    every = list(results)
    groups: dict[tuple[str, str], Figures] = {}
    counts: dict[str, Counter[str]] = {name: Counter() for name in ROW_FIELDS}
    for one in every:
        for key in _groups(one.case.meta):
            groups[key] = groups.get(key, Figures()) + one.score.figures
        for name, count in one.score.fields.items():
            counts[name] += count
    silent = [one for one in every if not one.score.figures.expected]
    return Report(
        total=sum((one.score.figures for one in every), Figures()),
        groups=groups,
        fields={name: f1(count) for name, count in counts.items()},
        refusals=sum(one.refusals for one in every),
        refusals_found=sum(one.refusals_found for one in every),
        silent=len(silent),
        spoken=sum(one.score.figures.predicted > 0 for one in silent),
        worst=tuple(sorted((one for one in every if one.score.wrongs), key=lambda one: -len(one.score.wrongs))),
    )


def _quotes(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if line["kind"] == "quote"]


def _refusals(lines: Iterable[Line]) -> set[tuple[str, str | None, str]]:
    """Of mails and parts; covering notes without quotes are not scored (ruling 20)."""
    return {
        (line["level"], line.get("part_path") if line["level"] == "part" else None, line["code"])
        for line in lines
        if line["kind"] == "reject"
        and line["level"] in {"mail", "part"}
        and (line["level"], line["code"]) != ("part", "NO_QUOTE_CONTENT")
    }


def _groups(meta: Mapping[str, Any]) -> list[tuple[str, str]]:
    named = {"asset_class": meta.get("asset_classes", []), "format": meta.get("formats", [])}
    named["language"] = [meta["language"]] if meta.get("language") else []
    return [(group, name) for group in GROUPS for name in named[group]]
