"""A line of a run with its class: what its text, its notation and the headings over it say together (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import LISTS, QuoteKind
from parsers.lexicon import compiled
from parsers.quotes.answers.classing import class_of
from parsers.quotes.answers.named import Named
from parsers.quotes.answers.names import habits_of, is_of_curve, of_class
from parsers.quotes.answers.told import Told, as_weighed
from parsers.quotes.classes import is_of_class
from parsers.quotes.classes.families import BONDS, LOCAL
from parsers.quotes.headings.setting import Setting
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.cutting.classed import money_said, told_by
from parsers.quotes.runs.cutting.columned import joined_columns
from parsers.quotes.runs.cutting.facts import without_facts
from parsers.quotes.runs.cutting.ground import ticks_under
from parsers.quotes.runs.cutting.notation import OVER_BONDS, by_notation
from parsers.quotes.runs.cutting.referring import referred
from parsers.quotes.runs.cutting.spelling import spelled
from parsers.quotes.runs.cutting.unmarking import unmarked
from parsers.quotes.runs.lines.block import Block, is_priced
from parsers.quotes.runs.lines.results import result_of, with_result, without_result
from parsers.quotes.runs.marked.line import read
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.marked.wishes import wish_in
from parsers.quotes.runs.quoted.second import further_instruments
from parsers.quotes.runs.quoted.variants import Span, variants
from parsers.securities.dictionary import Dictionary
from parsers.values.currencies import PAIR
from parsers.values.finding import Found, find
from parsers.values.numbers import Ticks
from parsers.values.sizes import UNIT_IN_TEXT
from parsers.values.times.tenors import tenor

MAX_TOKENS = 200
"""Tokens of a line that can be a run's."""
_MARKED = frozenset({"cds_single", "private_equity_secondary"})
"""Classes whose names have no form, so that under a heading of marks a lone value is one."""
_QUANTITY = re.compile(r"\d{1,3}(?:,?\d{3})*(?<=[05])\s+(?=[A-Z])")
"""In front of a name: `1000 CALIFORNIA ST 5 10/01/38`, in what unit nobody knows."""
_LEVEL_ALONE = re.compile(
    r"\s*[$€£]?\d{2,3}(?:\.\d{1,4}|[ -][1-7]/[248])"
    rf"(?:[\s,;]+\d{{1,3}}(?:\.\d+)?\s?{UNIT_IN_TEXT})?\s*"
)
"""On the line below an instrument, with a size or without."""
_COUPON = re.compile(r"[2-9](?:\.[05]0?)?")
"""Of a line under the heading of its product: `5.5  99-25+ / 99-26`."""
_WISHED = frozenset(
    {"better", "buyer", "buyers", "seller", "sellers", "axed", "axe", "we", "looking", "can", "offer", "buy", "sell"}
    | {"buying", "selling", "to", "of", "on", "for", "re", "your", "our"}
    | {"shs", "shares", "mm", "mln"}  # of a size
)
"""In front of a name: `Better seller $10mm ECOPET 8.375 36`."""
_FORWARD = re.compile(r"\d{1,2}[mMyY]\d{1,2}[yY]|\d{1,2}y(?:r)?")

_OPTION = compiled(r"\b(?:ATMF?|(?:10|15|25)\s?[dD]?\s?{smile})\b")
_BONDLESS = frozenset({"fx_forward", "fx_option", "irs", "swaption", "inflation_swap"})
"""Classes of which nothing has a coupon and a maturity."""
_CONTRACTS = frozenset(
    {"trs", "cds_single", "cds_index", "cds_tranche", "irs", "swaption", "inflation_swap", "fx_option"}
)


class Understood(Struct, frozen=True, gc=False):
    """A line as read, its class and what said so, and how it parts into several instruments."""

    reading: Reading
    asset_class: str
    class_source: str
    told: Told  # what the headings over it say of its class
    others: Sequence[int] = ()  # where further instruments begin
    variants: Sequence[Sequence[Span]] = ()  # one line of each variant of an instrument


def understood(
    text: str,
    setting: Setting,
    block: Block,
    default_class: str | None,
    *,
    below: bool = False,
    securities: Dictionary | None = None,
) -> Understood:
    """A line as read under its headings.

    Args:
        text: the line.
        setting: what the headings over it say.
        block: what the lines of its part have in common.
        default_class: of the sender.
        below: an instrument without a level stands on the line before.
        securities: what is known of instruments beside the mail.
    """
    told = told_by(setting, default_class, securities)
    line = _understood(text, setting, block, told, below=below)
    is_of_section = line.class_source == "heading" and line.reading.named.is_bond
    is_of_kind = setting.quality is not None and line.reading.named.is_bond and line.reading.named.tenor is None
    if is_of_kind or (is_of_section and (_is_of_cash(setting) or _is_over_bonds(line))):
        below_bonds = replace(
            setting, section=setting.quality
        )  # `CDX HY 107.25, IG 52`, or `US HY`, over a run of bonds
        return _understood(text, below_bonds, block, told_by(below_bonds, default_class, securities), below=below)
    is_bond = line.reading.named.is_bond and PAIR.match(line.reading.named.name) is None
    if is_bond and (
        line.asset_class in _BONDLESS or _is_cash(line, setting)
    ):  # below `NDF USD/BRL` and a title that nobody knows
        below_bonds = replace(setting, section=BONDS)
        return _understood(text, below_bonds, block, told_by(below_bonds, default_class, securities), below=below)
    return line


def _understood(text: str, setting: Setting, block: Block, told: Told, *, below: bool) -> Understood:
    text = without_facts(unmarked(text))
    result = result_of(text)
    if result is not None:
        text = without_result(text)
    found = find(text, columns=block.columns, priced=is_priced(text))
    rough, name, source = _named(text, found, told, setting)
    text = spelled(text, name)
    is_curve = is_of_curve(text, name)
    is_german = block.language == "de"
    conventions = Conventions(
        thirty_seconds=ticks_under(name, setting, block, rough) is not Ticks.off,
        tenors=is_curve,
        talk=setting.kind in LISTS | {QuoteKind.talk},
        geld_brief=is_german,
    )
    cut = tokens(text, found, conventions)
    if result is not None:
        cut = with_result(cut, result)
    if len(cut) > MAX_TOKENS:
        return Understood(Reading(), name, source, told)
    cut = joined_columns(cut, block.locale)
    cut = referred(cut, block.locale) if _may_refer(name, text) else of_class(cut, name)
    has_form = is_of_class(rough, name)
    is_marked = name in _MARKED and setting.kind is QuoteKind.mark
    habits = replace(
        habits_of(name),
        known=has_form or is_marked or (below and _LEVEL_ALONE.fullmatch(text) is not None),
        curves=is_curve,
        sided=setting.side is not None,
        sized=setting.side is not None and (setting.said.size_unit or setting.of_subject.size_unit) is not None,
        under_issuer=setting.issuer is not None,
        german=is_german,
        yearly=name in LOCAL and has_form,
        wished=setting.kind is QuoteKind.trade,
    )
    reading = read(text, cut, block.locale, habits)
    name, source = _with_headed_name(reading, name, source, told, setting)
    over = setting.said.benchmark or setting.of_subject.benchmark
    by_form = by_notation(reading, setting.currency, name, over or "")
    if by_form is not None:
        name, source = as_weighed(by_form, told)
    return Understood(reading, name, source, told, further_instruments(cut, curves=is_curve), variants(cut, name))


def _may_refer(name: str, text: str) -> bool:
    """Whether a level may refer to a stock's."""
    return name == "convertible" or (name == "unknown" and "@" in text)


def _named(text: str, found: Sequence[Found], told: Told, setting: Setting) -> tuple[str, str, str]:
    """What may be the instrument's name, its class, and what said so: of a wish the name stands behind its words."""
    rough = _rough_name(text, found)
    currency = money_said(rough, setting, told)
    name, source = class_of(rough, [(item.kind, item.value) for item in found], told, currency)
    if name == "unknown" and (wish := wish_in(text)) is not None:  # `Achetons OAT 2.5 05/30 à 98,5`
        rough = _rough_name(text[wish[1] :], ())
        name, source = class_of(rough, (), told, currency)
    if name == "unknown" and setting.issuer and PAIR.fullmatch(setting.issuer) and _OPTION.search(text):
        return rough, "fx_option", "notation"  # `1M 25RR` under `USDJPY`
    return rough, name, source


def _with_headed_name(reading: Reading, name: str, source: str, told: Told, setting: Setting) -> tuple[str, str]:
    """The class where a heading completes the name: an issuer over bonds, a programme over its coupons."""
    named = reading.named
    if named.is_bond and named.name[:1].isdigit() and not named.identifiers:
        reading.named = replace(named, name=_name_under(setting, named))
        if name == "unknown":
            currency = money_said(named.name, setting, told, reading.currency)
            name, source = class_of(reading.named.name, (), told, currency)
        return name, source
    if name == "tba_mbs" and setting.issuer and _COUPON.fullmatch(named.name):
        reading.named = replace(named, name=f"{setting.issuer} {named.name}", coupon=named.name)
    return name, source


def _is_over_bonds(line: Understood) -> bool:
    """Whether a line below contracts is quoted as bonds are: `JPM 4.9 07/33 T+72/69` below `TRS`."""
    bare = {""} if line.asset_class == "cds_single" else set()
    prefixes = {mark.token.prefix and mark.token.prefix.upper() for mark in line.reading.marks}
    return line.asset_class in _CONTRACTS and not prefixes.isdisjoint(OVER_BONDS | bare)


def _is_of_cash(setting: Setting) -> bool:
    """Whether a section of contracts, which no bond is, stands in a mail that its subject says is of others."""
    return setting.section in _CONTRACTS and setting.subject is not None and setting.subject not in _CONTRACTS


def _is_cash(line: Understood, setting: Setting) -> bool:
    """Whether a bond, and no tenor, stands in a mail whose subject alone speaks of protection: `Ford: cash and CDS`."""
    marks = line.reading.marks
    is_told = line.asset_class == "cds_single" and line.class_source == "subject" and setting.tenor is None
    return is_told and not (line.reading.named.tenor or any(mark.tenor or mark.token.unit for mark in marks))


def _name_under(setting: Setting, named: Named) -> str:
    """The name of a bond that begins with a number: without the quantity, else with the issuer that a heading names."""
    name = named.name
    counted = _QUANTITY.match(name)
    if counted is not None and counted[0].strip() != named.coupon:
        return name[counted.end() :]
    is_on_the_run = tenor(name.partition(" ")[0]) is not None  # `US TREASURIES` over `10y 4 1/8 11/35`
    return f"{setting.issuer} {name}" if setting.issuer and setting.names_bonds and not is_on_the_run else name


def _rough_name(text: str, found: Sequence[Found]) -> str:
    """The text without its identifiers, from the first letter or tenor on: enough to tell a class."""
    for item in reversed(found):
        text = f"{text[: item.start]} {text[item.end :]}"
    words = text.split()
    while (
        words
        and (
            (words[0].lower().rstrip(":") in _WISHED and words[0] != "CAN")  # the ticker
            or (not words[0].removeprefix("€")[:1].isalpha() and not _FORWARD.fullmatch(words[0]))
        )
    ):
        words.pop(0)
    return " ".join([*(item.value for item in found if item.kind == "loanx_id"), *words])
