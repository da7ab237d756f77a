from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.lmtp.dots import Unstuffer

LINES = st.lists(st.sampled_from([b"", b".", b"..", b".a", b"a", b"a.", b"\n.", b"\r.", b"\n", b"\r"]), max_size=8)


def stuffed(lines: list[bytes]) -> bytes:
    return b"".join((b"." + line if line.startswith(b".") else line) + b"\r\n" for line in lines)


@given(LINES, st.data())
def test_the_dots_put_before_dots_go_however_the_wire_is_cut(lines: list[bytes], data: st.DataObject) -> None:
    mail = b"".join(line + b"\r\n" for line in lines)
    wire = stuffed(mail.split(b"\r\n")[:-1]) + b".\r\n"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire) - 3), max_size=6)))
    dots = Unstuffer()
    out = b""
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        assert not dots.ended
        out += dots.feed(wire[begin:end])
    assert dots.ended
    assert out == mail


def test_a_dot_between_bare_line_ends_is_not_the_end() -> None:
    for wire in (b"a\n.\n", b"a\r.\r", b"a\n.\r\n", b"a\r\n.\n", b"a.\r\n", b"\r\n..\r\n"):
        dots = Unstuffer()
        dots.feed(wire)
        assert not dots.ended, wire


def test_the_empty_mail_is_empty() -> None:
    dots = Unstuffer()
    assert (dots.feed(b".\r\n"), dots.ended) == (b"", True)
