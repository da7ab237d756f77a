"""Nothing that looks like a quote goes unseen, in any corpus: by a check that shares no code with the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from parsers.codes import EXPECTED_CODES
from parsers.parse import parse_mail
from tests.parsers.ending import Source, due, is_identifier, priced, sources_of
from tests.parsers.freezing import CORPORA
from tests.parsers.quotes.desks.cases import mail, page_of

EACH = {"real": 50, "dealers": 10, "desks": 3, "twins": 3}
"""Of these corpora every so many-th mail; with `--soak` each."""
LEAST = {"gold-dev": 490, "gold-second": 400, "samples": 100, "desks": 600, "twins": 210, "dealers": 3500, "real": 0}
"""Lines and rows that must end, so that the check does not go blind: those of real mails are without quotes."""


def mails(corpus: str, shared: Path, each: int) -> Iterator[tuple[str, bytes]]:
    yield from ((name, raw) for name, raw, _ in islice(CORPORA[corpus](shared), 0, None, each))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "each"),
    [
        *((name, EACH.get(name, 1)) for name in CORPORA),
        *(pytest.param(name, 1, id=f"{name}, all", marks=pytest.mark.soak) for name in EACH),
    ],
)
def test_every_line_ends_as_a_quote_or_as_a_refusal(
    corpus: str, each: int, shared: Callable[[str], Path], record_property: Callable[[str, object], None]
) -> None:
    folder = shared("real").parent if corpus in {"gold-dev", "gold-second", "real"} else Path()
    count = 0
    lost: list[tuple[str, str]] = []
    for name, raw in mails(corpus, folder, each):
        outcome = parse_mail(raw)
        if outcome.quotes:
            found = list(due(raw, sources_of(outcome)))
            count += len(found)
            lost += ((name, one.text) for one in found if not one.is_ended)
        elif EXPECTED_CODES.issuperset(reject.code for reject in outcome.rejects):
            lost += ((name, text) for text in priced(raw))
    record_property("count", f"{corpus}: {count} lines and rows that must end")
    assert lost == []
    assert count >= LEAST[corpus] // each


QUOTED = Source("CHTR 4 1/2 32  86 1/4 - 3/4", is_quote=True)


@pytest.mark.parametrize(
    "line",
    [
        "AAL 5.75 29  closed 99.5, now 98.75-99.25",
        "XS2641318121 OTP  abc 101.10 foo 101.60",
        "RABOBK FRN 05/28  was 99.2",
        "AAL 5.75 29  abc 98 def",
        "closed 99.5, now 98.75-99.25",
    ],
)
def test_the_check_finds_a_line_of_a_run_that_did_not_end(line: str) -> None:
    raw = mail("Run", f"Run\n\n{QUOTED.text}\n{line}\nBye\n")
    assert [one.text for one in due(raw, [QUOTED]) if not one.is_ended] == [line]
    assert all(one.is_ended for one in due(raw, [QUOTED, Source(line, is_quote=False)]))


@pytest.mark.parametrize(
    "line",
    [
        "AAL 5.75 29  5mm",
        "AAL 5.75 29  due 11/30/26",
        "AAL 5.75 29 in 2026",
        "We like AAL",
        "e.g. AAL 5.75 29  98",
        "> AAL 5.75 29  98.5",
    ],
)
def test_sizes_days_words_and_examples_need_not_end(line: str) -> None:
    raw = mail("Run", f"Run\n\n{QUOTED.text}\n{line}\nBye\n")
    assert [one.text for one in due(raw, [QUOTED])] == [QUOTED.text]


def test_what_stands_in_another_run_need_not_end() -> None:
    raw = mail("Run", f"{QUOTED.text}\n\nAAL 5.75 29  sold 98.5 last week\n")
    assert [one.text for one in due(raw, [QUOTED])] == [QUOTED.text]


def test_a_name_with_a_tenor_is_an_instrument_where_one_of_its_form_is_quoted() -> None:
    raw = mail("Swaps", "5y bei 2.285/2.29\n10y bei 228.5/229\nIG42 51.25/75\n")
    assert [one.text for one in due(raw, [Source("5y bei 2.285/2.29", is_quote=True)])][1:] == ["10y bei 228.5/229"]


def test_the_check_finds_a_row_of_a_table_that_did_not_end() -> None:
    rows = [["ISIN", "Bid"], ["XS2641318121", "98.5"], ["US0378331005", "99.5"], ["Total", "99.0"]]
    raw = mail("Run", page_of(rows), "html")
    found = list(due(raw, [Source("XS2641318121\t98.5", is_quote=True)]))
    assert [(one.text.split()[0], one.is_ended) for one in found] == [("XS2641318121", True), ("US0378331005", False)]


def test_an_identifier_beside_a_price_looks_like_a_quote_and_beside_a_size_does_not() -> None:
    assert priced(mail("Jegyzések", "HU0000403118  MÁK 2030/A  98,25\n"))
    assert not priced(mail("Jegyzések", "HU0000403118  MÁK 2030/A  98,25mm\n"))
    assert not priced(mail("Trade confirmation", "HU0000403118  MÁK 2030/A  98,25\n"))


@pytest.mark.parametrize("code", ["XS2641318121", "912810TM0", "BH4HKS3", "BBG000BLNQ16", "67092LB18"])
def test_identifiers_are_told_by_their_check_digits(code: str) -> None:
    assert is_identifier(code)
    assert not is_identifier(f"{code[:-1]}{(int(code[-1]) + 1) % 10}")
