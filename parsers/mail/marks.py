"""Where an earlier mail begins inside a body, in ten languages (spec 6.1)."""

from __future__ import annotations

import re

_ORIGINAL = re.compile(
    r"[-_=\s]*(?:original message|ursprüngliche nachricht|originalnachricht|message d.origine|message original|"
    r"courriel original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|"
    r"ursprungligt meddelande|元のメッセージ|原始邮件)[-_=\s]*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[-_=\s]*(?:forwarded (?:message|by .{1,80})|weitergeleitete nachricht|message transféré|mensaje reenviado|"
    r"mensagem encaminhada|messaggio inoltrato|doorgestuurd bericht)[-_=\s]*|"
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|"
    r"début du (?:message|courriel) (?:réexpédié|transféré)|inicio del mensaje reenviado|"
    r"início da mensagem (?:reenviada|encaminhada)|inizio (?:del )?messaggio inoltrato)\s*:?",
    re.IGNORECASE,
)
_ATTRIBUTIONS = re.compile(
    r"(?:"
    r"(?:on|at \d{1,2}:\d\d)\b.{4,250}\bwrote|.{2,120}\bwrote on\b.{4,120}|"
    r"am\b.{4,250}\bschrieb(?:\s.{1,120})?|.{2,120}\bschrieb am\b.{4,120}|"
    r"le\b.{4,250}\ba écrit|"
    r"el\b.{4,250}\bescribió|"
    r"em\b.{4,250}\bescreveu|"
    r"il\b.{4,250}\bha scritto|"
    r"op\b.{4,250}\bschreef(?:\s.{1,120})?|.{2,120}\bschreef op\b.{4,120}|"
    r"den\b.{4,250}\bskrev(?:\s.{1,120})?|"
    r"(?:.{2,120}于\s?)?\d{4}年\d{1,2}月\d{1,2}日.{0,160}(?:<[^<>\s]+@[^<>\s]+>|写道|さん.{0,40})"
    r")\s*[:：]",
    re.IGNORECASE,
)
_COLONS = (":", "：")
_ATTRIBUTION_START = re.compile(r"(?:on|at|am|le|el|em|il|op|den)\s.*\d|(?:.{2,120}于\s?)?\d{4}年", re.IGNORECASE)
FIELD = re.compile(r"[*\s|]*([A-Za-zÀ-ÿ][A-Za-zÀ-ÿ\- ]{0,18}?|[一-鿿]{2,4})\s?\*?\s*[:：]\s?\*?\s*(.*)")
_FIELD_NAMES = {
    "from": ("from", "von", "de", "da", "expéditeur", "remitente", "van", "差出人", "发件人"),
    "date": ("sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "fecha", "enviada em",
             "enviado em", "enviada", "data", "inviato", "inviato il",
             "verzonden", "送信日時", "日付", "发送时间", "日期"),
    "to": ("to", "an", "à", "a", "para", "cc", "bcc", "kopie", "copie", "copia", "cópia", "aan", "宛先", "收件人"),
    "subject": ("subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "件名", "主题"),
}  # fmt: skip
FIELDS = {name: field for field, names in _FIELD_NAMES.items() for name in names}
_HEADER_LINES = 8  # that a quoted header takes at most


def opens_message(text: str) -> bool:
    """A line that stands before an earlier or forwarded mail."""
    return _ORIGINAL.fullmatch(text) is not None or forwards(text)


def forwards(text: str) -> bool:
    """A line that a mail program puts before a mail which is passed on, and before no other."""
    return _FORWARDED.fullmatch(text) is not None


def header_field(text: str) -> tuple[str, str] | None:
    """`From: x`, `Gesendet: x`, `De : x` as (from, date, to or subject; value)."""
    match = FIELD.fullmatch(text) if any(colon in text for colon in _COLONS) else None
    field = FIELDS.get(match[1].strip().lower()) if match else None
    return (field, match[2].strip()) if match and field else None


def header_block(lines: list[str]) -> dict[str, str]:
    """The fields of a quoted header that begins with the first of these lines; {} when none begins here.

    It begins with the sender and names at least two of date, recipient and subject.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(lines[:_HEADER_LINES]):
        field = header_field(line)
        if field is None:
            if number == 0 or not line or not found:
                break
            continue  # a folded list of recipients
        found.setdefault(*field)
    first = header_field(lines[0]) if lines else None
    return found if first and first[0] == "from" and len(found) >= 3 else {}


def header_length(lines: list[str]) -> int:
    """How many of the lines the quoted header at their start takes."""
    last = 0
    for number, line in enumerate(lines[:_HEADER_LINES]):
        if header_field(line) is not None:
            last = number + 1
        elif not line:
            break
    return last


def attribution_length(lines: list[str]) -> int:
    """How many lines `On … wrote:`, `At 05:19 PM … wrote:` takes at the start of these: 0 for none; mailers wrap it."""
    if not lines or not lines[0]:
        return 0
    for count in (1, 2, 3):
        text = " ".join(line for line in lines[:count] if line)
        if text.endswith(_COLONS) and _ATTRIBUTIONS.fullmatch(text):
            return min(count, len(lines))
        if not _ATTRIBUTION_START.match(text):
            return 0
    return 0
