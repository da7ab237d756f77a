from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.alternatives import readings_of
from parsers.codes import PartState
from parsers.documents import kinds
from parsers.mail.part import Part
from parsers.reading import Reader, Reading

RUN = "BACR 5.2 05/26 T+85/80 5x5"
PRICES = "<table><tr><th>CUSIP<th>Bond<th>Bid Px<th>Ask Px</tr><tr><td>037833100<td>AAPL 3.5 33<td>84.25<td>85.5</tr></table>"
LAYOUT = "<table><tr><td>Remy<td>Desk</tr></table>"
Make = Callable[..., Part]


@pytest.mark.parametrize(
    ("text", "html", "used"),
    [
        pytest.param(RUN, PRICES, "2", id="HTML has a table of prices"),
        pytest.param(RUN, f"<p>{RUN}</p>", "1", id="HTML has no table"),
        pytest.param(RUN, LAYOUT, "1", id="the table of the HTML has no prices"),
        pytest.param("see the html version", f"<p>{RUN}</p>", "2", id="the text has no prices"),
        pytest.param("morning all", "<p>morning all</p>", "1", id="neither has prices, nor a table"),
        pytest.param("morning all", LAYOUT, "2", id="neither has prices, HTML has a table"),
    ],
)
def test_the_alternative_with_the_table_is_used_unless_only_the_other_has_rows(
    text: str, html: str, used: str, part: Make, reader: Reader
) -> None:
    group = [part("1", text, alternatives=((1, 0),)), part("2", html, kinds.HTML, alternatives=((1, 1),))]
    found = readings_of(group, reader.read)
    assert [reading.part.path for reading in found if reading.state is not PartState.skipped] == [used]
    assert sorted(reading.part.path for reading in found) == ["1", "2"]
    assert all(reading.code is None and not reading.quotes for reading in found if reading.state is PartState.skipped)


def test_an_alternative_of_several_parts_is_used_whole(part: Make, reader: Reader) -> None:
    group = [
        part("1", "morning all", alternatives=((1, 0),)),
        part("2.1", PRICES, kinds.HTML, alternatives=((1, 1),)),
        part("2.2", RUN, alternatives=((1, 1),)),
    ]
    found = {reading.part.path: str(reading.state) for reading in readings_of(group, reader.read)}
    assert found == {"1": "skipped", "2.1": "parsed", "2.2": "parsed"}


def test_no_part_is_read_twice_and_none_without_need(part: Make, reader: Reader) -> None:
    read: list[str] = []

    def noting(one: Part) -> Reading:
        read.append(one.path)
        return reader.read(one)

    readings_of([part("1", RUN, alternatives=((1, 0),)), part("2", PRICES, kinds.HTML, alternatives=((1, 1),))], noting)
    assert read == ["2"]
    readings_of(
        [part("3", "hello", alternatives=((2, 0),)), part("4", LAYOUT, kinds.HTML, alternatives=((2, 1),))], noting
    )
    assert sorted(read) == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("text", "states"), [(RUN, ["parsed", "CORRUPT_PART"]), ("see below", ["NO_QUOTE_CONTENT", "CORRUPT_PART"])]
)
def test_an_alternative_that_cannot_be_read_says_so_whether_the_other_has_prices_or_not(
    text: str, states: list[str], part: Make, reader: Reader
) -> None:
    deep = "<div>" * 5_000 + PRICES
    group = [part("1", text, alternatives=((1, 0),)), part("2", deep, kinds.HTML, alternatives=((1, 1),))]
    assert [str(reading.code or reading.state) for reading in readings_of(group, reader.read)] == states


def test_alternatives_within_an_alternative_are_settled_first_and_never_read_beside_the_outer_ones(
    part: Make, reader: Reader
) -> None:
    group = [
        part("1", RUN, alternatives=((1, 0),)),
        part("2.1", RUN, alternatives=((1, 1), (2, 0))),
        part("2.2", PRICES, kinds.HTML, alternatives=((1, 1), (2, 1))),
        part("3", RUN),
    ]
    found = {reading.part.path: str(reading.state) for reading in readings_of(group, reader.read)}
    assert found == {"1": "skipped", "2.1": "skipped", "2.2": "parsed", "3": "parsed"}
