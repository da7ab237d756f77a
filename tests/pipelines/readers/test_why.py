from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import asdict, replace

from parsers.codes import Flag
from parsers.parse import parse_mail
from parsers.quote import Quote
from pipelines.readers.why import rules, trust

RUN = b"From: a@b.example\nSubject: HY run\n\nXYZ 5 03/34 98.25/75 5x5\n"


def test_the_class_says_what_named_it_and_each_flag_is_a_sentence(quote: Quote) -> None:
    row = asdict(replace(quote, class_source="subject", flags=(Flag.crossed,)))
    said = list(rules(row))
    assert said[0].endswith(": the subject says so")
    assert said[-1] == "crossed: bid and ask are printed the wrong way round; they are kept as printed"


@pytest.mark.parametrize("flag", Flag)
def test_every_flag_has_its_sentence(quote: Quote, flag: Flag) -> None:
    assert any(line.startswith(f"{flag}: ") for line in rules(asdict(replace(quote, flags=(flag,)))))


def test_the_factors_of_a_confidence_multiply_to_it() -> None:
    (quote,) = parse_mail(RUN).quotes
    told = trust(asdict(quote))
    product = Decimal(1)
    for factor in told.split(" x "):
        product *= Decimal(factor.split()[0])
    assert round(product, 3) == quote.confidence
    assert "0.97 shorthand_expanded" in told
    assert "0.85 no valid identifier" in told


def test_a_confidence_of_other_weights_is_not_explained(quote: Quote) -> None:
    assert not trust(asdict(replace(quote, confidence=Decimal("0.123"))))
