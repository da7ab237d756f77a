"""The table `quotes`: one instrument x one quote type x one source line (spec section 2)."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, BooleanType, DecimalType, StructType

from pipelines.tables.schemas.table import DATE, INT, POSITION, TEXT, TIMESTAMP, Table, column

LEVEL = DecimalType(18, 8)
COUPON = DecimalType(12, 8)
MARGIN = DecimalType(12, 4)
SIZE = DecimalType(20, 2)
FLAG = BooleanType()

_KEYS = (
    column("message_key", TEXT, "SHA-256 of the raw mail, hex", required=True),
    column("record_id", TEXT, "SHA-256 over mail, part, place, quote_type, tenor: stable over reparse", required=True),
    column(
        "instrument_key",
        TEXT,
        "<id_type>:<instrument_id>, else desc:<SHA-256 of what is printed of it but its currency>",
        required=True,
    ),
    column("dealer", TEXT, "who quotes: name of the dealer table, else the sender's domain"),
    column("sender", TEXT, "the original sender's address, lower case"),
    column("asset_class", TEXT, "code of spec section 1, or unknown", required=True),
    column("quote_type", TEXT, "what the levels measure; the unit is the suffix (spec 2.4)", required=True),
    column("quote_kind", TEXT, "market, axe, bwic, owic, talk, cover, trade, mark", required=True),
    column("quote_ts", TIMESTAMP, "printed time with date, else the mail's Date, else received_ts; UTC", required=True),
    column("quote_date", DATE, "printed date, else the mail's Date in the sender's zone", required=True),
    column("isin", TEXT, "upper case, no spaces"),
    column("cusip", TEXT, "CUSIP or CINS"),
    column("figi", TEXT, "FIGI"),
    column("loanx_id", TEXT, "LX and six digits"),
    column("red_code", TEXT, "RED code, 6 or 9 characters"),
    column("ticker", TEXT, "upper case"),
    column("currency", TEXT, "ISO 4217"),
    column("region", TEXT, "europe, north_america, canada, latin_america, apac, other, unknown", required=True),
    column("maturity", DATE, "null when only a month or year is printed"),
    column("status", TEXT, "accepted or review, from confidence", required=True),
    column("confidence", DecimalType(4, 3), "share of exact rows among known rows of such factors", required=True),
)

_INSTRUMENT = (
    column("instrument_id", TEXT, "the best valid identifier, or the description's key"),
    column("id_type", TEXT, "kind of instrument_id; description, or none", required=True),
    column("sedol", TEXT, "SEDOL"),
    column("lei", TEXT, "LEI"),
    column("common_code", TEXT, "Euroclear/Clearstream common code"),
    column("wkn", TEXT, "German WKN"),
    column("valor", TEXT, "Swiss valor"),
    column("local_code", TEXT, "SELIC code, clave and the like"),
    column(
        "id_derived",
        FLAG,
        "an identifier beside instrument_id was computed out of the ISIN, not printed (ruling 18)",
        required=True,
    ),
    column("security_id", TEXT, "what the user's dictionary of instruments knows it as (ruling 35)"),
    column("description", TEXT, "instrument as written, white space folded"),
    column("issuer", TEXT, "as written"),
    column("tranche", TEXT, "as written"),
    column("seniority", TEXT, "as written"),
    column("rating", TEXT, "as written"),
    column("coupon", COUPON, "percent"),
    column("coupon_type", TEXT, "fixed, float, zero, step, index, none, unknown", required=True),
    column("coupon_margin_bp", MARGIN, "margin of a floater or loan, basis points"),
    column("running_coupon_bp", MARGIN, "running coupon of a CDS, basis points"),
    column("maturity_text", TEXT, "as written: PERP, 05/34, 5y"),
    column("tenor", TEXT, "5Y, 1Y10Y, 3M, ON"),
    column("class_source", TEXT, "what decided asset_class", required=True),
    column("factor", DecimalType(18, 10), "pool factor, 0 to 1"),
    column("wal_years", DecimalType(9, 4), "weighted average life, years"),
    column("ce_pct", DecimalType(9, 4), "credit enhancement, percent"),
    column("orig_face", SIZE, "original face, currency units"),
)

_LEVELS = (
    column("firmness", TEXT, "firm, indicative, subject, unknown", required=True),
    column("side", TEXT, "two_way, bid, ask, mid, talk, unknown", required=True),
    column("bid", LEVEL, "the dealer buys; unit: quote_type's suffix"),
    column("ask", LEVEL, "the dealer sells; unit: quote_type's suffix"),
    column(
        "mid",
        LEVEL,
        "only if printed; a lone value whose side nothing says is here, too, with side `unknown` and `side_assumed`",
    ),
    column("talk_low", LEVEL, "lower end of price talk"),
    column("talk_high", LEVEL, "upper end of price talk"),
    column("bid_size", SIZE, "units of size_unit"),
    column("ask_size", SIZE, "units of size_unit"),
    column("size_unit", TEXT, "face_ccy, shares, contracts, notional, unknown", required=True),
    column("size_text", TEXT, "sizes as written"),
    column("is_axe_bid", FLAG, "the dealer is a better buyer", required=True),
    column("is_axe_ask", FLAG, "the dealer is a better seller", required=True),
    column("is_flat", FLAG, "trades without accrued interest", required=True),
    column("price_notation", TEXT, "how the price was printed", required=True),
    column("unit_par", MARGIN, "par of a unit price: 25, 50, 1000"),
    column("benchmark", TEXT, "what a spread is over"),
    column("ref_price", LEVEL, "stock or spot reference"),
    column("delta_pct", LEVEL, "delta, percent"),
    column("option_struct", TEXT, "atm, rr25, bf25, rr10, bf10, straddle, payer, receiver, other"),
    column("settle_text", TEXT, "settlement as written"),
    column("bid_raw", TEXT, "the bid's token as written"),
    column("ask_raw", TEXT, "the ask's token as written"),
    column("mid_raw", TEXT, "the mid's token as written"),
    column("flags", ArrayType(TEXT, containsNull=False), "doubts and inferences (spec 2.5), sorted", required=True),
)

_PROVENANCE = (
    column("quote_ts_source", TEXT, "text: printed with the quote; header: the mail's Date; received", required=True),
    column("as_of_ts", TIMESTAMP, "what the document says that its prices are of, UTC; a day alone: its beginning"),
    column("sender_name", TEXT, "as written"),
    column("forwarded_by", TEXT, "address of who forwarded it"),
    column("subject", TEXT, "the mail's subject"),
    column("message_id", TEXT, "Message-ID without <>, else sha256:<message_key>", required=True),
    column("part_path", TEXT, "MIME part or container member (spec 6.3)", required=True),
    column("content_type", TEXT, "of the part, detected by content"),
    column("file_name", TEXT, "decoded"),
    column("part_sha256", TEXT, "of the part's decoded bytes, hex"),
    column("page", INT, "PDF page, 1-based"),
    column("table_idx", INT, "table within the part, 1-based"),
    column("row", INT, "row of the first price cell, 1-based"),
    column("col", INT, "column of the first price cell, 1-based"),
    column("sheet", TEXT, "sheet name"),
    column("cell", TEXT, "cell name, D17"),
    column("line", INT, "line of the part's text, 1-based"),
    column("char_start", INT, "code points into the part's text; in tables into raw_text, 0-based"),
    column("char_end", INT, "end of the half-open span"),
    column("parser", TEXT, "which reader found it", required=True),
    column("parser_version", TEXT, "label+digest of the parsers.digest of what users teach", required=True),
    column("line_key", TEXT, "one key for all quotes of one source line", required=True),
    column("dedupe_key", TEXT, "equal for equal quotes of one dealer, instrument, currency and day", required=True),
    column("duplicate_of", TEXT, "record_id of the same quote elsewhere in this mail"),
    column("raw_text", TEXT, "source line, or row with cells joined by TAB; at most 2,000 characters", required=True),
)

QUOTES = Table(
    "quotes",
    StructType([*POSITION, *_KEYS, *_INSTRUMENT, *_LEVELS, *_PROVENANCE]),
    partitioned_by=("received_day",),
)
