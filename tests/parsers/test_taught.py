from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from parsers.dealers import Dealers
from parsers.taught import Taught

TABLE = '["bank.example"]\nname = "Bank"\nregion = "europe"\n["a@b.example"]\nname = "A"\n'
SAME = '# in another order\r\n["A@b.example"]\r\nname = "A"\r\n\r\n["bank.example"]\r\nregion = "europe"\r\nname = "Bank"\r\n'


def test_the_digest_changes_with_what_is_taught_and_not_with_how_it_is_written_down() -> None:
    taught = Taught.of(Dealers.parse(TABLE))
    assert Taught.of(Dealers.parse(SAME)) == taught
    for other in (TABLE.replace("europe", "canada"), TABLE.replace("a@b", "c@b"), TABLE.partition('["a@')[0], ""):
        assert Taught.of(Dealers.parse(other)).digest != taught.digest


def test_what_one_process_writes_another_reads_as_the_same(tmp_path: Path) -> None:
    file = tmp_path / "dealers.toml"
    file.write_text(TABLE, "utf-8")
    taught = Taught.load(file)
    again = Taught.decode(taught.content)
    assert again == taught
    assert again.dealers.lookup("x@bank.example") == taught.dealers.lookup("x@bank.example")
    assert Taught.decode(Taught.load(None).content) == Taught.load(None)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"dealers": {"a": 1}}'])
def test_what_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        Taught.decode(content)
