from __future__ import annotations

import time
from decimal import Decimal

from parsers.scoring.pairing import Line, are_equal, instrument, is_same_instrument, pairs, value


def line(**values: str) -> Line:
    return {"kind": "quote", "quote_type": "price_pct", "part_path": "1"} | values


def test_decimals_are_equal_by_value_and_texts_after_folding() -> None:
    assert value({"bid": "98.250"}, "bid") == Decimal("98.25")
    assert value({"tenor": " 5Y "}, "tenor") == "5y"
    assert value({"ask": ""}, "ask") is None
    assert are_equal({"bid": "98.250"}, {"bid": "98.25"}, ("bid", "ask"))


def test_what_is_no_number_is_equal_to_none() -> None:
    assert value({"bid": "x"}, "bid") != value({"bid": "1"}, "bid")


def test_an_instrument_is_its_identifier_else_its_letters_and_digits() -> None:
    assert instrument(line(instrument_id="xs1", description="ABC 5 30")) == "XS1"
    assert instrument(line(description="ABC 5 1/4 30")) == "abc51430"
    assert instrument(line()) is None


def test_one_description_may_hold_the_other_but_an_identifier_must_be_the_same() -> None:
    assert is_same_instrument(line(description="F 5y"), line(description="F 5y CDS"))
    assert not is_same_instrument(line(instrument_id="XS1"), line(description="XS1 5 30"))


def test_the_best_fit_pairs_first_and_the_rest_is_missed_or_invented() -> None:
    truths = [line(description="ABC 5 30", bid="98"), line(description="DEF 4 31", bid="97")]
    founds = [line(description="DEF 4 31", bid="96"), line(description="GHI 3 29", bid="95")]
    made = pairs(truths, founds)
    assert (truths[1], founds[0]) in made
    assert (truths[0], None) in made
    assert (None, founds[1]) in made


def test_another_instrument_in_the_same_place_is_the_same_quote_misread() -> None:
    truth, found = line(description="ABC 5 30", line="3"), line(description="XYZ", line="3")
    assert pairs([truth], [found]) == [(truth, found)]


def test_lines_that_are_alike_pair_in_reading_order_whatever_stands_between() -> None:
    twin, other = line(description="ABC 5 30", bid="98", row="4"), line(description="DEF 4 31", bid="97", row="5")
    made = pairs([twin, other, dict(twin)], [other, twin, {**twin, "bid": "99"}])
    assert made[0] == (other, other)
    assert [pair for pair in made if None in pair] == []


def test_thousands_of_lines_pair_in_time_linear_in_them() -> None:
    def seconds(count: int) -> float:
        lines = [line(description=f"ABC {at} 30", sheet="EUR", row=str(at), bid="98") for at in range(count)]
        started = time.process_time()
        assert len(pairs(lines, [dict(one) for one in lines])) == count
        return time.process_time() - started

    few = min(seconds(100) for _ in range(3))
    assert min(seconds(800) for _ in range(2)) < 24 * few
