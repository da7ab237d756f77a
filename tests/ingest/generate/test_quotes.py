from __future__ import annotations

from decimal import Decimal
from random import Random

import pytest

from ingest.generate.books import Book, books
from ingest.generate.instruments import instrument
from ingest.generate.quotes import Shown, draw, told, truth


@pytest.mark.parametrize("book", books().values(), ids=lambda book: book.key)
def test_levels_lie_in_their_range_on_their_ticks_and_are_never_crossed(book: Book) -> None:
    random = Random(1)
    for number in range(min(150, book.instruments)):
        for level in draw(random, instrument(5, book.key, number), (*book.runs, *book.tables)).levels:
            made = [side for side in (level.bid, level.ask) if side is not None]
            assert made
            assert all(
                level.measure.low <= side <= level.measure.high and side % level.measure.tick == 0 for side in made
            )
            if level.bid is not None and level.ask is not None:
                assert (level.bid > level.ask) == level.measure.down
                assert not level.measure.signed or level.bid * level.ask > 0


def test_the_truth_tells_only_what_is_shown() -> None:
    one = instrument(5, "ig_usd", 3)
    quoted = draw(Random(1), one, one.book.runs, full=True)
    line = truth(quoted, quoted.levels[0], Shown("X 5 05/30", sizes=False, coupon=True), {"part_path": "1", "line": 3})
    assert {"instrument_id", "isin", "maturity", "bid_size", "ask_size", "tenor"}.isdisjoint(line)
    assert (line["quote_type"], line["benchmark"], line["line"]) == ("spread_bench_bp", "UST", 3)
    assert Decimal(line["bid"]) > Decimal(line["ask"])


def test_the_best_identifier_of_those_shown_names_the_instrument() -> None:
    one = instrument(5, "loans", 3)
    quoted = draw(Random(1), one, one.book.runs, full=True)
    line = truth(quoted, quoted.levels[0], Shown(None, one.ids), {"part_path": "1"})
    assert (line["id_type"], line["instrument_id"]) == ("figi", line["figi"])
    assert line["loanx_id"].startswith("LX")


def test_a_quantity_counts_for_both_sides_in_thousands_and_on_one_side_for_that() -> None:
    one = instrument(5, "munis", 3)
    seen = set()
    for number in range(300):
        quoted = draw(Random(number), one, one.book.runs)
        line = truth(quoted, quoted.levels[0], Shown(None), {"part_path": "1"})
        seen.add(line["side"])
        sizes = {side for side in ("bid", "ask") if f"{side}_size" in line}
        assert sizes == {side for side in ("bid", "ask") if side in line}
        assert {line[f"{side}_size"] for side in sizes} == {str(1000 * quoted.bid_size)}
    assert seen == {"bid", "ask", "two_way"}


def test_a_benchmark_bond_is_told_in_its_normal_form() -> None:
    one = instrument(5, "provincials", 3)
    for number in range(30):
        quoted = draw(Random(number), one, one.book.runs)
        assert quoted.benchmark is not None
        _, *coupon, month = quoted.benchmark.split()
        told_as = truth(quoted, quoted.levels[0], Shown(None), {"part_path": "1"})["benchmark"].split()
        whole, fraction = Decimal(coupon[0]), coupon[1].split("/") if len(coupon) > 1 else ("0", "1")
        assert told_as == ["CAN", f"{(whole + Decimal(fraction[0]) / Decimal(fraction[1])).normalize():f}", month]


def test_a_name_tells_its_coupon_and_its_day_or_not() -> None:
    assert told(books()["govt_us"]) == (True, True)
    assert told(books()["ig_usd"]) == (True, False)
    assert told(books()["clo_usd"]) == (False, False)
