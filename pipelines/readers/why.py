"""Why a row reads as it does: the rules that its columns tell of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from parsers.codes import Flag

_CLASS_SOURCES = {
    "header": "a column's heading says so",
    "section": "the section over the row says so",
    "title": "the table's title says so",
    "heading": "a line above says so",
    "sheet": "the sheet's name says so",
    "file": "the file's name says so",
    "subject": "the subject says so",
    "identifier": "the kind of identifier says so",
    "instrument": "the instrument's text has its form",
    "dictionary": "the dictionary of instruments knows it so",
    "notation": "it is quoted as that class is",
    "sender": "the dealer's default",
    "weighed": "the rows of its block show it together, whatever is said over them",
    "none": "nothing says what it is",
}
_RULES = {
    Flag.crossed: "bid and ask are printed the wrong way round; they are kept as printed",
    Flag.locked: "bid and ask are equal",
    Flag.wide: "bid and ask are far apart",
    Flag.shorthand_expanded: "the ask is printed in shorthand, and completed from the bid",
    Flag.side_assumed: "nothing says on which side the value is",
    Flag.size_unit_assumed: "sizes have no unit: millions",
    Flag.size_range: "the size is a range: its lower end",
    Flag.ccy_assumed: "no currency is printed: the market's, or the identifier's",
    Flag.type_assumed: "nothing says what the value measures",
    Flag.ambiguous_number: "numbers of the block use both points and commas as decimal marks",
    Flag.ambiguous_date: "day and month of the maturity may be the other way round",
    Flag.ambiguous_tick: "the third digit of the 32nds may be a future's",
    Flag.locale_assumed: "no number tells the decimal mark: the language's",
    Flag.id_check_failed: "the identifier's check digit is wrong",
    Flag.id_conflict: "two identifiers name different instruments",
    Flag.hidden_source: "the row, column or sheet is hidden",
    Flag.stale: "the document is of an earlier day than the mail",
    Flag.footnoted: "the value has a footnote",
    Flag.rounded: "the value does not fit eight decimals",
    Flag.from_history: "the mail forwards an older one",
    Flag.out_of_soft_range: "the value is outside what its type usually is, or does not fit the line's price or yield",
    Flag.merged_fill: "a merged cell names the instrument of several rows",
    Flag.formula_no_cache: "a formula of the row has no stored value",
}


def rules(row: Mapping[str, Any]) -> Iterator[str]:
    """What decided, a sentence each: class, notation, then each inference and doubt."""
    yield f"class {row['asset_class']}: {_CLASS_SOURCES.get(row['class_source'], row['class_source'])}"
    if row["price_notation"] != "decimal":
        yield f"printed in {str(row['price_notation']).replace('_', ' ')}"
    if row["benchmark"]:
        yield f"over {row['benchmark']}"
    yield from (f"{flag}: {_RULES[Flag(flag)]}" for flag in row["flags"] or ())
