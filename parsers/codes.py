"""The closed lists of the domain: quote types, kinds, sides, flags, states and reject codes (spec 2.2 to 2.5, 6.4)."""

from __future__ import annotations

from enum import StrEnum

AssetClass = StrEnum(
    "AssetClass",
    "govt_us govt_intl govt_canada govt_latam_local inflation_linked strips agency_ssa provincial_canada us_muni "
    "corp_ig corp_hy em_hard_ccy covered_bond financial_sub frn convertible preferred leveraged_loan "
    "distressed_debt trade_claim tba_mbs agency_mbs_cmo rmbs_nonagency crt cmbs abs clo cdo_trups "
    "structured_note cd commercial_paper repo cds_single cds_index cds_tranche irs swaption inflation_swap trs "
    "fx_forward fx_option private_equity_secondary warrant_equity unknown",
)
"""The classes of spec section 1, in its order; a member's value is its name."""

REGIONS = frozenset({"europe", "north_america", "canada", "latin_america", "apac", "other", "unknown"})
"""Where a dealer's desk or an instrument's market is (spec 2.1)."""


class QuoteType(StrEnum):
    """What a level measures; the unit is the suffix (spec 2.4)."""

    price_pct = "price_pct"
    price_unit = "price_unit"
    price_vs_ref = "price_vs_ref"
    payup_32 = "payup_32"
    roll_ticks = "roll_ticks"
    yield_pct = "yield_pct"
    real_yield_pct = "real_yield_pct"
    discount_rate_pct = "discount_rate_pct"
    rate_pct = "rate_pct"
    repo_rate_pct = "repo_rate_pct"
    breakeven_pct = "breakeven_pct"
    irr_pct = "irr_pct"
    spread_bench_bp = "spread_bench_bp"
    spread_g_bp = "spread_g_bp"
    spread_i_bp = "spread_i_bp"
    spread_z_bp = "spread_z_bp"
    spread_asw_bp = "spread_asw_bp"
    spread_oas_bp = "spread_oas_bp"
    spread_swap_bp = "spread_swap_bp"
    spread_mmd_bp = "spread_mmd_bp"
    spread_unspecified_bp = "spread_unspecified_bp"
    dm_bp = "dm_bp"
    cds_spread_bp = "cds_spread_bp"
    upfront_pts = "upfront_pts"
    swap_spread_bp = "swap_spread_bp"
    basis_bp = "basis_bp"
    funding_spread_bp = "funding_spread_bp"
    premium_bp = "premium_bp"
    premium_pct = "premium_pct"
    base_corr_pct = "base_corr_pct"
    vol_pct = "vol_pct"
    vol_normal_bp = "vol_normal_bp"
    fwd_points = "fwd_points"
    fx_rate = "fx_rate"
    pct_nav = "pct_nav"


class QuoteKind(StrEnum):
    """Why the level was sent (spec 2.2, ruling 3)."""

    market = "market"
    axe = "axe"
    bwic = "bwic"
    owic = "owic"
    talk = "talk"
    cover = "cover"
    trade = "trade"
    mark = "mark"


LISTS = frozenset({QuoteKind.bwic, QuoteKind.owic})
"""A client's lists, on which a dealer's level is talk (ruling 15)."""


class Side(StrEnum):
    """Which sides of the market the row states."""

    two_way = "two_way"
    bid = "bid"
    ask = "ask"
    mid = "mid"
    talk = "talk"
    unknown = "unknown"


class Firmness(StrEnum):
    """How binding the dealer says the level is."""

    firm = "firm"
    indicative = "indicative"
    subject = "subject"
    unknown = "unknown"


class Flag(StrEnum):
    """Doubts and inferences of a row (spec 2.5)."""

    crossed = "crossed"
    locked = "locked"
    wide = "wide"
    shorthand_expanded = "shorthand_expanded"
    side_assumed = "side_assumed"
    size_unit_assumed = "size_unit_assumed"
    size_range = "size_range"
    ccy_assumed = "ccy_assumed"
    type_assumed = "type_assumed"
    ambiguous_number = "ambiguous_number"
    ambiguous_date = "ambiguous_date"
    ambiguous_tick = "ambiguous_tick"
    locale_assumed = "locale_assumed"
    id_check_failed = "id_check_failed"
    id_conflict = "id_conflict"
    hidden_source = "hidden_source"
    stale = "stale"
    footnoted = "footnoted"
    rounded = "rounded"
    from_history = "from_history"
    out_of_soft_range = "out_of_soft_range"
    merged_fill = "merged_fill"
    formula_no_cache = "formula_no_cache"


class Notation(StrEnum):
    """How the price was printed."""

    decimal = "decimal"
    fraction = "fraction"
    thirty_seconds = "thirty_seconds"
    futures_32 = "futures_32"
    thousandths = "thousandths"
    words = "words"


class MailState(StrEnum):
    """Every mail ends in exactly one."""

    parsed = "parsed"  # at least one quote
    parsed_empty = "parsed_empty"  # read, and clean of quotes
    rejected = "rejected"


class PartState(StrEnum):
    """Every part ends in exactly one."""

    parsed = "parsed"
    skipped = "skipped"  # containers, unused alternatives, signatures
    rejected = "rejected"


class Code(StrEnum):
    """Reject codes, closed (spec 6.4)."""

    # mail
    EMPTY_MAIL = "EMPTY_MAIL"
    MAIL_TOO_LARGE = "MAIL_TOO_LARGE"
    MALFORMED_MIME = "MALFORMED_MIME"
    DUPLICATE_MESSAGE = "DUPLICATE_MESSAGE"
    QUOTED_HISTORY_ONLY = "QUOTED_HISTORY_ONLY"
    BOUNCE_OR_AUTOREPLY = "BOUNCE_OR_AUTOREPLY"
    ENCRYPTED_MAIL = "ENCRYPTED_MAIL"
    RECALL_NOTICE = "RECALL_NOTICE"
    EXTERNAL_LINK_ONLY = "EXTERNAL_LINK_ONLY"
    TOO_MANY_PARTS = "TOO_MANY_PARTS"
    CLAIM_MISSING = "CLAIM_MISSING"
    # mail and part
    NO_QUOTE_CONTENT = "NO_QUOTE_CONTENT"
    # part
    UNSUPPORTED_TYPE = "UNSUPPORTED_TYPE"
    PASSWORD_PROTECTED = "PASSWORD_PROTECTED"  # noqa: S105 -- a code, no secret
    CORRUPT_PART = "CORRUPT_PART"
    TNEF_CORRUPT = "TNEF_CORRUPT"
    ARCHIVE_LIMIT = "ARCHIVE_LIMIT"
    NESTING_TOO_DEEP = "NESTING_TOO_DEEP"
    PART_TOO_LARGE = "PART_TOO_LARGE"
    CHARSET_UNDECODABLE = "CHARSET_UNDECODABLE"
    INLINE_IMAGE = "INLINE_IMAGE"
    IMAGE_ONLY = "IMAGE_ONLY"
    CALENDAR_INVITE = "CALENDAR_INVITE"
    DUPLICATE_PART = "DUPLICATE_PART"
    TABLE_NOT_RECOGNISED = "TABLE_NOT_RECOGNISED"
    PARSE_TIMEOUT = "PARSE_TIMEOUT"
    PARSER_ERROR = "PARSER_ERROR"
    # row
    ROW_NO_INSTRUMENT = "ROW_NO_INSTRUMENT"
    ROW_NO_PRICE = "ROW_NO_PRICE"
    ROW_BAD_IDENTIFIER = "ROW_BAD_IDENTIFIER"
    ROW_AMBIGUOUS_NUMBER = "ROW_AMBIGUOUS_NUMBER"
    ROW_OUT_OF_RANGE = "ROW_OUT_OF_RANGE"
    ROW_LOW_CONFIDENCE = "ROW_LOW_CONFIDENCE"
    ROW_WITHDRAWN = "ROW_WITHDRAWN"


EXPECTED_CODES = frozenset(
    {
        Code.INLINE_IMAGE,
        Code.DUPLICATE_PART,
        Code.DUPLICATE_MESSAGE,
        Code.CALENDAR_INVITE,
        Code.BOUNCE_OR_AUTOREPLY,
        Code.NO_QUOTE_CONTENT,
    }
)
"""Outcomes that need nobody's attention (spec 6.5); the rest feeds the error rate."""
