"""What the headings over a line say of its class, and what money it is said to be in."""

from __future__ import annotations

from parsers.codes import QuoteType
from parsers.quotes.answers.moneys import currency_of
from parsers.quotes.answers.told import Told, with_weighed
from parsers.quotes.headings.setting import Setting
from parsers.securities.dictionary import Dictionary

_CANADIAN = frozenset({"provincial_canada", "govt_canada"})
"""What Canadian desks quote beside their cities: `Munis` there are no American ones."""


def told_by(setting: Setting, default: str | None, securities: Dictionary | None = None) -> Told:
    """What they say; `default` is the sender's class, `securities` what is known of instruments beside the mail."""
    told = Told(
        by=((setting.section, "heading"), (setting.subject, "subject")),
        also=setting.also,
        remark=setting.remark,
        is_canadian=setting.of_subject.currency == "CAD" or setting.subject in _CANADIAN,
        is_of_basis=setting.measure is QuoteType.basis_bp,
        default=(default, "sender") if default is not None else ("unknown", "none"),
        securities=securities,
    )
    return with_weighed(told, setting.anew) if setting.anew else told


def money_said(text: str, setting: Setting, told: Told, own: str | None = None) -> str | None:
    """The currency that a line prints, else that the headings over it state; asked for a dictionary of instruments.

    Args:
        text: what is printed of the instrument, or the whole line.
        setting: what the headings say.
        told: the same of the class.
        own: printed behind the level.
    """
    if told.securities is None:
        return None
    own = own or ("EUR" if "Euro" in text.split() else None)
    return currency_of("unknown", text, text, setting.currency, own)
