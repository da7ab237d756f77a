from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from parsers.quotes.headings import heeding
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs import RunResult, reader
from parsers.quotes.runs.lines.repeats import ENOUGH, UNASKED, _has_pair, has_market, shape
from parsers.quotes.runs.quoted import understanding

Runs = Callable[..., RunResult]
PRICE = "XYZ 5 03/15/34 98.25/98.75"


@pytest.fixture
def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were understood as lines of a run."""
    texts: list[str] = []
    understood = understanding.understood

    def noting(text: str, *args: object, **named: object) -> object:
        texts.append(text)
        return understood(text, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "understood", noting)
    return texts


def log(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"2026-11-23 18:{number // 60 % 60:02}:{number % 60:02} INFO Finished task {number}.0 in {number * 7} ms"


def test_lines_of_a_shape_that_said_nothing_are_passed_over(runs: Runs, read_texts: list[str]) -> None:
    assert not runs("\n".join(log(1000))).drafts
    assert len(read_texts) <= UNASKED + ENOUGH + 1


def test_a_price_above_among_and_below_them_is_read(runs: Runs) -> None:
    lines = [PRICE, *log(300), PRICE, *log(300), PRICE]
    assert [draft.line for draft in runs("\n".join(lines)).drafts] == [1, 302, 603]


def test_a_line_of_that_shape_with_an_identifier_is_read(runs: Runs) -> None:
    lines = [f"ref {10**8 + number * 4321} at {number}.5" for number in range(200)]
    found = runs("\n".join([*lines, "ref US0378331005 at 98.25/98.75"]))
    assert [draft.line for draft in found.drafts] == [201]


def test_headings_between_them_hold_for_what_stands_below(runs: Runs) -> None:
    found = runs("\n".join([*log(300), "EUR IG RUN", *log(300), "ABC 4 01/30 T+85/80"]))
    assert [draft.asset_class for draft in found.drafts] == ["corp_ig"]


def test_a_shape_is_asked_anew_behind_a_row_and_under_other_headings(runs: Runs, read_texts: list[str]) -> None:
    runs("\n".join([*log(300), PRICE, *log(300)]))
    assert len(read_texts) > 2 * UNASKED


def test_a_row_that_only_its_identifier_told_from_its_shape_leaves_the_others_silent(
    runs: Runs, read_texts: list[str]
) -> None:
    lines = [f"ref {10**11 + number * 4321} at {number}.5" for number in range(200)]
    found = runs("\n".join([*lines, "ref US0378331005 at 98.5", *lines]))
    assert [draft.line for draft in found.drafts] + [reject.locator for reject in found.rejects]
    assert len(read_texts) <= UNASKED + ENOUGH + 2


def test_few_lines_are_all_read(runs: Runs, read_texts: list[str]) -> None:
    runs("\n".join(log(UNASKED)))
    assert len(read_texts) == UNASKED


def test_figures_of_a_shape_are_alike_and_its_words_are_not() -> None:
    assert shape("task 3.0 of 12 at 4F2A9C07B1") == shape("task 41.5 of 7 at 0011AAFF22")
    assert shape("5y 3.55/3.56") != shape("10m 3.55/3.56")
    assert shape("XYZ 5 98/99") != shape("ABC 5 98/99")


def test_headings_below_the_last_figure_are_heard_only_below_rows(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    under = heeding.under

    def noting(setting: Setting, text: str) -> Setting:
        heard.append(text)
        return under(setting, text)

    monkeypatch.setattr(reader, "under", noting)
    runs("EUR IG run\nat noon on the 5th\nUSD HY run\n")
    assert "EUR IG run" in heard
    assert "USD HY run" not in heard
    runs(f"EUR IG run\n{PRICE}\nUSD HY run\n")
    assert "USD HY run" in heard


def test_rows_without_a_name_do_not_silence_those_under_a_heading_that_names_one(runs: Runs) -> None:
    rows = [f"{3 + at / 20:.2f} {2028 + at % 20} {90 + at / 10:.2f}/{90.5 + at / 10:.2f}" for at in range(80)]
    headed = ["", "General Motors", "5.25 2031 98.50/99.00", "5.50 2032 97.50/98.00", "", "Ford"]
    found = runs("\n".join([*rows, *headed, "6.25 2033 95.50/96.00"]))
    assert [draft.line for draft in found.drafts] == [83, 84, 87]


@pytest.mark.parametrize(
    ("silent", "quoted"),
    [
        ("Ford 6.25 1033 95.50/96.00", "Ford 6.25 2033 95.50/96.00"),
        ("ref 5: ABC TLB 1.25/8.75", "ref 5: ABC TLB 98.25/98.75"),
        ("at 5.3 ABC 4 31/30 T+99/1", "at 5.3 ABC 4 01/30 T+85/80"),
        ("Apple 3.85 3 98.25/98.5", "Apple 3.85 43 98.25/98.5"),
    ],
)
def test_a_market_is_read_though_lines_of_its_shape_said_nothing(runs: Runs, silent: str, quoted: str) -> None:
    assert shape(silent) == shape(quoted)
    lines = [*[silent] * 2 * UNASKED, quoted]
    assert [draft.line for draft in runs("\n".join(lines)).drafts] == [len(lines)]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("98.25/98.75", True),
        ("a 95,50 - 96,00", True),
        ("2033 95.50   96.00", True),
        ("2y 45/48", True),
        ("98-16+/98-17", True),
        ("99 1/4-5/8", True),
        ("11/12 18:00:12 task 3.0 of 12 in 41 ms", False),
        ("2026-11-23 10.1.1.1/24 (3/5) 7-9 18:05/18:06", False),
        ("98.25/12.5 5 6", False),
        ("199 200", False),
        ("task 7 (199/200) [99.5/99.6]", False),
        ("0.0/0.0 98.25/98.25", False),
    ],
)
def test_a_market_is_two_figures_that_are_near_each_other_and_its_shape_has_a_pair(text: str, is_one: bool) -> None:
    assert has_market(text) is is_one
    assert _has_pair(shape(text)) or not is_one
