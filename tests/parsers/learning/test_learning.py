"""What a mail and its truth teach: parsers.learning."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from parsers.dealers import Dealers
from parsers.learning.lesson import Atom, Lesson
from parsers.learning.proposing import lesson
from parsers.learning.truth import BadTruth, read_truth, typed
from parsers.learning.writing import NotWritten, with_lesson
from parsers.parse import parse_mail
from parsers.sandbox import Sandbox
from parsers.taught import Taught

LINE = "ABC 4.5 10/28"
ISINS = ("XS2641318121", "XS2802234513")
SECONDS = 30.0


def mail(body: str, subject: str = "IG") -> bytes:
    kind = "html" if body.startswith("<") else "plain"
    head = f"From: kurse@bank.example\nSubject: {subject}\nDate: Fri, 27 Nov 2026 09:00:00 +0000\n"
    return f"{head}Content-Type: text/{kind}; charset=utf-8\n\n{body}\n".encode()


def quote(name: str, quote_type: str, bid: str | None = None, ask: str | None = None, **more: str) -> dict[str, Any]:
    named = {"instrument_id" if name in ISINS else "description": name}
    levels = {side: level for side, level in (("bid", bid), ("ask", ask)) if level}
    return {"kind": "quote", **named, "quote_type": quote_type, **levels, **more}


def sheet(*rows: tuple[str, ...]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}</tr>" for row in rows) + "</table>"


SIZED = {"bid_size": "5000000", "ask_size": "5000000"}
CASES: dict[str, tuple[bytes, list[dict[str, Any]], dict[str, Any]]] = {
    "columns of a sheet, all of them his own": (
        mail(
            sheet(
                ("Kennung", "Nehme", "Gebe", "Pott"), (ISINS[0], "98.25", "98.75", "5"), (ISINS[1], "99.5", "100", "5")
            )
        ),
        [quote(ISINS[0], "price_pct", "98.25", "98.75", **SIZED), quote(ISINS[1], "price_pct", "99.5", "100", **SIZED)],
        {"columns": {"nehme": "bid", "gebe": "ask", "pott": "size"}},
    ),
    "a column of a text": (
        mail(f"ISIN | Wir nehmen | Brief | Stücke\n{ISINS[0]} | 98,25 | 98,75 | 5", "High Yield"),
        [quote(ISINS[0], "price_pct", "98.25", "98.75")],
        {"columns": {"wir nehmen": "bid"}},
    ),
    "words of a run": (
        mail(f"{LINE} nehme 99.75\nDEF 3.5 09/29 nehme 98.75\nGHI 3 09/29 gebe 97.75"),
        [
            quote(LINE, "price_pct", "99.75"),
            quote("DEF 3.5 09/29", "price_pct", "98.75"),
            quote("GHI 3 09/29", "price_pct", None, "97.75"),
        ],
        {"words": {"nehme": "bid", "gebe": "offer"}},
    ),
    "a benchmark": (
        mail(f"{LINE} Zwergbund+45/40"),
        [quote(LINE, "spread_bench_bp", "45", "40", benchmark="DBR")],
        {"words": {"zwergbund": "bund"}},
    ),
    "32nds": (
        mail(f"{ISINS[0]} {LINE} 99-16/99-24"),
        [quote(ISINS[0], "price_pct", "99.5", "99.75")],
        {"thirty_seconds": True},
    ),
    "the order of sides": (
        mail(f"{LINE} 99.75/99.5"),
        [quote(LINE, "price_pct", "99.5", "99.75")],
        {"sides": "ask/bid"},
    ),
    "the measure": (mail(f"{LINE} 45/40"), [quote(LINE, "spread_asw_bp", "45", "40")], {"measure": "spread_asw_bp"}),
    "the sizes' unit": (
        mail(f"{ISINS[0]} {LINE} 99.5/99.75 250x500"),
        [quote(ISINS[0], "price_pct", "99.5", "99.75", bid_size="250000", ask_size="500000")],
        {"unit": 1000},
    ),
    "class and currency": (
        mail(f"{LINE} 99.5/99.75", "Allerlei"),
        [quote(LINE, "price_pct", "99.5", "99.75", asset_class="corp_hy", currency="CHF")],
        {"class": "corp_hy", "currency": "CHF"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_smallest_entry_is_found_by_which_a_mail_reads_as_its_truth_says(name: str) -> None:
    raw, truths, entry = CASES[name]
    found = lesson(raw, truths, Taught.of(Dealers.parse("")), SECONDS)
    assert (found.entry, found.why, found.wrong > 0) == ("bank.example", None, True)
    written = with_lesson("", found)
    assert tomllib.loads(written) == {"bank.example": {"name": "bank.example", **entry}}
    again = lesson(raw, truths, Taught.of(Dealers.parse(written)), SECONDS)
    assert again == Lesson("bank.example")


@pytest.mark.parametrize(
    ("body", "truths", "why"),
    [
        ("Bis morgen!", [quote(LINE, "price_pct", "99.5")], "a mail without prices teaches nothing"),
        (f"{LINE} 99.5/99.75", [], "a mail without prices teaches nothing"),
        (f"{LINE} 99.5/99.75", [quote(LINE, "price_pct", "99.5", "99.8")], f"ask 99.8 of {LINE} is nowhere in it"),
        (f"{LINE} 99.5/99.75 5m", [quote(LINE, "price_pct", "99.5", bid_size="3000000")], "bid_size 3000000 of"),
        (
            f"{LINE} 99.5/99.75",
            [quote(LINE, "vol_pct", "4.5", "99.5")],
            f"1 quotes stay wrong ({LINE}: quote_type price_pct",
        ),
    ],
)
def test_what_teaches_nothing_is_told_in_words(body: str, truths: list[dict[str, Any]], why: str) -> None:
    found = lesson(mail(body), truths, Taught.of(Dealers.parse("")), SECONDS)
    assert (found.atoms, why in (found.why or "")) == ((), True)


def test_figures_in_shorthand_and_32nds_are_in_the_mail() -> None:
    body = "T 3 3/4 10/31/28 99-262/266\nOPALX 5.6 08/34 T+121/16\nDIMMX 10 1/4 12/28 99 7/8 - par 3/8"
    read = parse_mail(mail(body, "Runs")).quotes
    assert len(read) == 3
    truths = [quote(each.description or "", each.quote_type, str(each.bid), str(each.ask)) for each in read]
    assert lesson(mail(body, "Runs"), truths, Taught.of(Dealers.parse("")), SECONDS) == Lesson("bank.example")


def test_the_child_of_a_sandbox_finds_the_same() -> None:
    raw, truths, _ = CASES["32nds"]
    taught = Taught.of(Dealers.parse('["desk.bank.example"]\nname = "Desk"\n["kurse@bank.example"]\nname = "Kurse"\n'))
    with Sandbox(taught=taught) as sandbox:
        found = sandbox.lesson(raw, truths)
    assert found == lesson(raw, truths, taught, SECONDS)
    assert found == Lesson("kurse@bank.example", (Atom("thirty_seconds", None, value=True),), 1)


TABLE = """# Ours.
["other.org"] # first
name = "Other"

  # the bank
["Bank.example"]
name = "Bank"  # its name
currency = 'USD' # mostly
{}
# behind

["last.org"]
name = "Last"
"""
WORD, COLUMN = Atom("words", 'wir "nehmen"', "bid"), Atom("columns", "topf", "size")


@pytest.mark.parametrize(
    ("before", "atoms", "after"),
    [
        ("", [WORD], 'words = { "wir \\"nehmen\\"" = "bid" }'),
        ('words = { gebe = "ask" } # his', [WORD], 'words = { gebe = "ask", "wir \\"nehmen\\"" = "bid" } # his'),
        ("words = {}", [WORD], 'words = { "wir \\"nehmen\\"" = "bid" }'),
        ('words.gebe = "ask"', [WORD], 'words.gebe = "ask"\nwords."wir \\"nehmen\\"" = "bid"'),
        (
            '["Bank.example".words]\ngebe = "ask"',
            [WORD],
            '["Bank.example".words]\ngebe = "ask"\n"wir \\"nehmen\\"" = "bid"',
        ),
        ("unit = 1 # each", [COLUMN, Atom("unit", None, 1000)], 'unit = 1000 # each\ncolumns = { "topf" = "size" }'),
    ],
)
def test_a_lesson_is_written_among_what_is_there_which_stays_as_it_is(
    before: str, atoms: list[Atom], after: str
) -> None:
    text = TABLE.format(before)
    written = with_lesson(text, Lesson("bank.example", tuple(atoms)))
    assert written == TABLE.format(after if before else f"{after}\n")
    assert tomllib.loads(written)["other.org"] == {"name": "Other"}


def test_other_values_take_the_place_of_what_was_said() -> None:
    written = with_lesson(TABLE.format(""), Lesson("bank.example", (Atom("currency", None, "CHF"),)))
    assert written == TABLE.format("").replace("'USD'", '"CHF"')


def test_an_entry_in_a_form_that_nothing_can_be_added_to_is_told_with_what_to_add() -> None:
    with pytest.raises(NotWritten, match=r'write it yourself:\n\["bank.example"\]\nunit = 1000'):
        with_lesson('"bank.example" = { name = "Bank" }\n', Lesson("bank.example", (Atom("unit", None, 1000),)))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "truth.jsonl:2: no JSON"),
        ("[]", "truth.jsonl:2: no line of a truth"),
        ('{"kind": "quote", "bid": "1"}', "truth.jsonl:2: a quote names its instrument"),
        ('{"kind": "quote", "description": "A", "bidd": "1"}', "truth.jsonl:2: no quote has a field 'bidd'"),
        ('{"kind": "quote", "description": "A", "bid": "99-16"}', "truth.jsonl:2: bid '99-16' is no number"),
    ],
)
def test_a_slip_in_a_truth_is_told_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text(f'{{"kind": "meta"}}\n{line}\n')
    with pytest.raises(BadTruth) as told:
        read_truth(file)
    assert str(told.value).startswith(f"{tmp_path}/{complaint}")


def test_what_is_typed_changes_a_quote_and_slips_are_told() -> None:
    line = quote(LINE, "price_pct", "99.5")
    assert typed("ask=99.75 bid= description='A B'", line) == quote("A B", "price_pct", None, "99.75")
    for slip in ("99.5", "bidd=1", "bid=x", "'", "description="):
        with pytest.raises(BadTruth):
            typed(slip, line)


def test_words_beside_a_name_that_its_description_has_too_are_no_fault() -> None:
    raw = mail(f"{LINE} senior unsecured 99.5/99.75")
    (read,) = parse_mail(raw).quotes
    assert read.description != LINE
    assert lesson(raw, [quote(LINE, "price_pct", "99.5", "99.75")], Taught.of(Dealers.parse("")), SECONDS) == Lesson(
        "bank.example"
    )
