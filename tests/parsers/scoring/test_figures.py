from __future__ import annotations

from parsers.scoring.figures import Figures, f1, score_mail
from parsers.scoring.pairing import Line


def quote(**values: str) -> Line:
    return {"kind": "quote", "quote_type": "price_pct", "description": "ABC 5 30"} | values


def test_a_quote_found_right_counts_in_every_figure() -> None:
    score = score_mail([quote(bid="98", ask="99")], [quote(bid="98.0", ask="99")])
    assert score.figures == Figures(expected=1, predicted=1, paired=1, price_exact=1, exact=1)
    assert score.wrongs == ()


def test_a_wrong_price_is_a_false_one_and_told() -> None:
    score = score_mail([quote(bid="98")], [quote(bid="89")])
    assert (score.figures.recall, score.figures.price_exact_share, score.figures.false_price_rate) == (1, 0, 1)
    assert score.wrongs == ("ABC 5 30 price_pct 98//: bid 89",)
    assert score.fields["bid"] == {"tp": 0, "fp": 1, "fn": 1}


def test_a_field_beside_the_price_keeps_a_row_from_being_exact() -> None:
    score = score_mail([quote(bid="98", currency="EUR")], [quote(bid="98", currency="USD")])
    assert (score.figures.price_exact, score.figures.exact) == (1, 0)


def test_sides_changed_for_each_other_are_counted() -> None:
    assert score_mail([quote(bid="98", ask="99")], [quote(bid="99", ask="98")]).figures.side_swaps == 1


def test_missed_and_invented_quotes_are_told() -> None:
    score = score_mail([quote(bid="98")], [quote(description="XYZ", bid="7")])
    assert score.wrongs == ("missed ABC 5 30 price_pct 98//", "invented XYZ price_pct 7//")


def test_ratios_of_nothing_are_no_numbers() -> None:
    assert Figures().recall is None
    assert f1({}) is None


def test_the_figures_of_mails_add_up() -> None:
    found, missed = (score_mail([quote(bid="98")], founds) for founds in ([quote(bid="98")], []))
    assert (found.figures + missed.figures).recall == 0.5
    assert f1({"tp": 2, "fp": 1, "fn": 1}) == 2 / 3
