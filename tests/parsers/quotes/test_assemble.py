from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from msgspec.structs import replace

from parsers.codes import Code, Flag, QuoteKind, QuoteType, Side
from parsers.quote import Quote
from parsers.quotes.assemble import assemble
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Instrument, Level, Sizes
from parsers.quotes.trust.weights import weights
from parsers.values.times.moments import printed

Part = Callable[..., PartContext]
BOND = Instrument(
    identifiers=(("isin", "XS2641318121"),), description="XYZ 5 03/34", coupon=Fraction(5), currency="EUR"
)
LEVEL = Level(quote_type=QuoteType.price_pct, bid=Fraction("98.25"), ask=Fraction("98.75"), char_start=12, char_end=23)
DRAFT = Draft(
    instrument=BOND, levels=(LEVEL,), asset_class="corp_hy", class_source="heading", headed=True, line=3, raw_text="x"
)


def one(draft: Draft, context: PartContext) -> Quote:
    quotes, rejects = assemble(draft, context)
    assert rejects == ()
    (quote,) = quotes
    return quote


def test_a_draft_becomes_a_row_with_values_place_and_party(part: Part) -> None:
    quote = one(DRAFT, part("HY run"))
    assert (quote.bid, quote.ask, quote.side) == (Decimal("98.25"), Decimal("98.75"), Side.two_way)
    assert (quote.instrument_id, quote.id_type, quote.instrument_key) == ("XS2641318121", "isin", "isin:XS2641318121")
    assert (quote.line, quote.char_start, quote.char_end, quote.part_path) == (3, 12, 23, "1")
    assert (quote.sender, quote.subject, quote.message_id) == ("desk@example.com", "HY run", "run@example")
    assert (quote.quote_ts, quote.quote_ts_source) == (datetime(2026, 11, 18, 14, 0, tzinfo=UTC), "header")
    assert (quote.confidence > Decimal("0.8"), quote.status) == (True, "accepted")


def test_the_quote_date_is_the_senders_calendar_day(part: Part) -> None:
    assert one(DRAFT, part(hours=12)).quote_date == date(2026, 11, 19)
    assert one(DRAFT, part(hours=-5)).quote_date == date(2026, 11, 18)


def test_eighths_of_a_32nd_fit_and_a_third_is_rounded_half_even_and_flagged(part: Part) -> None:
    fits = one(replace(DRAFT, levels=(replace(LEVEL, bid=Fraction(99) + Fraction(1, 256)),)), part())
    assert (fits.bid, Flag.rounded in fits.flags) == (Decimal("99.00390625"), False)
    third = one(replace(DRAFT, levels=(replace(LEVEL, bid=Fraction(295, 3)),)), part())
    assert (third.bid, Flag.rounded in third.flags) == (Decimal("98.33333333"), True)


@pytest.mark.parametrize(
    ("changes", "side"),
    [
        ({"ask": None}, Side.bid),
        ({"bid": None}, Side.ask),
        ({"bid": None, "ask": None, "mid": Fraction(98)}, Side.mid),
        ({"bid": None, "ask": None, "mid": Fraction(98), "flags": frozenset({Flag.side_assumed})}, Side.unknown),
        ({"bid": None, "ask": None, "talk_low": Fraction(98), "quote_kind": QuoteKind.talk}, Side.talk),
    ],
)
def test_the_side_is_what_the_values_state(part: Part, changes: dict[str, object], side: Side) -> None:
    assert one(replace(DRAFT, levels=(replace(LEVEL, **changes),)), part()).side is side


def test_a_market_is_judged_on_the_values_that_are_stored(part: Part) -> None:
    crossed = replace(LEVEL, bid=Fraction(99), ask=Fraction(98))
    assert Flag.crossed in one(replace(DRAFT, levels=(crossed,)), part()).flags
    forgiven = replace(LEVEL, flags=frozenset({Flag.crossed}))
    assert Flag.crossed not in one(replace(DRAFT, levels=(forgiven,)), part()).flags


@pytest.mark.parametrize(
    ("draft", "code"),
    [
        (replace(DRAFT, levels=(replace(LEVEL, bid=Fraction(1001)),)), Code.ROW_OUT_OF_RANGE),
        (replace(DRAFT, sizes=Sizes(bid=Fraction(10**13))), Code.ROW_OUT_OF_RANGE),
        (replace(DRAFT, levels=()), Code.ROW_NO_PRICE),
        (replace(DRAFT, levels=(replace(LEVEL, bid=None, ask=None),)), Code.ROW_NO_PRICE),
        (replace(DRAFT, instrument=Instrument()), Code.ROW_NO_INSTRUMENT),
        (replace(DRAFT, instrument=Instrument(identifiers=(("isin", "XS2641318122"),))), Code.ROW_BAD_IDENTIFIER),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_code_and_place(part: Part, draft: Draft, code: Code) -> None:
    quotes, rejects = assemble(draft, part())
    assert quotes == ()
    assert [(reject.code, reject.locator, reject.level) for reject in rejects] == [(code, "line 3", "row")]


def test_a_workbooks_level_has_its_cell(part: Part) -> None:
    draft = replace(DRAFT, sheet="EUR IG", row=17, line=None, levels=(replace(LEVEL, column=28),))
    quote = one(draft, part())
    assert (quote.cell, quote.row, quote.col, quote.sheet) == ("AB17", 17, 28, "EUR IG")


def test_a_line_of_two_measures_shares_its_line_key_and_not_its_record_ids(part: Part) -> None:
    spread = replace(LEVEL, quote_type=QuoteType.spread_z_bp, bid=Fraction(120), ask=Fraction(115), char_start=30)
    quotes, _ = assemble(replace(DRAFT, levels=(LEVEL, spread)), part())
    assert len({quote.line_key for quote in quotes}) == 1
    assert len({quote.record_id for quote in quotes}) == 2


def test_the_same_draft_gives_the_same_row(part: Part) -> None:
    assert assemble(DRAFT, part()) == assemble(DRAFT, part())


def test_values_outside_the_soft_range_are_flagged_and_trusted_no_more(part: Part) -> None:
    quote = one(replace(DRAFT, levels=(replace(LEVEL, bid=Fraction(260), ask=Fraction(261)),)), part())
    assert Flag.out_of_soft_range in quote.flags
    assert quote.confidence <= one(DRAFT, part()).confidence  # it is one of a few steps
    assert weights().factors.get(f"flag.{Flag.out_of_soft_range}", 0) <= 0


def test_a_printed_time_goes_before_the_mails(part: Part) -> None:
    quote = one(replace(DRAFT, said_at=printed("as of 17-Nov-2026 09:00")), part())
    assert (quote.quote_ts, quote.quote_ts_source) == (datetime(2026, 11, 17, 14, 0, tzinfo=UTC), "text")
    assert (quote.quote_date, quote.as_of_ts) == (date(2026, 11, 17), quote.quote_ts)
    assert Flag.stale in quote.flags


def test_a_price_that_is_not_of_its_yield_is_flagged_and_kept(part: Part) -> None:
    bond = replace(BOND, coupon_type="fixed", maturity=date(2034, 3, 15))
    rate = replace(LEVEL, quote_type=QuoteType.yield_pct, bid=Fraction("9.4"), ask=Fraction("9.3"))
    quotes, _ = assemble(replace(DRAFT, instrument=bond, levels=(LEVEL, rate)), part())
    assert [Flag.out_of_soft_range in quote.flags for quote in quotes] == [True, True]
