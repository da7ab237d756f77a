from __future__ import annotations

from random import Random

from ingest.generate import bodies
from ingest.generate.dealers import dealers

RUN = ["HEADING", "", "A 1 99/100", "B 2 98/99"]


def test_the_run_begins_where_the_body_says() -> None:
    for dealer in dealers():
        for seed in range(40):
            body = bodies.around(Random(seed), dealer, "Ann", RUN, "18/11/2026")
            assert body.lines[body.above : body.above + 4] == RUN
            onward = bodies.forwarded(Random(seed), dealer, body, ("a@b.example", "18/11/2026", "run"))
            assert onward.lines[onward.above : onward.above + 4] == RUN
            assert onward.prefix in {"FW: ", "WG: ", "TR: ", "RV: ", "ENC: "}


def test_a_refresh_quotes_the_older_mail_below_and_is_a_reply() -> None:
    dealer = dealers()[0]
    replies = [body for seed in range(300) if (body := bodies.around(Random(seed), dealer, "Ann", RUN, "x")).prefix]
    assert len(replies) > 3
    for body in replies:
        quoted = [at for at, line in enumerate(body.lines) if line.startswith(">")]
        assert body.prefix == "Re: "
        assert min(quoted) > body.above + len(RUN)


def test_the_signature_ends_a_note_with_the_dealers_disclaimer_if_he_has_one() -> None:
    with_one = next(dealer for dealer in dealers() if dealer.disclaimer is not None)
    without = next(dealer for dealer in dealers() if dealer.disclaimer is None)
    assert bodies.signature(with_one, "Ann")[:3] == ["-- ", "Ann", with_one.name]
    assert len(bodies.signature(with_one, "Ann")[-1]) > 200
    assert bodies.cover(Random(1), without, "Ann")[-1] == without.phone
