from __future__ import annotations

from parsers.codes import QuoteKind, QuoteType
from parsers.document import Line
from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.runs.cutting.ground import Ground, ground_of, ticks_under
from parsers.quotes.runs.lines.block import block_of
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks
from parsers.values.separators import Locale


def test_prices_alone_are_read_in_32nds() -> None:
    ground = Ground("govt_us", Locale.point, Ticks.cash)
    assert ground.rules(QuoteType.price_pct).thirty_seconds is Ticks.cash
    assert ground.rules(QuoteType.yield_pct).thirty_seconds is Ticks.off


def test_a_level_is_read_by_the_class_and_the_decimal_mark_of_its_line() -> None:
    ground = Ground("corp_hy", Locale.comma)
    assert ground.rules(QuoteType.spread_z_bp) == LevelRules(QuoteType.spread_z_bp, "corp_hy", Locale.comma, Ticks.off)


def test_32nds_are_read_where_the_class_has_them_or_the_tokens_of_an_own_class_end_in_plusses() -> None:
    plain = block_of([Line(1, "XYZ 5 03/34 98.25/98.75", 0)])
    plusses = block_of([Line(at, f"A {at} 5 03/34 99-16+/99-17+", 0) for at in range(1, 5)])
    assert ticks_under("govt_us", Setting(), plain) is Ticks.cash
    assert ticks_under("corp_hy", Setting(), plusses) is Ticks.off
    assert ticks_under("agency_ssa", Setting(said=Surroundings(currency="EUR")), plusses) is Ticks.cash
    assert ticks_under("unknown", Setting(), plusses) is Ticks.unsure


def test_a_wanted_list_gives_no_side_and_an_axe_gives_its_own() -> None:
    block = block_of([Line(1, "XYZ 5 03/34 98.25", 0)])
    listed = Surroundings(kind=QuoteKind.bwic, side="bid")
    assert ground_of("clo", Setting(said=listed), block).side is None
    assert ground_of("corp_hy", Setting(said=Surroundings(axe="ask")), block).side == "ask"


def test_a_header_that_says_32nds_may_print_points_for_dashes_and_a_subject_where_the_class_has_them() -> None:
    block, told = block_of([Line(1, "XYZ 5 03/34 98.16/98.17", 0)]), Surroundings(thirty_seconds=True)
    for name, said, of_subject in (
        ("govt_us", Ticks.dotted, Ticks.dotted),
        ("unknown", Ticks.dotted, Ticks.dotted),
        ("corp_ig", Ticks.dotted, Ticks.cash),
    ):
        assert ticks_under(name, Setting(said=told), block) is said
        assert ticks_under(name, Setting(of_subject=told), block) is of_subject
    assert ticks_under("govt_us", Setting(said=told), block, "TYH7") is Ticks.futures
