"""Odd, damaged and hostile files of public projects: alone, attached, and cut off; each exactly one outcome.

A sample by default; `--all` of scripts/test runs the whole of them, each cut off at one place of five and each third one
alone, and holds docs/odd.md to what came out; `--soak` runs all of them alone, too, and cut off at all five.
"""

from __future__ import annotations

import base64
import resource
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from parsers.codes import Code, MailState, PartState
from parsers.outcome import MailOutcome
from parsers.sandbox import Sandbox, SandboxOptions
from tests.turns import first, told

SAMPLED = 37  # every n-th file
CUTS = (0.1, 0.3, 0.5, 0.8, 0.99)  # of a file's length
OPTIONS = SandboxOptions(part_deadline_s=20)
UNFINISHED = {Code.PARSE_TIMEOUT}  # no file of these needs so long
MAX_GROWN_KIB = 200 * 1024
PAGE = Path(__file__).parents[2] / "docs" / "odd.md"

Codes = dict[str, Counter[str]]  # by format: how many files ended so


class Counted(NamedTuple):
    """What came out, and of how many mails."""

    codes: Codes
    mails: int


class Share(NamedTuple):
    """What of the n-th file is parsed, beside the whole file, attached to a mail."""

    cuts: Callable[[int], Sequence[float]]  # cut off at these shares of its length
    is_alone: Callable[[int], bool]  # without a mail around it
    name: str


@pytest.fixture(scope="module")
def files(shared: Callable[[str], Path]) -> list[Path]:
    return sorted(file for file in shared("odd").glob("*/*") if file.is_file())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(OPTIONS) as one:
        yield one


def attached(data: bytes, name: str) -> bytes:
    return (
        b"From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=qqq\n\n--qqq\n\nsee attached\n--qqq\n"
        b'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="' + name.encode() + b'"\n'
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(data) + b"\n--qqq--\n"
    )


ALL = Share(lambda _: CUTS, lambda _: True, f"all alone, {len(CUTS)} cuts each")
# another cut for the next file, and others of both for the next commit
ONE_CUT = Share(
    lambda number: (CUTS[(number + first(len(CUTS))) % len(CUTS)],),
    lambda number: number % 3 == first(3),
    f"each third alone, one cut each, {told(3 * len(CUTS))}",
)


def has_one_outcome(outcome: MailOutcome) -> bool:
    return (
        len({part.part_path for part in outcome.parts}) == len(outcome.parts)
        and all((part.code is None) == (part.state is not PartState.rejected) for part in outcome.parts)
        and (outcome.state is MailState.parsed) == bool(outcome.quotes)
        and (outcome.state is not MailState.parsed_empty or outcome.code is not None)
        and not UNFINISHED.intersection(part.code for part in outcome.parts)
    )


def end_of(outcome: MailOutcome) -> str:
    """Of the file: its code, `quotes`, or `opened` for what holds other parts."""
    (part,) = (part for part in outcome.parts if part.part_path == "2")
    return str(part.code) if part.code else "quotes" if part.state is PartState.parsed else "opened"


def run(sandbox: Sandbox, files: list[Path], share: Share) -> Counted:
    """Each of the files attached, and its share of the rest; the mails that this took."""
    codes: Codes = defaultdict(Counter)
    mails = 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number, file in enumerate(files):
        data = file.read_bytes()
        whole = sandbox.parse(attached(data, file.name))
        assert has_one_outcome(whole), file
        codes[file.parent.name][end_of(whole)] += 1
        is_mail = file.parent.name in {"eml", "mbox", "other"}
        cuts = [data[: int(len(data) * length)] for length in share.cuts(number)]
        others = [cut if is_mail else attached(cut, file.name) for cut in cuts] + [data] * share.is_alone(number)
        assert all(has_one_outcome(sandbox.parse(raw)) for raw in others), file
        mails += 1 + len(others)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MAX_GROWN_KIB
    return Counted(codes, mails)


def table(codes: Codes) -> str:
    """Markdown: a row a format, a column an end."""
    ends = sorted({end for counted in codes.values() for end in counted}, key=lambda end: (end.isupper(), end))
    rows = ["| format | files | " + " | ".join(ends) + " |", "|---" * (len(ends) + 2) + "|"]
    for name, counted in sorted(codes.items()):
        rows.append(f"| {name} | {counted.total()} | " + " | ".join(str(counted[end] or "") for end in ends) + " |")
    return "\n".join(rows)


def test_a_sample_of_odd_files_ends_in_one_outcome_each(sandbox: Sandbox, files: list[Path]) -> None:
    codes = run(sandbox, files[::SAMPLED], ALL).codes
    assert sum(counted.total() for counted in codes.values()) == len(files[::SAMPLED])


@pytest.mark.parametrize(
    "share",
    [
        pytest.param(ONE_CUT, id="one cut", marks=pytest.mark.slow),
        pytest.param(ALL, id="all cuts", marks=pytest.mark.soak),
    ],
)
@pytest.mark.timeout(3600)
def test_every_odd_file_ends_in_one_outcome_and_the_page_says_in_which(
    sandbox: Sandbox, files: list[Path], share: Share, record_property: Callable[[str, object], None]
) -> None:
    codes, mails = run(sandbox, files, share)
    found = table(codes)
    assert found in PAGE.read_text("utf-8"), f"docs/odd.md is to say:\n{found}"
    record_property("count", f"odd files: {len(files):,}, {mails:,} mails, {share.name}")


def test_a_workbook_that_aborts_its_engine_costs_its_own_part_one_code(
    sandbox: Sandbox, shared: Callable[[str], Path]
) -> None:
    (file,) = (shared("odd") / "xls").glob("*51535.xls")
    run_beside = attached(file.read_bytes(), file.name).replace(b"see attached", b"BACR 5.2 05/26 T+85/80 5x5")
    outcome = sandbox.parse(run_beside)
    assert [(part.part_path, part.state, part.code) for part in outcome.parts] == [
        ("1", PartState.parsed, None),
        ("2", PartState.rejected, Code.PARSER_ERROR),
    ]
    assert sandbox.parse(run_beside.partition(b"--qqq\nContent-Type")[0] + b"--qqq--\n").state is MailState.parsed
