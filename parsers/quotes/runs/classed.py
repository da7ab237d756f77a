"""The class of a line's instrument, and what said so, in the order of the spec (section 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from parsers.codes import QuoteType
from parsers.quotes.classes import class_by_instrument
from parsers.quotes.runs.families import BONDS, IN_PAIRS, OF_PAIRS, OTHERWISE, PAIR
from parsers.quotes.runs.setting import Setting

_OF_BONDS = re.compile(r"[A-Z][\w&.]*(?: [A-Z][\w&.]*){0,2} (?:bonds?|cash)(?= (?:at|bid|offered|are|@)|\W*\d)")
"""Named so beside credit protection or loans, of whatever class they are: `Ford bonds`."""
_CANADIAN = frozenset({"provincial_canada", "govt_canada"})
"""What Canadian desks quote beside their cities: `Munis` there are no American ones."""
_OF_IDENTIFIER = {"loanx_id": "leveraged_loan", "red_code": "cds_single"}
_OVER_INSTRUMENTS = frozenset({"repo", "trs", "cd", "commercial_paper", "convertible", "strips", "preferred"})
"""Classes whose lines name instruments of other classes."""


def _form_of(name: str) -> str:
    """The class of an instrument's form, by one that leaves no doubt before the others: `OAT STRIP` is no OAT."""
    return class_by_instrument(name, strong=True) or class_by_instrument(name) or ""


def _is_canadian(setting: Setting) -> bool:
    """Whether a mail's subject says that its desk is one whose `Munis` are no American ones."""
    return setting.of_subject.currency == "CAD" or setting.subject in _CANADIAN


def class_of(setting: Setting, name: str, kinds: Iterable[str], default: str | None) -> tuple[str, str]:
    """The class of a line's instrument and what said so, in the order of spec section 1.

    Args:
        setting: of the line.
        name: the instrument's text.
        kinds: of its identifiers.
        default: the sender's.
    """
    strong = class_by_instrument(name, strong=True)
    is_over = (setting.section or setting.subject) in _OVER_INSTRUMENTS
    if strong is not None and (not is_over or strong in ("cds_index", "trs")):
        return strong, "instrument"
    if setting.also and (own := _form_of(name)) in setting.also:
        return own, "instrument"
    is_of_pairs = (setting.section or setting.subject) in OF_PAIRS or setting.measure is QuoteType.basis_bp
    is_of_vols = (setting.section or setting.subject) == "swaption"
    is_in_points = setting.subject == "fx_forward" and setting.section == "irs"  # `Swapsätze (Punkte)`
    if (is_of_vols or is_in_points or not is_of_pairs) and PAIR.match(name) is not None:
        crossed = class_by_instrument(name)  # under `CDX` and then `FX`, which is no class
        if crossed in IN_PAIRS:
            return "fx_option" if is_of_vols else crossed, "instrument"
    of_identifier = next((_OF_IDENTIFIER[kind] for kind in kinds if kind in _OF_IDENTIFIER), None)
    told = (
        (setting.section, "heading"),
        (setting.subject, "subject"),
        (of_identifier, "identifier"),
        (setting.remark, "heading"),
    )
    is_bonds = setting.section == BONDS
    form = class_by_instrument(name)
    for found, source in told[2:3] if is_bonds else told:
        if found is not None:
            is_bonds = found in OTHERWISE and _OF_BONDS.match(name) is not None
            if not is_bonds:
                is_canadian = found == "us_muni" and _is_canadian(setting) and form != "us_muni"
                return "provincial_canada" if is_canadian else found, source
            break
    if form is not None:
        return form, "instrument"
    return (default, "sender") if default is not None and not is_bonds else ("unknown", "none")
