"""conf.values: what is this machine alone, and what is not."""

from __future__ import annotations

import pytest

from conf.values import is_loopback, place_to_listen


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)),
        ("127.3.2.1:0", ("127.3.2.1", 0)),
        ("[::1]:65535", ("::1", 65_535)),
        ("localhost:2424", ("127.0.0.1", 2424)),
    ],
)
def test_an_address_of_this_machine_is_one_to_listen_at(text: str, place: tuple[str, int]) -> None:
    ip, port = place_to_listen(text)
    assert (str(ip), port) == place
    assert is_loopback(str(ip))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "10.1.2.3", "2001:db8::1"])
def test_what_others_reach_is_refused_unless_they_are_let_in(host: str) -> None:
    place = f"[{host}]:9464" if ":" in host else f"{host}:9464"
    with pytest.raises(ValueError, match=rf"^{host} can be reached from elsewhere, .* for this machine alone: 127"):
        place_to_listen(place)
    assert str(place_to_listen(place, beyond=True)[0]) == host
    assert not is_loopback(host)


@pytest.mark.parametrize("text", ["9464", "mx.example:9464", "127.0.0.1", "1.2.3:1", ""])
def test_what_is_no_address_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(ValueError, match=f"^'{text}' is no IP:PORT, such as 127.0.0.1:9464$"):
        place_to_listen(text)


@pytest.mark.parametrize("port", ["65536", "²", "", "-1"])
def test_what_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(ValueError, match=f"^'{port}' is no port: it is a number up to 65535$"):
        place_to_listen(f"127.0.0.1:{port}")


@pytest.mark.parametrize(("host", "is_so"), [("localhost", True), ("::1", True), ("mx.example", False), ("", False)])
def test_a_name_is_this_machine_only_if_it_is_localhost(host: str, is_so: bool) -> None:
    assert is_loopback(host) is is_so
