"""From drafts to quotes: rounding, judging, defaulting, naming (spec section 2). Nobody else does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from parsers.codes import AssetClass, Code, Flag, QuoteKind, QuoteType, Side
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.confidence import ACCEPTED, REVIEW, confidence
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.identity import Identity, describes, identity
from parsers.quotes.keys import dedupe_key, instrument_key, line_key, record_id
from parsers.quotes.refusal import cell_name, locator, refusal
from parsers.quotes.regions import Place, currency_of, region_of
from parsers.values.markets import SPREADS, YIELDS, LevelRules, market_flags

MAX_RAW = 2000
_PRICE_CEILING = 1000
_SIZE_CEILING = 10**12
_SCALE = 8  # decimals of a stored level
_MARKET = frozenset({Flag.crossed, Flag.locked, Flag.wide})
_SOFT_RANGES = {  # spec 2.8
    QuoteType.price_pct: (Fraction(1, 100), Fraction(250)),
    QuoteType.upfront_pts: (Fraction(-30), Fraction(100)),
    QuoteType.vol_pct: (Fraction(1, 10), Fraction(300)),
    QuoteType.vol_normal_bp: (Fraction(1, 10), Fraction(300)),
    **dict.fromkeys(YIELDS, (Fraction(-2), Fraction(60))),
    **dict.fromkeys(SPREADS, (Fraction(-200), Fraction(5000))),
}


def assemble(draft: Draft, context: PartContext) -> tuple[tuple[Quote, ...], tuple[Reject, ...]]:
    """The quotes of one source line, and what of it was refused."""
    named = identity(draft.instrument)
    if named.instrument_id is None and not describes(draft.instrument):
        code = Code.ROW_BAD_IDENTIFIER if draft.instrument.identifiers else Code.ROW_NO_INSTRUMENT
        return (), (_reject(draft, context, code),)
    if not draft.levels:
        return (), (_reject(draft, context, Code.ROW_NO_PRICE),)
    quotes, rejects = [], []
    for level in draft.levels:
        found = _quote(draft, level, named, context)
        if isinstance(found, Quote):
            quotes.append(found)
        else:
            rejects.append(_reject(draft, context, found, level))
    return tuple(quotes), tuple(rejects)


def _quote(draft: Draft, level: Level, named: Identity, context: PartContext) -> Quote | Code:
    side = _side(level)
    if side is None:
        return Code.ROW_NO_PRICE
    if _absurd(level, draft):
        return Code.ROW_OUT_OF_RANGE
    instrument, mail = draft.instrument, context.mail
    place = Place(
        draft.asset_class,
        named.columns.get("isin"),
        named.columns.get("cusip"),
        instrument.description,
        mail.dealer.region if mail.dealer and mail.dealer.region != "unknown" else None,
        mail.sent_offset.total_seconds() / 3600 if mail.sent_offset is not None else None,
    )
    currency, is_assumed = currency_of(place, instrument.currency)
    flags = _flags(draft, level, named)
    if is_assumed:
        flags.add(Flag.ccy_assumed)
    if mail.from_history:
        flags.add(Flag.from_history)
    trust = confidence(
        flags,
        headed=draft.headed,
        identified=named.instrument_id is not None,
        classed=draft.asset_class != "unknown",
    )
    if trust < REVIEW:
        return Code.ROW_LOW_CONFIDENCE
    columns = named.columns
    quote = Quote(
        isin=columns.get("isin"),
        cusip=columns.get("cusip"),
        sedol=columns.get("sedol"),
        figi=columns.get("figi"),
        lei=columns.get("lei"),
        loanx_id=columns.get("loanx_id"),
        red_code=columns.get("red_code"),
        common_code=columns.get("common_code"),
        wkn=columns.get("wkn"),
        valor=columns.get("valor"),
        local_code=columns.get("local_code"),
        bid=_decimal(level.bid),
        ask=_decimal(level.ask),
        mid=_decimal(level.mid),
        talk_low=_decimal(level.talk_low),
        talk_high=_decimal(level.talk_high),
        instrument_id=named.instrument_id,
        id_type=named.id_type,
        id_derived=named.is_derived,
        description=_folded(instrument.description),
        issuer=instrument.issuer,
        ticker=instrument.ticker.upper() if instrument.ticker else None,
        tranche=instrument.tranche,
        seniority=instrument.seniority,
        rating=instrument.rating,
        coupon=_decimal(instrument.coupon),
        coupon_type=instrument.coupon_type,
        coupon_margin_bp=_decimal(instrument.coupon_margin_bp, 4),
        running_coupon_bp=_decimal(level.running_coupon_bp, 4),
        maturity=instrument.maturity,
        maturity_text=instrument.maturity_text,
        tenor=level.tenor or instrument.tenor,
        currency=currency,
        asset_class=AssetClass(draft.asset_class),
        class_source=draft.class_source,
        factor=_decimal(instrument.factor, 10),
        wal_years=_decimal(instrument.wal_years, 4),
        ce_pct=_decimal(instrument.ce_pct, 4),
        orig_face=_decimal(instrument.orig_face, 2),
        quote_kind=level.quote_kind,
        firmness=draft.firmness,
        side=side,
        is_axe_bid=draft.is_axe_bid,
        is_axe_ask=draft.is_axe_ask,
        is_flat=draft.is_flat,
        quote_type=level.quote_type,
        bid_size=_decimal(draft.sizes.bid, 2),
        ask_size=_decimal(draft.sizes.ask, 2),
        size_unit=draft.sizes.unit,
        size_text=draft.sizes.text,
        price_notation=level.notation,
        unit_par=_decimal(draft.unit_par, 4),
        benchmark=level.benchmark,
        ref_price=_decimal(level.ref_price),
        delta_pct=_decimal(level.delta_pct),
        option_struct=level.option_struct,
        settle_text=draft.settle_text,
        bid_raw=level.bid_raw,
        ask_raw=level.ask_raw,
        mid_raw=level.mid_raw,
        flags=tuple(sorted(flags)),
        status="accepted" if trust >= ACCEPTED else "review",
        confidence=trust,
        quote_ts=mail.sent_at,
        quote_ts_source="header" if mail.sent_at is not None else "received",
        quote_date=_quote_date(mail),
        dealer=mail.dealer.name if mail.dealer else None,
        sender=mail.sender,
        sender_name=mail.sender_name,
        forwarded_by=mail.forwarded_by,
        subject=mail.subject,
        region=region_of(place, currency),
        message_id=mail.message_id,
        message_key=mail.message_key,
        part_path=context.part_path,
        content_type=context.content_type,
        file_name=context.file_name,
        part_sha256=context.part_sha256,
        page=draft.page,
        table_idx=draft.table_idx,
        row=_row(draft, level),
        col=level.column,
        sheet=draft.sheet,
        cell=_cell(draft, level),
        line=draft.line,
        char_start=level.char_start,
        char_end=level.char_end,
        raw_text=draft.raw_text[:MAX_RAW],
        parser=draft.parser,
        parser_version=mail.parser_version,
    )
    key = instrument_key(quote, instrument.strike)
    return replace(
        quote,
        instrument_key=key,
        record_id=record_id(quote),
        line_key=line_key(quote),
        dedupe_key=dedupe_key(quote, key),
    )


def _quote_date(mail: MailContext) -> date | None:
    """The mail's date on the sender's calendar."""
    return (mail.sent_at + (mail.sent_offset or timedelta())).date() if mail.sent_at is not None else None


def _flags(draft: Draft, level: Level, named: Identity) -> set[Flag]:
    """All doubts of the row; whether a market is crossed is judged here alone, on the values that will be stored."""
    flags = set(draft.flags | level.flags | draft.sizes.flags | named.flags) - _MARKET
    if level.bid is not None and level.ask is not None:
        flags |= market_flags(level.bid, level.ask, LevelRules(level.quote_type, draft.asset_class))
    low, high = _SOFT_RANGES.get(level.quote_type, (None, None))
    values = (level.bid, level.ask, level.mid, level.talk_low, level.talk_high)
    if low is not None and high is not None and any(value is not None and not low <= value <= high for value in values):
        flags.add(Flag.out_of_soft_range)
    if any(value is not None and (value * 10**_SCALE).denominator != 1 for value in values):
        flags.add(Flag.rounded)
    return flags


def _side(level: Level) -> Side | None:
    """Which sides the level states; None where it states nothing."""
    if level.quote_kind is QuoteKind.talk and (level.talk_low is not None or level.talk_high is not None):
        return Side.talk
    if level.bid is not None and level.ask is not None:
        return Side.two_way
    if level.bid is not None:
        return Side.bid
    if level.ask is not None:
        return Side.ask
    if level.mid is not None:
        return Side.unknown if Flag.side_assumed in level.flags else Side.mid
    return None


def _absurd(level: Level, draft: Draft) -> bool:
    values = (level.bid, level.ask, level.mid, level.talk_low, level.talk_high)
    is_price = level.quote_type is QuoteType.price_pct
    return (is_price and any(value is not None and value > _PRICE_CEILING for value in values)) or any(
        size is not None and size > _SIZE_CEILING for size in (draft.sizes.bid, draft.sizes.ask)
    )


def _decimal(value: Fraction | None, scale: int = _SCALE) -> Decimal | None:
    """Half-even at this many decimals, without trailing zeros."""
    if value is None:
        return None
    if value.denominator == 1:
        return Decimal(value.numerator)
    digits = round(value * 10**scale)
    while scale and digits % 10 == 0:
        digits, scale = digits // 10, scale - 1
    return Decimal(digits).scaleb(-scale)


def _folded(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _cell(draft: Draft, level: Level) -> str | None:
    """`D17` of a workbook's sheet."""
    row = _row(draft, level)
    return cell_name(level.column, row) if draft.sheet is not None and level.column and row is not None else None


def _row(draft: Draft, level: Level) -> int | None:
    return level.row if level.row is not None else draft.row


def _reject(draft: Draft, context: PartContext, code: Code, level: Level | None = None) -> Reject:
    """Refused as a whole, or for one of its levels."""
    level = level or next(iter(draft.levels), None)
    where = locator(
        sheet=draft.sheet,
        page=draft.page,
        table_idx=draft.table_idx,
        row=_row(draft, level) if level is not None else draft.row,
        column=level.column if level is not None else None,
        line=draft.line,
    )
    return refusal(context, code, where=where, text=draft.raw_text, parser=draft.parser)
