from __future__ import annotations

from decimal import Decimal
from random import Random

import pytest

from ingest.generate.kinds import GERMAN, KINDS, Kind
from ingest.generate.market import instruments
from ingest.generate.quotes import draw, truth

ALL = [*KINDS.values(), *GERMAN.values()]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: f"{kind.code} {kind.currency} {kind.language}")
@pytest.mark.parametrize("in_table", [False, True])
def test_levels_lie_in_their_range_on_their_ticks_and_are_never_crossed(kind: Kind, in_table: bool) -> None:
    random = Random(1)
    for instrument in instruments(5, kind.code, kind.currency):
        for level in draw(random, kind, instrument, in_table=in_table).levels:
            assert level.kind.low <= level.bid <= level.kind.high
            assert (level.bid - level.kind.low) % level.kind.tick == 0
            assert level.ask is None or (level.bid > level.ask) == level.kind.bid_is_higher


def test_the_truth_tells_only_what_is_printed() -> None:
    kind = KINDS["corp_ig", "USD"]
    quoted = draw(Random(1), kind, instruments(5, "corp_ig", "USD")[0], in_table=False)
    line = truth(kind, quoted, quoted.levels[0], {"part_path": "1", "line": 3}, in_table=False)
    assert "instrument_id" not in line, "runs of this class name bonds by text"
    assert "maturity" not in line, "a month is no day"
    assert (line["quote_type"], line["benchmark"], line["line"]) == ("spread_bench_bp", "UST", 3)
    assert Decimal(line["bid"]) > Decimal(line["ask"])


def test_a_curve_in_a_table_has_a_quote_a_tenor_and_no_sizes() -> None:
    kind = KINDS["cds_single", "EUR"]
    quoted = draw(Random(1), kind, instruments(5, "cds_single", "EUR")[0], in_table=True)
    lines = [truth(kind, quoted, level, {"part_path": "2"}, in_table=True) for level in quoted.levels]
    assert [line["tenor"] for line in lines] == ["1Y", "3Y", "5Y", "7Y", "10Y"]
    assert not any("bid_size" in line or "maturity" in line for line in lines)


def test_a_quantity_in_front_of_a_muni_counts_for_both_sides_in_thousands() -> None:
    kind = KINDS["us_muni", "USD"]
    quoted = draw(Random(1), kind, instruments(5, "us_muni", "USD")[0], in_table=False)
    line = truth(kind, quoted, quoted.levels[0], {"part_path": "1"}, in_table=False)
    assert line["bid_size"] == line["ask_size"] == str(1000 * quoted.bid_size)
