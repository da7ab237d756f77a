from __future__ import annotations

from parsers.scoring.figures import Figures, f1, score_mail
from parsers.scoring.pairing import Line


def quote(**values: str) -> Line:
    return {"kind": "quote", "quote_type": "price_pct", "description": "ABC 5 30"} | values


def test_a_quote_found_right_counts_in_every_figure() -> None:
    score = score_mail([quote(bid="98", ask="99")], [quote(bid="98.0", ask="99")])
    assert score.figures == Figures(expected=1, predicted=1, paired=1, price_exact=1, exact=1)
    assert score.wrongs == ()


def test_a_wrong_price_is_a_false_one_and_listed() -> None:
    score = score_mail([quote(bid="98")], [quote(bid="89")])
    assert (score.figures.recall, score.figures.price_exact_share, score.figures.false_price_rate) == (1, 0, 1)
    assert [(wrong.kind, wrong.fields) for wrong in score.wrongs] == [("false", ("bid",))]
    assert score.fields["bid"] == {"tp": 0, "fp": 1, "fn": 1}


def test_a_field_beside_the_price_keeps_a_row_from_being_exact() -> None:
    score = score_mail([quote(bid="98", currency="EUR")], [quote(bid="98", currency="USD")])
    assert (score.figures.price_exact, score.figures.exact) == (1, 0)
    assert [(wrong.kind, wrong.fields) for wrong in score.wrongs] == [("wrong", ("currency",))]


def test_a_quote_of_another_instrument_in_its_place_is_a_false_one() -> None:
    truth, found = quote(bid="98", part_path="1", line="3"), quote(bid="98", part_path="1", line="3", description="XYZ")
    (wrong,) = score_mail([truth], [found]).wrongs
    assert (wrong.kind, wrong.fields) == ("false", ("instrument_id", "description"))


def test_as_many_are_false_and_missing_as_the_figures_say() -> None:
    truths = [quote(bid="98"), quote(description="DEF 4 31", bid="97"), quote(description="GHI 3 29", bid="96")]
    founds = [quote(bid="98"), quote(description="DEF 4 31", bid="79"), quote(description="XYZ", bid="7")]
    score = score_mail(truths, founds)
    kinds = [wrong.kind for wrong in score.wrongs]
    assert kinds.count("false") == score.figures.predicted - score.figures.price_exact == 2
    assert kinds.count("missing") == score.figures.expected - score.figures.paired == 1


def test_sides_changed_for_each_other_are_counted() -> None:
    assert score_mail([quote(bid="98", ask="99")], [quote(bid="99", ask="98")]).figures.side_swaps == 1


def test_missing_and_invented_quotes_are_listed() -> None:
    score = score_mail([quote(bid="98")], [quote(description="XYZ", bid="7")])
    assert [(wrong.kind, wrong.instrument) for wrong in score.wrongs] == [("missing", "ABC 5 30"), ("false", "XYZ")]


def test_ratios_of_nothing_are_no_numbers() -> None:
    assert Figures().recall is None
    assert f1({}) is None


def test_the_figures_of_mails_add_up() -> None:
    found, missed = (score_mail([quote(bid="98")], founds) for founds in ([quote(bid="98")], []))
    assert (found.figures + missed.figures).recall == 0.5
    assert f1({"tp": 2, "fp": 1, "fn": 1}) == 2 / 3
