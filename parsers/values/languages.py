"""The language of a mail, as far as its numbers and dates depend on it (spec 4.2, ruling 9)."""

from __future__ import annotations

import re
from collections import Counter

_WORDS = {
    "de": "und der die das für mit bitte guten morgen grüße grüßen freundlichen heute geld brief kurse kurs wir sind viele liebe uhr stand anleihen laufzeit größe haftungsausschluss oder nicht",
    "fr": "bonjour le les des une pour nous vous avec sur du est et niveaux cordialement achat vente marché merci bonne journée échéance taux prix aux sont avertissement cours",
    "es": "buenos días buenas tardes para los las con una del el saludos cordiales compra venta tasas tasa precios niveles adjunto mercado hoy gracias son por pesos vencimiento abrazo estimados",
    "pt": "bom dia boa tarde para os com uma do da em taxas taxa compra venda preços abs att obrigado mercado hoje são não vencimento títulos indicativo aviso mesa abraços",
    "it": "buongiorno di seguito i nostri prezzi sui cordiali saluti il per con una del della denaro lettera mercato grazie sono titolo cedola scadenza gli dei resto",
}
_SCORES = {word: [language for language, words in _WORDS.items() if word in words.split()] for words in _WORDS.values() for word in words.split()}
_TOKEN = re.compile(r"[^\W\d_]{1,20}")
_NEEDED = 3


def language(text: str) -> str:
    """`de`, `fr`, `es`, `pt`, `it`, else `en`; judged by common words of the first 4,000 characters."""
    votes: Counter[str] = Counter()
    for word in set(_TOKEN.findall(text[:4000].lower())):
        for name in _SCORES.get(word, ()):
            votes[name] += 1
    best = votes.most_common(1)
    return best[0][0] if best and best[0][1] >= _NEEDED else "en"
