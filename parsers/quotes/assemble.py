"""From drafts to quotes: rounding, judging, defaulting, naming (spec section 2). Nobody else does."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import AssetClass, Code, Flag
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.agreeing import disagreeing
from parsers.quotes.answers.knowing import known_of
from parsers.quotes.common import common_of
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.identity import Identity, describes, identity
from parsers.quotes.judging import by_piece, flags_of, is_absurd, side_of
from parsers.quotes.keys import dedupe_key, instrument_key, place_keys
from parsers.quotes.refusal import cell_name, locator, refusal
from parsers.quotes.regions import Place, placed
from parsers.quotes.trust.factors import factors
from parsers.quotes.trust.trust import trust_of
from parsers.quotes.trust.weights import weights
from parsers.values.decimals import rounded
from parsers.values.markets import quoted_in

MAX_RAW = 2000
_CLASSES = {str(name): name for name in AssetClass}


class Assembled(Struct, frozen=True, gc=False):
    """A level of a source line, before anybody asks how far it is trusted."""

    quote: Quote
    level: Level
    factors: tuple[str, ...]


def assemble(draft: Draft, context: PartContext) -> tuple[tuple[Quote, ...], tuple[Reject, ...]]:
    """The quotes of one source line, and what of it was refused."""
    quotes, rejects, by = [], [], weights()
    for row in assembled(draft, context):
        if isinstance(row, Reject):
            rejects.append(row)
            continue
        trust = trust_of(row.factors, by)
        if trust.status is None:
            rejects.append(_reject(draft, context, Code.ROW_LOW_CONFIDENCE, row.level))
        else:
            quotes.append(replace(row.quote, status=trust.status, confidence=trust.confidence))
    return tuple(quotes), tuple(rejects)


def assembled(draft: Draft, context: PartContext) -> Iterator[Assembled | Reject]:
    """The rows of one source line, however little they are trusted, and what of it is refused for other reasons."""
    named = identity(draft.instrument)
    if named.instrument_id is None and not describes(draft.instrument):
        code = Code.ROW_BAD_IDENTIFIER if draft.instrument.identifiers else Code.ROW_NO_INSTRUMENT
        yield _reject(draft, context, code)
        return
    if not draft.levels:
        yield _reject(draft, context, Code.ROW_NO_PRICE)
        return
    line = _line(draft, named, context)
    doubtful = disagreeing(draft, line.quote.quote_date) if len(draft.levels) > 1 else frozenset()
    for level in draft.levels:
        if level.quote_type in doubtful:
            level = replace(level, flags=level.flags | {Flag.out_of_soft_range})  # noqa: PLW2901 -- the same, doubted
        found = _quote(draft, level, named, line)
        if isinstance(found, Quote):
            yield Assembled(found, level, factors(draft, level, found))
        else:
            yield _reject(draft, context, found, level)


class _Line(Struct, frozen=True, gc=False):
    """What the records of a line share."""

    quote: Quote  # without what the levels say
    flags: frozenset[Flag]
    strike: str | None


def _quote(draft: Draft, level: Level, named: Identity, line: _Line) -> Quote | Code:
    level = by_piece(level, draft.asset_class)
    side = side_of(level)
    if side is None:
        return Code.ROW_NO_PRICE
    if is_absurd(level, draft):
        return Code.ROW_OUT_OF_RANGE
    flags = flags_of(draft, level, named) | line.flags
    row = level.row if level.row is not None else draft.row
    has_cells = draft.sheet is not None
    quote = replace(
        line.quote,
        bid=rounded(level.bid),
        ask=rounded(level.ask),
        mid=rounded(level.mid),
        talk_low=rounded(level.talk_low),
        talk_high=rounded(level.talk_high),
        running_coupon_bp=rounded(level.running_coupon_bp, 4),
        tenor=level.tenor or draft.instrument.tenor,
        quote_kind=level.quote_kind,
        side=side,
        quote_type=quoted_in(level.quote_type, draft.asset_class, line.quote.currency),
        price_notation=level.notation,
        benchmark=level.benchmark,
        ref_price=rounded(level.ref_price),
        delta_pct=rounded(level.delta_pct),
        option_struct=level.option_struct,
        bid_raw=level.bid_raw,
        ask_raw=level.ask_raw,
        mid_raw=level.mid_raw,
        flags=tuple(sorted(flags)) if flags else (),
        row=row,
        col=level.column,
        cell=cell_name(level.column, row) if has_cells and level.column and row is not None else None,
        char_start=level.char_start,
        char_end=level.char_end,
    )
    key = instrument_key(quote, line.strike)
    of_line, of_record = place_keys(quote)
    return replace(quote, instrument_key=key, record_id=of_record, line_key=of_line, dedupe_key=dedupe_key(quote, key))


def _line(draft: Draft, named: Identity, context: PartContext) -> _Line:
    """Instrument, sizes, party and place: all but what the levels say."""
    instrument, sizes, part = draft.instrument, draft.sizes, common_of(context, draft.printed, draft.said_at)
    place = Place(
        draft.asset_class,
        named.columns.get("isin"),
        named.columns.get("cusip"),
        instrument.description,
        part.desk,
        part.offset_hours,
        draft.language,
        next((level.benchmark for level in draft.levels if level.benchmark), None),
        part.usual,
    )
    currency, is_assumed, region = placed(place, instrument.currency)
    flags = part.flags
    if is_assumed:
        flags |= {Flag.ccy_assumed}
    if instrument.is_due_unsure:
        flags |= {Flag.ambiguous_date}
    securities = context.mail.securities
    of_instrument = _of_instrument(part.quote, instrument, named)
    known = known_of(securities, of_instrument, instrument.currency) if securities is not None else None
    quote = replace(
        of_instrument,
        security_id=known.security_id if known is not None else None,
        currency=currency,
        asset_class=_CLASSES[draft.asset_class],
        class_source=draft.class_source,
        firmness=draft.firmness,
        is_axe_bid=draft.is_axe_bid,
        is_axe_ask=draft.is_axe_ask,
        is_flat=draft.is_flat,
        bid_size=rounded(sizes.bid, 2),
        ask_size=rounded(sizes.ask, 2),
        size_unit=sizes.unit,
        size_text=sizes.text,
        unit_par=rounded(draft.unit_par, 4),
        settle_text=draft.settle_text,
        region=region,
        page=draft.page,
        table_idx=draft.table_idx,
        sheet=draft.sheet,
        line=draft.line,
        raw_text=draft.raw_text[:MAX_RAW],
        parser=draft.parser,
    )
    return _Line(quote, flags, instrument.strike)


def _of_instrument(quote: Quote, instrument: Instrument, named: Identity) -> Quote:
    """What the line says of its instrument alone."""
    return replace(
        quote,
        **named.columns,
        instrument_id=named.instrument_id,
        id_type=named.id_type,
        id_derived=named.is_derived,
        description=_folded(instrument.description),
        issuer=instrument.issuer,
        ticker=instrument.ticker.upper() if instrument.ticker else None,
        tranche=instrument.tranche,
        seniority=instrument.seniority,
        rating=instrument.rating,
        coupon=rounded(instrument.coupon),
        coupon_type=instrument.coupon_type,
        coupon_margin_bp=rounded(instrument.coupon_margin_bp, 4),
        maturity=instrument.maturity,
        maturity_text=instrument.maturity_text,
        factor=rounded(instrument.factor, 10),
        wal_years=rounded(instrument.wal_years, 4),
        ce_pct=rounded(instrument.ce_pct, 4),
        orig_face=rounded(instrument.orig_face, 2),
    )


def _folded(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _reject(draft: Draft, context: PartContext, code: Code, level: Level | None = None) -> Reject:
    """Refused as a whole, or for one of its levels."""
    level = level or next(iter(draft.levels), None)
    where = locator(
        sheet=draft.sheet,
        page=draft.page,
        table_idx=draft.table_idx,
        row=level.row if level is not None and level.row is not None else draft.row,
        column=level.column if level is not None else None,
        line=draft.line,
    )
    return refusal(context, code, where=where, text=draft.raw_text, parser=draft.parser)
