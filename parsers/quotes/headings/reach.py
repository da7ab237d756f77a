"""Where a section ends: what one desk's heading says holds for no other desk's lines or rows (spec 5.6)."""

from __future__ import annotations

from msgspec.structs import replace

from parsers.quotes.headings.setting import Setting

_DESKS = (
    frozenset(
        {"corp_ig", "corp_hy", "financial_sub", "em_hard_ccy", "covered_bond", "frn", "agency_ssa", "distressed_debt"}
    ),
    frozenset({"rmbs_nonagency", "cmbs", "abs", "clo", "cdo_trups"}),
    frozenset({"tba_mbs", "agency_mbs_cmo"}),
    frozenset({"cds_index", "cds_single", "cds_tranche", "trs"}),
    frozenset({"irs", "swaption", "inflation_swap"}),
    frozenset({"fx_option", "fx_forward"}),
)
"""Classes that one desk quotes under one heading: `EUR FINANCIALS`, and below it `Seniors` and `AT1s`."""


def is_beyond(setting: Setting, named: str) -> bool:
    """Whether a title of this class begins another desk's section: the heading above is not of it, nor names it."""
    above = setting.section
    if above is None or named == above or named in setting.also:
        return False
    return not any({above, named} <= desk for desk in _DESKS)


def without_section(setting: Setting) -> Setting:
    """The state without what the section above says; what was said above all sections, or by the subject, stays."""
    return replace(
        setting,
        said=setting.general,
        tenor=setting.of_subject.tenor,
        is_order_told=False,
        running=None,
        is_in_m=False,
        measure=None,
        halves=None,
        listed=(),
        is_of_section=False,
        structs=(),
        market=None,
    )
