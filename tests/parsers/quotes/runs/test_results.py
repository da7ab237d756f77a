from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import Code, QuoteKind, QuoteType
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.lines.results import result_of, without_result

Runs = Callable[..., RunResult]
COVER, TRADE = QuoteKind.cover, QuoteKind.trade


@pytest.mark.parametrize(
    ("line", "name", "expected"),
    [
        ("CVR  XYCLO 2021-2A B  99.41", "XYCLO 2021-2A B", [(COVER, "99.41", None)]),
        (
            "TRADED HICLO 2020-3A C 98.75 (cover 98.5)",
            "HICLO 2020-3A C",
            [(TRADE, None, "98.75"), (COVER, "98.5", None)],
        ),
        ("cvr: OCP 2016-11X CR  100.02 / 136dm", "OCP 2016-11X CR", [(COVER, "100.02", None), (COVER, "136", None)]),
        ("Traded XYZ 5 03/34 at 98.5", "XYZ 5 03/34", [(TRADE, None, "98.5")]),
        ("Traded 5 million of XYZ 5 03/34 at 98.5", "XYZ 5 03/34", [(TRADE, None, "98.5")]),
    ],
)
def test_a_result_in_front_of_its_bond_belongs_to_the_value_behind_it(
    runs: Runs, line: str, name: str, expected: list[tuple[QuoteKind, str | None, str | None]]
) -> None:
    (draft,) = runs(f"{line}\n", "FW: BWIC covers").drafts
    found = [(level.quote_kind, level.bid, level.mid) for level in draft.levels]
    assert draft.instrument.description == name
    assert found == [(kind, bid and Fraction(bid), mid and Fraction(mid)) for kind, bid, mid in expected]
    assert draft.levels[0].quote_type is QuoteType.price_pct


@pytest.mark.parametrize(
    "line", ["DNT  ABCLO 2019-1A A  100.02", "DNT ABCLO 2019-1A A", "ABCLO 2019-1A B DNT", "DNT XYZ 5 03/34 98.5"]
)
def test_what_did_not_trade_has_no_price(runs: Runs, line: str) -> None:
    found = runs(f"{line}\n", "FW: BWIC covers")
    assert (found.drafts, [reject.code for reject in found.rejects]) == ((), [Code.ROW_NO_PRICE])


def test_a_trade_or_a_cover_in_front_of_two_sides_is_no_market(runs: Runs) -> None:
    assert runs("Traded XYZ 5 03/34 98/99\n", "HY run").drafts == ()


def test_a_result_stands_in_front_of_a_name() -> None:
    assert [
        result_of(text) for text in ("CVR ABC", "Traded: ABC", "DNT ABC", "Traded heavy today", "Covering ABC")
    ] == [
        "cover",
        "trade",
        "not_traded",
        None,
        None,
    ]
    assert without_result("CVR  ABC 99") == "     ABC 99"
