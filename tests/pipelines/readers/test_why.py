from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from parsers.codes import Flag
from parsers.quote import Quote
from pipelines.readers.why import rules


def test_the_class_says_what_named_it_and_each_flag_is_a_sentence(quote: Quote) -> None:
    row = asdict(replace(quote, class_source="subject", flags=(Flag.crossed,)))
    said = list(rules(row))
    assert said[0].endswith(": the subject says so")
    assert said[-1] == "crossed: bid and ask are printed the wrong way round; they are kept as printed"


@pytest.mark.parametrize("flag", Flag)
def test_every_flag_has_its_sentence(quote: Quote, flag: Flag) -> None:
    assert any(line.startswith(f"{flag}: ") for line in rules(asdict(replace(quote, flags=(flag,)))))
