"""ops.shipping: into a topic on a broker"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.brokers import addresses, emptied
from tests.ops.shipping.conftest import Shipping, rows_of


@pytest.mark.slow
def test_each_line_is_shipped_once_onto_a_broker(brokers: Path, ship: Shipping, file: Path, tmp_path: Path) -> None:
    emptied(brokers)
    file.write_text(f'[log]\nbackend = "kafka"\nclaims = ["claims"]\n[log.kafka]\nbootstrap = "{addresses(brokers)}"\n')
    app = tmp_path / "app.log"
    for first in (0, 3000):
        with app.open("a") as out:
            out.writelines(f"line {number}\n" for number in range(first, first + 3000))
        ship(app)
        ship(app)
    assert [row["event"] for row in rows_of(file)] == [f"line {number}" for number in range(6000)]
