from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.quotes.context import PartContext
from parsers.quotes.refusal import MAX_RAW, cell_name, locator, refusal


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ({"sheet": "EUR IG", "row": 17, "column": 4}, "EUR IG!D17"),
        ({"sheet": "EUR IG", "row": 17}, "EUR IG!A17"),
        ({"page": 2, "table_idx": 1, "row": 31}, "page 2 row 31"),
        ({"page": 2, "line": 8}, "page 2 line 8"),
        ({"table_idx": 1, "row": 4, "column": 3}, "table 1 row 4"),
        ({"line": 8}, "line 8"),
    ],
)
def test_a_place_is_named_as_people_name_it(place: dict[str, object], shown: str) -> None:
    assert locator(**place) == shown  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(("column", "name"), [(1, "A9"), (26, "Z9"), (27, "AA9"), (16_384, "XFD9")])
def test_cells_have_the_names_that_workbooks_give_them(column: int, name: str) -> None:
    assert cell_name(column, 9) == name


def test_a_refused_row_keeps_its_text_up_to_the_limit(part: Callable[..., PartContext]) -> None:
    reject = refusal(part(), Code.ROW_NO_PRICE, where="line 8", text="x" * 2 * MAX_RAW, parser="text_run")
    assert (reject.level, reject.part_path, reject.locator, reject.parser) == ("row", "1", "line 8", "text_run")
    assert reject.raw_text == "x" * MAX_RAW
