from __future__ import annotations

import pytest

from parsers.values.languages import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Guten Morgen zusammen, die Kurse von heute und mit freundlichen Grüßen", "de"),
        ("Bonjour, les niveaux du jour pour vous, cordialement", "fr"),
        ("Buenas tardes, las tasas de hoy para los bonos, saludos", "es"),
        ("Bom dia, taxas de hoje para os títulos, abs", "pt"),
        ("Buongiorno, di seguito i nostri prezzi, cordiali saluti", "it"),
        ("Morning all, updated levels below", "en"),
        ("", "en"),
    ],
)
def test_common_words_tell_the_language(text: str, expected: str) -> None:
    assert language(text) == expected


def test_of_two_languages_with_as_many_words_the_same_is_told_always() -> None:
    assert language("para compra mercado") == "es"  # all three are Spanish and Portuguese
