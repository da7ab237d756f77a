"""The quote record: one instrument x one quote type x one source line (spec section 2)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from msgspec import Struct

from parsers.codes import AssetClass, Firmness, Flag, Notation, QuoteKind, QuoteType, Side


class Quote(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """All columns but the log's position and append time, which `pipelines` adds. Absent is None, never 0 or ''."""

    # 2.1 instrument
    instrument_id: str | None = None
    id_type: str = "none"  # isin, cusip, …, `description` when keyed on text, or `none`
    isin: str | None = None
    cusip: str | None = None
    sedol: str | None = None
    figi: str | None = None
    lei: str | None = None
    loanx_id: str | None = None
    red_code: str | None = None
    common_code: str | None = None
    wkn: str | None = None
    valor: str | None = None
    local_code: str | None = None
    id_derived: bool = False
    security_id: str | None = None  # what the user's dictionary of instruments knows it as
    instrument_key: str = ""
    description: str | None = None
    issuer: str | None = None
    ticker: str | None = None
    tranche: str | None = None
    seniority: str | None = None
    rating: str | None = None
    coupon: Decimal | None = None  # percent
    coupon_type: str = "unknown"
    coupon_margin_bp: Decimal | None = None
    running_coupon_bp: Decimal | None = None
    maturity: date | None = None
    maturity_text: str | None = None
    tenor: str | None = None
    currency: str | None = None
    asset_class: AssetClass = AssetClass.unknown
    class_source: str = "none"
    factor: Decimal | None = None
    wal_years: Decimal | None = None
    ce_pct: Decimal | None = None
    orig_face: Decimal | None = None
    # 2.2 quote
    quote_kind: QuoteKind = QuoteKind.market
    firmness: Firmness = Firmness.unknown
    side: Side = Side.unknown
    is_axe_bid: bool = False
    is_axe_ask: bool = False
    is_flat: bool = False
    quote_type: QuoteType = QuoteType.price_pct
    bid: Decimal | None = None
    ask: Decimal | None = None
    mid: Decimal | None = None
    talk_low: Decimal | None = None
    talk_high: Decimal | None = None
    bid_size: Decimal | None = None
    ask_size: Decimal | None = None
    size_unit: str = "unknown"
    size_text: str | None = None
    price_notation: Notation = Notation.decimal
    unit_par: Decimal | None = None
    benchmark: str | None = None
    ref_price: Decimal | None = None
    delta_pct: Decimal | None = None
    option_struct: str | None = None
    settle_text: str | None = None
    bid_raw: str | None = None
    ask_raw: str | None = None
    mid_raw: str | None = None
    flags: tuple[Flag, ...] = ()  # sorted
    status: str = "accepted"  # or `review`
    confidence: Decimal = Decimal("1.000")
    # 2.3 time and party
    quote_ts: datetime | None = None  # UTC; None here means: the log's append time
    quote_ts_source: str = (
        "received"  # text, header, received: printed with the quote, the mail's Date, the log's append time
    )
    quote_date: date | None = None
    as_of_ts: datetime | None = None  # UTC; what the document says that its prices are of; of a day alone its beginning
    dealer: str | None = None
    sender: str | None = None
    sender_name: str | None = None
    forwarded_by: str | None = None
    subject: str | None = None
    region: str = "unknown"
    # 2.3 provenance
    message_id: str = ""
    message_key: str
    part_path: str
    content_type: str | None = None
    file_name: str | None = None
    part_sha256: str | None = None
    page: int | None = None
    table_idx: int | None = None
    row: int | None = None
    col: int | None = None
    sheet: str | None = None
    cell: str | None = None
    line: int | None = None
    char_start: int | None = None
    char_end: int | None = None
    raw_text: str = ""
    parser: str = ""
    parser_version: str = ""
    record_id: str = ""
    line_key: str = ""
    dedupe_key: str = ""
    duplicate_of: str | None = None
