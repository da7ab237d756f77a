"""From drafts to quotes: rounding, judging, defaulting, naming (spec section 2). Nobody else does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from parsers.codes import AssetClass, Code, Flag, QuoteKind, QuoteType, Side
from parsers.outcome import Reject
from parsers.quote import Quote
from parsers.quotes.confidence import ACCEPTED, REVIEW, confidence
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Instrument, Level
from parsers.quotes.keys import dedupe_key, instrument_key, line_key, record_id
from parsers.quotes.regions import Place, currency_of, region_of
from parsers.values.identifiers import KINDS, check, derived
from parsers.values.levels import SPREADS, YIELDS, LevelRules, market_flags

MAX_RAW = 2000
MAX_REJECT_RAW = 500
_PRICE_CEILING = 1000
_SIZE_CEILING = 10**12
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
    named = _identity(draft.instrument)
    if named.instrument_id is None and not _describes(draft.instrument):
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
            rejects.append(_reject(draft, context, found))
    return tuple(quotes), tuple(rejects)


@dataclass(frozen=True, slots=True)
class _Identity:
    """The identifiers of a row, the best first."""

    columns: dict[str, str]
    instrument_id: str | None
    id_type: str
    is_derived: bool
    flags: frozenset[Flag]


def _identity(instrument: Instrument) -> _Identity:
    columns: dict[str, str] = {}
    flags = {Flag.id_check_failed} if instrument.id_check_failed else set()
    for kind, value in instrument.identifiers:
        if check(kind, value):
            columns.setdefault(kind, value)
        elif kind == "red_code":
            columns.setdefault(kind, value)
            flags.add(Flag.id_check_failed)
        elif kind in KINDS:
            flags.add(Flag.id_check_failed)
    is_conflict = instrument.id_conflict
    inner = derived(columns["isin"]) if "isin" in columns else None
    if inner is not None and inner[0] == "cusip" and columns.get("cusip", inner[1]) != inner[1]:
        is_conflict = True
    best = next((kind for kind in KINDS if kind in columns and _names_an_issue(kind, columns[kind])), None)
    if is_conflict:
        flags.add(Flag.id_conflict)
        best = next((kind for kind, _ in instrument.identifiers if kind in columns and kind in KINDS), best)
    is_derived = inner is not None and inner[0] not in columns
    if inner is not None and is_derived:
        columns[inner[0]] = inner[1]
    return _Identity(columns, columns[best] if best else None, best or "description", is_derived, frozenset(flags))


def _names_an_issue(kind: str, value: str) -> bool:
    """A SELIC code names a kind of bond, not an issue (ruling 10)."""
    return kind != "local_code" or not (len(value) == 6 and value.isdigit())


def _describes(instrument: Instrument) -> bool:
    return bool(instrument.description or instrument.ticker or instrument.issuer)


def _quote(draft: Draft, level: Level, named: _Identity, context: PartContext) -> Quote | Code:
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
        mail.dealer.region if mail.dealer else None,
        mail.sent_offset.total_seconds() / 3600 if mail.sent_offset is not None else None,
    )
    currency, is_assumed = currency_of(place, instrument.currency)
    flags = _flags(draft, level, named)
    if is_assumed:
        flags.add(Flag.ccy_assumed)
    if mail.from_history:
        flags.add(Flag.from_history)
    values = {name: _decimal(getattr(level, name)) for name in ("bid", "ask", "mid", "talk_low", "talk_high")}
    if any(getattr(level, name) is not None and values[name] != getattr(level, name) for name in values):
        flags.add(Flag.rounded)
    trust = confidence(
        flags,
        headed=draft.headed,
        identified=named.instrument_id is not None,
        classed=draft.asset_class != "unknown",
    )
    if trust < REVIEW:
        return Code.ROW_LOW_CONFIDENCE
    quote = Quote(
        **named.columns,
        **values,
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
        quote_date=(mail.sent_at + mail.sent_offset).date()
        if mail.sent_at and mail.sent_offset is not None
        else (mail.sent_at.date() if mail.sent_at else None),
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
        row=level.row if level.row is not None else draft.row,
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
    quote = replace(quote, instrument_key=instrument_key(quote, instrument.strike))
    return replace(quote, record_id=record_id(quote), line_key=line_key(quote), dedupe_key=dedupe_key(quote))


def _flags(draft: Draft, level: Level, named: _Identity) -> set[Flag]:
    """All doubts of the row; whether a market is crossed is judged here alone, on the values that will be stored."""
    flags = set(draft.flags | level.flags | draft.sizes.flags | named.flags) - _MARKET
    if level.bid is not None and level.ask is not None:
        flags |= market_flags(level.bid, level.ask, LevelRules(level.quote_type, draft.asset_class))
    low, high = _SOFT_RANGES.get(level.quote_type, (None, None))
    values = (level.bid, level.ask, level.mid, level.talk_low, level.talk_high)
    if low is not None and high is not None and any(value is not None and not low <= value <= high for value in values):
        flags.add(Flag.out_of_soft_range)
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


def _decimal(value: Fraction | None, scale: int = 8) -> Decimal | None:
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
    row = level.row if level.row is not None else draft.row
    if draft.sheet is None or level.column is None or row is None:
        return None
    letters, rest = "", level.column
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _reject(draft: Draft, context: PartContext, code: Code) -> Reject:
    return Reject(
        level="row",
        code=code,
        part_path=context.part_path,
        locator=_locator(draft),
        raw_text=draft.raw_text[:MAX_REJECT_RAW],
        parser=draft.parser,
    )


def _locator(draft: Draft) -> str:
    """Where the line stands, for people."""
    parts = [
        f"{draft.sheet}!" if draft.sheet else "",
        f"page {draft.page}" if draft.page is not None else "",
        f"table {draft.table_idx}" if draft.table_idx is not None else "",
        f"row {draft.row}" if draft.row is not None else "",
        f"line {draft.line}" if draft.line is not None else "",
    ]
    return " ".join(part for part in parts if part)
