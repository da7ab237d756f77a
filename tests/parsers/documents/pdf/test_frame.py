from __future__ import annotations

import pytest

from parsers.documents.pdf.frame import Frame


@pytest.mark.parametrize(
    ("rotation", "shown"),
    [
        pytest.param(0, (10, 760, 30, 780), id="upright: y is turned over"),
        pytest.param(90, (20, 10, 40, 30), id="the left edge is on top"),
        pytest.param(180, (570, 20, 590, 40), id="upside down"),
        pytest.param(270, (760, 570, 780, 590), id="the right edge is on top"),
    ],
)
def test_a_box_stands_where_a_reader_sees_it(rotation: int, shown: tuple[float, float, float, float]) -> None:
    width, height = (600, 800) if rotation % 180 == 0 else (800, 600)  # of the page as shown
    assert Frame(rotation, width, height).box(10, 20, 30, 40) == shown
