"""Instruments whose names say what they are quoted in, by class: bills, basis swaps, senior tranches, pay-ups."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.codes import QuoteType
from parsers.lexicon import compiled
from parsers.quotes.classes import rules_of
from parsers.values.indices import INDEX
from parsers.values.times.dates import DELIVERIES

_LEG = rf"(?:[136]m|[136]s|FF|{INDEX})"
_LISTED = (
    ("irs", re.compile(r"\bswap spreads?\b", re.IGNORECASE), QuoteType.swap_spread_bp),
    ("irs", re.compile(r"\b(?:basis|xccy|\d+s\d+s)\b", re.IGNORECASE), QuoteType.basis_bp),
    ("irs", re.compile(rf"(?<!\w){_LEG}\s?(?:/|v|vs\.?)\s?{_LEG}\b"), QuoteType.basis_bp),
    (
        "cds_tranche",
        compiled(r"\b{option_noun}\b", re.IGNORECASE),
        QuoteType.vol_pct,
    ),
    ("cds_tranche", re.compile(r"\bbase corr", re.IGNORECASE), QuoteType.base_corr_pct),
    (  # senior tranches of investment grade have no points up front
        "cds_tranche",
        re.compile(r"^(?!.*(?:\b(?:HY|EM)|over))(?:.*\s)?(?:[6-9]|[1-9]\d)\s?-\s?\d{2,3}(?!\d)", re.IGNORECASE),
        QuoteType.cds_spread_bp,
    ),
    ("tba_mbs", re.compile(rf"\broll\b|\b(?:{DELIVERIES})/(?:{DELIVERIES})\b", re.IGNORECASE), QuoteType.roll_ticks),
    ("agency_mbs_cmo", re.compile(r"\bpay-?ups?\b", re.IGNORECASE), QuoteType.payup_32),
    ("agency_mbs_cmo", compiled(r"\b(?:{pool_story_names}|\d{2,3}[kK])\b"), QuoteType.payup_32),
    ("fx_forward", re.compile(r"\bimplied\b", re.IGNORECASE), QuoteType.yield_pct),
    ("fx_forward", re.compile(r"\boutright\b", re.IGNORECASE), QuoteType.fx_rate),
    ("fx_forward", re.compile(r"\b(?:pts|points|pontos|puntos)\b", re.IGNORECASE), QuoteType.fwd_points),
    (
        "govt_us",
        compiled(r"\bbills?\b|^CMB\b|^B (?:0 |\d{1,2}/)|\b\d{1,2}\s?{tenor_unit_short}s?\b", re.IGNORECASE),
        QuoteType.discount_rate_pct,
    ),
)
_NAMES: dict[str, list[tuple[re.Pattern[str], QuoteType]]] = {}
for _owner, _pattern, _kind in _LISTED:
    _NAMES.setdefault(_owner, []).append((_pattern, _kind))


@lru_cache(maxsize=4096)  # the same bonds come every day
def quoted_by_name(asset_class: str, name: str) -> QuoteType | None:
    """What an instrument's name says that it is quoted in, or its kind: some of a class trade on price."""
    for pattern, kind in _NAMES.get(asset_class, ()):
        if pattern.search(name):
            return kind
    on_price = rules_of(asset_class).on_price
    return QuoteType.price_pct if on_price is not None and on_price.search(name) else None
