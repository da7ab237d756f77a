"""`scripts/fit`: how far rows are trusted, from rows whose truth is known."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.trust.factors import is_factor
from parsers.quotes.trust.weights import FILE, weights_of
from parsers.scoring.page import CONFIDENCE
from tests.parsers.fitting.harder import (
    HARDER,
    with_unknown_header_cell,
    without_header_cell,
    without_heading,
    without_unit,
)
from tests.parsers.fitting.options import FOLDS, ROOT, fold_of
from tests.parsers.fitting.page import write_page
from tests.parsers.fitting.trust import MOST_FALSE, as_file, fitted, left_out, sums_left_out, told
from tests.parsers.fitting.trusting import Case, cases, cases_of
from tests.parsers.program import QUOTE, RUN

ROUNDED = 2
"""By how much weights differ where the same is added up in another order, as by other threads or another machine."""
TABLE = Grid(
    tuple(
        Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(texts, 1)))
        for number, texts in enumerate((("Issue", "Bid", "Ask"), ("XYZ 5 34", "98 bp", "97 bp")), 1)
    ),
    table_idx=1,
)


def case(number: int, *factors: str, right: bool = True) -> Case:
    return Case("gold-dev", f"mail-{number}", f"dealer-{number}", factors, right, right, 1.0)


def sure_and_doubtful() -> list[Case]:
    """Of rows that are told their class all are right, of wide ones a quarter, of lone ones none."""
    sure = [case(number, "class.subject", "alike.more") for number in range(400)]
    doubtful = [case(number, "flag.wide", "alike.more", right=number % 4 == 0) for number in range(400, 600)]
    return [*sure, *doubtful, *(case(number, "alike.below_2", right=False) for number in range(600, 900))]


def test_rows_are_right_or_wrong_by_their_truth_and_those_of_a_real_mail_are_wrong() -> None:
    (right,) = cases_of("desks", "one", RUN, [QUOTE])
    assert (right.is_priced, right.dealer) == (True, "one")
    assert all(is_factor(name) for name in right.factors)
    (wrong,) = cases_of("desks", "one", RUN, [{**QUOTE, "bid": "58"}])
    (real,) = cases_of("real", "archive-1", RUN, [])
    assert [(one.is_exact, one.is_priced) for one in (wrong, real)] == [(False, False)] * 2
    assert real.dealer == "archive"


def test_a_gold_mail_is_read_as_it_is_and_with_things_taken_away() -> None:
    found = {one.corpus for one in cases_of("gold-dev", "one", RUN, [QUOTE])}
    assert found == {"gold-dev", *(f"gold-dev, {change}" for change in HARDER)}


def part(subject: str) -> PartContext:
    mail = MailContext(message_key="k", message_id="k", subject=subject)
    return PartContext(mail=mail, part_path="1", content_type="text/html")


def test_a_heading_a_header_cell_or_a_unit_is_taken_away() -> None:
    document = Document((Line(1, "High yield", 0), TABLE), parser="html")
    heads = [without_heading(document, part("HY run"), random.Random(seed)) for seed in range(9)]
    lines = {block.text for changed, _ in heads for block in changed.blocks if isinstance(block, Line)}
    assert ({context.mail.subject for _, context in heads}, lines) == ({"HY run", ""}, {"High yield", ""})
    header = _cells(without_header_cell(document, part("HY run"), random.Random(0))[0])
    assert min(header) == ""
    assert len(set(header) & {"Issue", "Bid", "Ask"}) == 2
    unknown = _cells(with_unknown_header_cell(document, part("HY run"), random.Random(0))[0])
    assert [text for text in unknown if text not in header] == ["Xyzzy"]
    assert _cells(without_unit(document, part("HY run"), random.Random(0))[0])[-2:] == ["98", "97"]


def _cells(document: Document) -> list[str]:
    return [
        cell.text for block in document.blocks if isinstance(block, Grid) for row in block.rows for cell in row.cells
    ]


def test_what_right_rows_show_weighs_for_trust_and_what_fewer_than_three_show_weighs_nothing() -> None:
    known = [*sure_and_doubtful(), case(901, "class.subject", "kind.talk"), case(902, "class.subject", "kind.talk")]
    found = fitted(known).factors
    assert found["class.subject"] > 10
    assert found["flag.wide"] < 0
    assert "kind.talk" not in found


def test_rows_that_are_never_accepted_teach_nothing_and_are_accepted_nowhere() -> None:
    known = sure_and_doubtful()
    kept = [case(number, "class.subject", "alike.more", "heading.unheaded", right=False) for number in range(903, 990)]
    assert fitted([*known, *kept]) == fitted(known)
    assert {one.status for one in left_out([*known, *kept]) if one.case in kept} == {"review"}


def test_no_flag_weighs_for_trust_however_often_rows_were_right_in_spite_of_it() -> None:
    known = [*sure_and_doubtful(), *(case(number, "flag.ccy_assumed", "alike.more") for number in range(900, 990))]
    assert "flag.ccy_assumed" not in fitted(known).factors


def test_shares_rise_with_the_sum_and_what_is_accepted_is_hardly_ever_false() -> None:
    known = sure_and_doubtful()
    found, sums = fitted(known), sums_left_out(known)
    assert [share for _, share in found.shares] == sorted(share for _, share in found.shares)
    left = left_out(known)
    accepted = [one.case for one in left if one.status == "accepted"]
    assert len(accepted) >= 400
    assert sum(not one.is_priced for one in accepted) <= MOST_FALSE * len(accepted)
    assert {one.status for one in left if one.case.factors == ("alike.below_2",)} == {"refused"}
    assert len(set(sums)) > 1


def test_a_sum_is_of_weights_that_were_fitted_without_the_rows_dealer() -> None:
    """What one dealer's rows alone show weighs nothing for them."""
    own = [Case("gold-dev", "mail", "dealer-0", ("class.title", "alike.more"), False, False, 1.0) for _ in range(50)]
    known = [*(one for one in sure_and_doubtful() if fold_of(one.dealer) != fold_of("dealer-0")), *own]
    plain = Case("gold-dev", "mail", "dealer-0", ("alike.more",), True, True, 1.0)
    *_, first, last = sums_left_out([*known, plain])
    assert first == last
    assert fitted(known).factors["class.title"] < 0
    assert {fold_of(f"dealer-{number}") for number in range(100)} == set(range(FOLDS))


def test_weights_are_written_as_they_are_read(tmp_path: Path) -> None:
    found = fitted(sure_and_doubtful())
    (tmp_path / "weights.toml").write_text(as_file(found), "utf-8")
    read = weights_of(tmp_path / "weights.toml")
    assert (read.factors, read.accepted, read.review) == (found.factors, found.accepted, found.review)
    assert [least for least, _ in read.shares] == [least for least, _ in found.shares]


def test_a_page_keeps_what_stands_above_its_section_and_has_figures_and_plot(tmp_path: Path) -> None:
    page = tmp_path / "accuracy.md"
    page.write_text(f"# Accuracy\n{CONFIDENCE}\nof before\n", "utf-8")
    left = left_out(sure_and_doubtful())
    write_page(page, left)
    text = page.read_text("utf-8")
    assert text.startswith(f"# Accuracy\n{CONFIDENCE}")
    assert "of before" not in text
    assert "| gold-dev | 900 | 450 |" in text
    assert (tmp_path / "accuracy-confidence.svg").read_text("utf-8").count("<circle") == 5
    write_page(page, left)
    assert page.read_text("utf-8") == text
    assert next(told(left)) == "gold-dev: 900 rows, 450 priced, "


@pytest.mark.slow
def test_the_same_mails_give_the_same_trust(shared: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "trust").mkdir()
    command: list[str | Path] = [sys.executable, "-m", "tests.parsers.fitting.trust", "--share", "30", "--to", tmp_path]
    subprocess.run([*command, "--shared", shared("gold").parent], check=True, capture_output=True, cwd=ROOT)
    again = fitted(list(cases(shared("gold").parent, 30)))
    assert _apart(weights_of(tmp_path / "trust" / "weights.toml").factors, again.factors) <= ROUNDED


@pytest.mark.soak
def test_the_trust_that_comes_with_otclog_is_that_of_the_mails(shared: Callable[[str], Path]) -> None:
    found, there = fitted(list(cases(shared("gold").parent))), weights_of(FILE)
    assert _apart(found.factors, there.factors) <= ROUNDED
    assert max(abs(found.accepted - there.accepted), abs(found.review - there.review)) <= ROUNDED


def _apart(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    """The most by which two weights differ; what stands in one alone differs from nothing."""
    names: Sequence[str] = sorted(one.keys() | other.keys())
    return max(abs(one.get(name, 0) - other.get(name, 0)) for name in names)
