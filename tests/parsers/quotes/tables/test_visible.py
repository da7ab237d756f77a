from __future__ import annotations

from parsers.codes import Flag
from parsers.quotes.draft import Draft, Instrument
from parsers.quotes.tables.grids.visible import visible_first


def draft(value: str | None, name: str | None = None, *, hidden: bool = False) -> Draft:
    identifiers = (("isin", value),) if value else ()
    flags = frozenset({Flag.hidden_source} if hidden else ())
    return Draft(instrument=Instrument(identifiers=identifiers, description=name), levels=(), flags=flags)


def test_a_hidden_row_gives_way_to_a_visible_one_of_its_instrument() -> None:
    shown, hidden = draft("XS1"), draft("XS1", hidden=True)
    assert visible_first([hidden, shown]) == (shown,)


def test_a_hidden_row_stays_where_nothing_visible_has_its_instrument() -> None:
    shown, hidden = draft("XS1"), draft("XS2", hidden=True)
    assert visible_first([shown, hidden]) == (shown, hidden)


def test_without_identifiers_the_text_names_the_instrument() -> None:
    shown, hidden = draft(None, "ACME  4 31"), draft(None, "Acme 4 31", hidden=True)
    assert visible_first([shown, hidden]) == (shown,)
