from __future__ import annotations

import pytest

from parsers.sandbox.frames import HEAD, MAX_BODY, OUTCOME, PART, READY, Frame, FrameError, take_frame


def test_frames_come_out_whole_and_in_order() -> None:
    stream = Frame(READY).encode() + Frame(PART, b"2/zip:a!b").encode() + Frame(OUTCOME, b"{}").encode()
    buffer, found = bytearray(), []
    for byte in stream:
        buffer.append(byte)
        while (frame := take_frame(buffer)) is not None:
            found.append(frame)
    assert found == [Frame(READY), Frame(PART, b"2/zip:a!b"), Frame(OUTCOME, b"{}")]
    assert buffer == b""


@pytest.mark.parametrize("at", range(HEAD.size + 3))
def test_a_changed_byte_is_found(at: int) -> None:
    data = bytearray(Frame(PART, b"2.1").encode())
    data[at] ^= 0x10
    buffer = data + bytes(70_000)
    with pytest.raises(FrameError):
        list(iter(lambda: take_frame(buffer), None))


@pytest.mark.parametrize("kind", [READY, PART, OUTCOME, b"J", b"?"])
def test_an_absurd_length_is_refused_before_its_bytes_come(kind: bytes) -> None:
    with pytest.raises(FrameError):
        take_frame(bytearray(HEAD.pack(kind, MAX_BODY.get(kind, 0) + 1, 0)))
