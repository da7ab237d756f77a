"""Mails that are no runs: bounces, auto-replies, recalls, links to a portal, nothing at all (spec 6.1)."""

from __future__ import annotations

import re
from itertools import islice

from parsers.mail.facts import Facts
from parsers.mail.fields import Fields

_OUT_OF_OFFICE = re.compile(
    r"automatic reply|auto(?:matic)?[- ]?reply|out of (?:the )?office|automatische antwort|abwesenheit|"
    r"réponse automatique|absence du bureau|respuesta automática|fuera de (?:la )?oficina|resposta automática|"
    r"ausência|risposta automatica|fuori ufficio",
    re.IGNORECASE,
)
_BOUNCE_SUBJECT = re.compile(
    r"(?:undeliverable|undelivered mail|delivery status notification|mail delivery (?:failed|failure|subsystem)|"
    r"returned mail|failure notice|unzustellbar|non remis|no se puede entregar|não foi possível entregar)",
    re.IGNORECASE,
)
_DAEMONS = ("mailer-daemon@", "postmaster@")
# Without the French `Rappel :`, which is a reminder, too: that recall is known by its text.
_RECALL_SUBJECT = re.compile(r"\s*(?:recall|rückruf|recuperar|richiamo)\s*:", re.IGNORECASE)
_RECALL_TEXT = re.compile(
    r"would like to recall|please (?:disregard|ignore)|cancel my (?:last|previous|earlier) run|"
    r"möchte die nachricht .{0,200}zurückrufen|souhaite rappeler le message|desea recuperar el mensaje|"
    r"gostaria de cancelar a mensagem|desidera richiamare il messaggio",
    re.IGNORECASE,
)
_SEALED = re.compile(r"^-----BEGIN PGP MESSAGE-----\s*$", re.MULTILINE)
_LINK = re.compile(r"https?://\S+|www\.\S+\.\S+", re.IGNORECASE)
_PORTAL = re.compile(
    r"\b(?:portal|log ?in|sign in|view (?:it|them|the|run|online|in browser)|click (?:here|below)|"
    r"available (?:at|on|online)|"
    r"einloggen|anmelden|hier klicken|connectez-vous|cliquez|inicie sesión|haga clic|clique aqui|acesse|accedi|clicca)",
    re.IGNORECASE,
)
_LINK_WORDS = 80  # a mail of more words says something itself
_VISIBLE = 3  # characters that make a part more than empty (spec 6.1)
_INVISIBLE = "\u200b\ufeff\u2060\u00ad"


def is_auto_reply(fields: Fields, facts: Facts) -> bool:
    """A bounce, an out-of-office notice, or anything else that no person sent."""
    submitted = (fields.get("auto-submitted") or "no").split(";")[0].strip().lower()
    subject = facts.subject or ""
    if submitted != "no":
        return True
    if fields.get("x-auto-response-suppress") and _OUT_OF_OFFICE.search(subject):
        return True
    if fields.content_type == "multipart/report" and fields.parameter("report-type") == "delivery-status":
        return True
    from_daemon = (facts.sender or "").startswith(_DAEMONS)
    return from_daemon and (_BOUNCE_SUBJECT.search(subject) is not None or fields.get("return-path") == "<>")


def is_recall(subject: str | None) -> bool:
    """The mail itself is a recall."""
    return _RECALL_SUBJECT.match(subject or "") is not None


def speaks_of_recall(text: str) -> bool:
    """It asks to forget an earlier one."""
    return _RECALL_TEXT.search(text) is not None


def holds_sealed_text(text: str) -> bool:
    """An encrypted message stands in it, as where somebody wrote a greeting above."""
    return _SEALED.search(text) is not None


def only_points_elsewhere(text: str, *, has_link: bool) -> bool:
    """Few words, and a link or a portal to go to."""
    words = _LINK.sub(" ", text).split()
    has_link = has_link or _LINK.search(text) is not None
    return len(words) <= _LINK_WORDS and has_link and (len(words) <= 10 or _PORTAL.search(text) is not None)


def is_empty(text: str) -> bool:
    """Fewer visible characters than would make a word."""
    visible = (char for char in text if char.isprintable() and not char.isspace() and char not in _INVISIBLE)
    return sum(1 for _ in islice(visible, _VISIBLE)) < _VISIBLE
