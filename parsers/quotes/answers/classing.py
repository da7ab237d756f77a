"""The class of an instrument and what said so, in tables and lines alike, in the order of the spec (section 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.lexicon import compiled
from parsers.quotes.answers.knowing import class_known
from parsers.quotes.answers.told import Told, as_weighed
from parsers.quotes.classes import class_by_instrument, is_of_class, is_of_treasury
from parsers.quotes.classes.families import BONDS, IN_PAIRS, OF_PAIRS, OTHERWISE, PAIR

Identifiers = Sequence[tuple[str, str]]
_OF_BONDS = compiled(r"[A-Z][\w&.]*(?: [A-Z][\w&.]*){0,2} (?:bonds?|cash)(?= (?:{bond_stands}|@)|\W*\d)")
"""Named so beside credit protection or loans, of whatever class they are: `Ford bonds`."""
_OF_IDENTIFIER = {"loanx_id": "leveraged_loan", "red_code": "cds_single"}
_OVER_INSTRUMENTS = frozenset({"repo", "trs", "cd", "commercial_paper", "convertible", "strips", "preferred"})
"""Classes whose lines name instruments of other classes."""
_OF_SHARES = {"warrant_equity": "distressed_debt", "preferred": "financial_sub"}
"""What bonds are of on lists of them."""
_PIECE = re.compile(r"(?:[12]\d|[3-9]\d\d|1\d{3})(?:[.,]\d+)?(?!\d)")
"""What a share of $25 or $1000 costs."""
_OF_POOLS = "agency_mbs_cmo"
_ABROAD = ("US", "XS")
"""Where no local bond of a Latin American government is issued: the beginnings of ISINs."""
_LATIN = frozenset({"MX", "BR", "CL", "CO", "PE", "AR", "UY"})


def class_of(name: str, identifiers: Identifiers, told: Told, currency: str | None = None) -> tuple[str, str]:
    """The class: of the instrument's unmistakable form, of what is said around it, then what is weaker.

    Args:
        name: the instrument's text.
        identifiers: its own, by kind.
        told: around it.
        currency: that it is said to be in, which an instrument known by its name must be.
    """
    return as_weighed(_class_of(name, identifiers, told, currency), told)


def _class_of(name: str, identifiers: Identifiers, told: Told, currency: str | None) -> tuple[str, str]:
    said = told.nearest
    strong = class_by_instrument(name, strong=True)
    is_over = said in _OVER_INSTRUMENTS and strong not in ("cds_index", "trs")
    is_pool = strong == "tba_mbs" and said == _OF_POOLS  # named by the TBA that their payups are over
    if strong is not None and not (is_over or is_pool):
        return strong, "instrument"
    form = class_by_instrument(name)
    own = strong or form
    if own in told.also or (own == "cds_tranche" and said == "cds_index"):  # `0-3%` of `IG S47`
        return str(own), "instrument"
    found = _of_pair(name, form, told, said)
    return found or _neighbour(identifiers, _told(name, identifiers, form, told, currency))


def by_form(name: str, text: str, *, is_bond: bool, level: str) -> str | None:
    """The class of a bond on a list of shares, if it is one: of what a bankruptcy left, or of a bank's capital.

    Args:
        name: the class of the list.
        text: of the instrument.
        is_bond: it has a coupon and a maturity, or none ever.
        level: its first, as printed.
    """
    if name not in _OF_SHARES or not is_bond or is_of_class(text, name):
        return None
    is_of_piece = name == "preferred" and _PIECE.match(level) is not None  # `ALL 5.1 53  24.40/24.50`
    return None if is_of_piece else _OF_SHARES[name]  # `BAC 6.125 PERP c27` has no share's ticker


def _of_pair(name: str, form: str | None, told: Told, said: str | None) -> tuple[str, str] | None:
    """Of what a pair of currencies is in front of, but for basis swaps; a pair among options on swaps is an option."""
    if PAIR.match(name) is None:
        return None
    is_of_vols = said == "swaption"
    is_in_points = said == "irs" and ("fx_forward", "subject") in told.by  # `Swapsätze (Punkte)`
    is_of_pairs = said in OF_PAIRS or told.is_of_basis
    if form in IN_PAIRS and (is_of_vols or is_in_points or not is_of_pairs):
        return "fx_option" if is_of_vols else str(form), "instrument"
    is_alone = PAIR.fullmatch(name) is not None
    if is_alone and (is_of_vols or (said is None and told.default[1] == "none")):
        return "fx_option" if is_of_vols else "fx_forward", "instrument"
    return None


def _told(name: str, identifiers: Identifiers, form: str | None, told: Told, currency: str | None) -> tuple[str, str]:
    """What is said around the row, else its identifier, a remark, the dictionary, its form, its sender."""
    by_identifier = [(_OF_IDENTIFIER[kind], "identifier") for kind, _ in identifiers if kind in _OF_IDENTIFIER]
    is_bonds = told.by[:1] == ((BONDS, "heading"),)
    said = by_identifier if is_bonds else (*told.by, *by_identifier, (told.remark, "heading"))
    found, source = next((one for one in said if one[0] is not None), (None, ""))
    if found is not None:
        is_bonds = found in OTHERWISE and _OF_BONDS.match(name) is not None
        if not is_bonds:
            is_canadian = found == "us_muni" and told.is_canadian and form != "us_muni"
            return "provincial_canada" if is_canadian else found, source
    return _unsaid(name, identifiers, form, told, currency, is_bonds=is_bonds)


def _unsaid(
    name: str, identifiers: Identifiers, form: str | None, told: Told, currency: str | None, *, is_bonds: bool
) -> tuple[str, str]:
    """By the dictionary, the form of the name or the sender; of bonds, whichever they are, by their form alone."""
    securities = told.securities if not is_bonds else None
    if securities is not None and (known := class_known(securities, identifiers, name, currency)):
        return known, "dictionary"
    if form is not None:
        is_local = form == "govt_intl" and any(kind == "isin" and value[:2] in _LATIN for kind, value in identifiers)
        return "govt_latam_local" if is_local else form, "instrument"  # `BTP 2035` of Chile
    return told.default if not is_bonds else ("unknown", "none")


def _neighbour(identifiers: Identifiers, found: tuple[str, str]) -> tuple[str, str]:
    """The class, or that of its neighbour, which identifiers say; what is known of the instrument itself stands."""
    if found[1] == "dictionary":
        return found
    if found[0] == "govt_latam_local" and any(value.startswith(_ABROAD) for _, value in identifiers):
        return "em_hard_ccy", "identifier"
    is_treasury = is_of_treasury(found[0], [value for _, value in identifiers])
    return ("govt_us", "identifier") if is_treasury else found
