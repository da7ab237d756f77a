from __future__ import annotations

from parsers.documents.pdf.order import in_order
from parsers.documents.pdf.page import Word
from parsers.documents.pdf.rows import Spacing, TextRow
from parsers.documents.pdf.tables.columns import Table

MEASURE = Spacing(10, None)


def row(top: float, **words: float) -> TextRow:
    made = [Word(text, x0, x0 + 5.0 * len(text), top, top + 10) for text, x0 in words.items()]
    return TextRow(tuple(made), top, top + 10)


def table(x0: float, top: float) -> Table:
    return Table((row(top, Bid=x0, Ask=x0 + 50),), (), (x0, x0 + 50, x0 + 100))


def names(placed: list[Table | TextRow]) -> list[str]:
    return ["table" if isinstance(item, Table) else item.words[0].text for item in placed]


def test_titles_over_tables_beside_each_other_stand_before_their_own() -> None:
    placed = in_order([table(300, 120), table(40, 120)], [row(90, Swaps=40), row(105, USD=40, EUR=300)], [], MEASURE)
    assert names(placed) == ["Swaps", "USD", "table", "EUR", "table"]


def test_a_title_across_both_or_far_above_stays_whole() -> None:
    across = row(105, SwapsOfAllKindsInDollarsAndEurosAndPounds=40, more=300)
    assert names(in_order([table(40, 120), table(200, 120)], [across], [], MEASURE)) == [
        across.words[0].text,
        "table",
        "table",
    ]
    assert names(in_order([table(40, 200), table(300, 200)], [row(105, USD=40, EUR=300)], [], MEASURE)) == [
        "USD",
        "table",
        "table",
    ]


def test_tables_below_each_other_keep_what_stands_between_them() -> None:
    placed = in_order([table(40, 120), table(40, 160)], [row(105, USD=40), row(145, EUR=40)], [], MEASURE)
    assert names(placed) == ["USD", "table", "EUR", "table"]
