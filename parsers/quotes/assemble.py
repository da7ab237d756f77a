"""From drafts to quotes: rounding, judging, defaulting, naming (spec section 2). Nobody else does."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import AssetClass, Code, Flag
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.confidence import ACCEPTED, REVIEW, confidence
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.identity import Identity, describes, identity
from parsers.quotes.judging import flags_of, is_absurd, side_of
from parsers.quotes.keys import dedupe_key, instrument_key, line_key, record_id
from parsers.quotes.refusal import cell_name, locator, refusal
from parsers.quotes.regions import Place, currency_of, region_of
from parsers.values.decimals import SCALE, rounded

MAX_RAW = 2000
_CLASSES = {str(name): name for name in AssetClass}


def assemble(draft: Draft, context: PartContext) -> tuple[tuple[Quote, ...], tuple[Reject, ...]]:
    """The quotes of one source line, and what of it was refused."""
    named = identity(draft.instrument)
    if named.instrument_id is None and not describes(draft.instrument):
        code = Code.ROW_BAD_IDENTIFIER if draft.instrument.identifiers else Code.ROW_NO_INSTRUMENT
        return (), (_reject(draft, context, code),)
    if not draft.levels:
        return (), (_reject(draft, context, Code.ROW_NO_PRICE),)
    quotes, rejects = [], []
    line = _line(draft, named, context)
    for level in draft.levels:
        found = _quote(draft, level, named, line)
        if isinstance(found, Quote):
            quotes.append(found)
        else:
            rejects.append(_reject(draft, context, found, level))
    return tuple(quotes), tuple(rejects)


class _Line(Struct, frozen=True):
    """What the records of a line share."""

    columns: dict[str, Any]
    flags: frozenset[Flag]
    strike: str | None


def _quote(draft: Draft, level: Level, named: Identity, line: _Line) -> Quote | Code:
    side = side_of(level)
    if side is None:
        return Code.ROW_NO_PRICE
    if is_absurd(level, draft):
        return Code.ROW_OUT_OF_RANGE
    flags = flags_of(draft, level, named) | line.flags
    trust = confidence(
        flags,
        headed=draft.headed,
        identified=named.instrument_id is not None,
        classed=draft.asset_class != "unknown",
    )
    if trust < REVIEW:
        return Code.ROW_LOW_CONFIDENCE
    quote = Quote(
        **line.columns,
        bid=rounded(level.bid) if level.bid is not None else None,
        ask=rounded(level.ask) if level.ask is not None else None,
        mid=rounded(level.mid) if level.mid is not None else None,
        talk_low=rounded(level.talk_low) if level.talk_low is not None else None,
        talk_high=rounded(level.talk_high) if level.talk_high is not None else None,
        running_coupon_bp=rounded(level.running_coupon_bp, 4) if level.running_coupon_bp is not None else None,
        tenor=level.tenor or draft.instrument.tenor,
        quote_kind=level.quote_kind,
        side=side,
        quote_type=level.quote_type,
        price_notation=level.notation,
        benchmark=level.benchmark,
        ref_price=rounded(level.ref_price) if level.ref_price is not None else None,
        delta_pct=rounded(level.delta_pct) if level.delta_pct is not None else None,
        option_struct=level.option_struct,
        bid_raw=level.bid_raw,
        ask_raw=level.ask_raw,
        mid_raw=level.mid_raw,
        flags=tuple(sorted(flags)),
        status="accepted" if trust >= ACCEPTED else "review",
        confidence=trust,
        row=_row(draft, level),
        col=level.column,
        cell=_cell(draft, level),
        char_start=level.char_start,
        char_end=level.char_end,
    )
    key = instrument_key(quote, line.strike)
    return replace(
        quote,
        instrument_key=key,
        record_id=record_id(quote),
        line_key=line_key(quote),
        dedupe_key=dedupe_key(quote, key),
    )


def _line(draft: Draft, named: Identity, context: PartContext) -> _Line:
    """Instrument, sizes, party and place: all but what the levels say."""
    instrument, mail, sizes = draft.instrument, context.mail, draft.sizes
    place = Place(
        draft.asset_class,
        named.columns.get("isin"),
        named.columns.get("cusip"),
        instrument.description,
        mail.dealer.region if mail.dealer and mail.dealer.region != "unknown" else None,
        mail.sent_offset.total_seconds() / 3600 if mail.sent_offset is not None else None,
    )
    currency, is_assumed = currency_of(place, instrument.currency)
    flags = {Flag.ccy_assumed} if is_assumed else set()
    if mail.from_history:
        flags.add(Flag.from_history)
    shared = {
        "instrument_id": named.instrument_id,
        "id_type": named.id_type,
        "id_derived": named.is_derived,
        "description": _folded(instrument.description),
        "issuer": instrument.issuer,
        "ticker": instrument.ticker.upper() if instrument.ticker else None,
        "tranche": instrument.tranche,
        "seniority": instrument.seniority,
        "rating": instrument.rating,
        "coupon_type": instrument.coupon_type,
        "maturity": instrument.maturity,
        "maturity_text": instrument.maturity_text,
        "currency": currency,
        "asset_class": _CLASSES[draft.asset_class],
        "class_source": draft.class_source,
        "firmness": draft.firmness,
        "is_axe_bid": draft.is_axe_bid,
        "is_axe_ask": draft.is_axe_ask,
        "is_flat": draft.is_flat,
        "size_unit": sizes.unit,
        "size_text": sizes.text,
        "settle_text": draft.settle_text,
        "quote_ts": mail.sent_at,
        "quote_ts_source": "header" if mail.sent_at is not None else "received",
        "quote_date": _quote_date(mail),
        "dealer": mail.dealer.name if mail.dealer else None,
        "sender": mail.sender,
        "sender_name": mail.sender_name,
        "forwarded_by": mail.forwarded_by,
        "subject": mail.subject,
        "region": region_of(place, currency),
        "message_id": mail.message_id,
        "message_key": mail.message_key,
        "part_path": context.part_path,
        "content_type": context.content_type,
        "file_name": context.file_name,
        "part_sha256": context.part_sha256,
        "page": draft.page,
        "table_idx": draft.table_idx,
        "sheet": draft.sheet,
        "line": draft.line,
        "raw_text": draft.raw_text[:MAX_RAW],
        "parser": draft.parser,
        "parser_version": mail.parser_version,
    }
    values = (
        ("coupon", instrument.coupon, SCALE),
        ("coupon_margin_bp", instrument.coupon_margin_bp, 4),
        ("factor", instrument.factor, 10),
        ("wal_years", instrument.wal_years, 4),
        ("ce_pct", instrument.ce_pct, 4),
        ("orig_face", instrument.orig_face, 2),
        ("bid_size", sizes.bid, 2),
        ("ask_size", sizes.ask, 2),
        ("unit_par", draft.unit_par, 4),
    )
    exact = {name: rounded(value, scale) for name, value, scale in values if value is not None}
    return _Line(named.columns | shared | exact, frozenset(flags), instrument.strike)


def _quote_date(mail: MailContext) -> date | None:
    """The mail's date on the sender's calendar."""
    return (mail.sent_at + (mail.sent_offset or timedelta())).date() if mail.sent_at is not None else None


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
