"""Text bodies: a greeting, a heading, lines of quotes; and the signature of any body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.generate.market import Dealer, data, instruments
from ingest.generate.notation import pair
from ingest.generate.quotes import Quoted, draw, truth

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.kinds import Kind


def run(random: Random, seed: int, dealer: Dealer, kind: Kind, lines: int) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of a body down to its closing, and its truth."""
    words = data()["words"][dealer.language]
    body = [random.choice(words["greetings"]), "", kind.heading, ""]
    if random.random() < 0.5:
        body += [random.choice(words["comments"]), ""]
    known = []
    for instrument in random.sample(instruments(seed, kind.code, kind.currency), lines):
        quoted = draw(random, kind, instrument, in_table=False)
        body.append(_line(dealer, kind, quoted))
        place = {"part_path": "1", "line": len(body), "raw_text": body[-1]}
        known += [truth(kind, quoted, level, place, in_table=False) for level in quoted.levels]
    return [*body, "", random.choice(words["closings"])], known


def signature(dealer: Dealer, person: str) -> list[str]:
    """Who wrote, and what his lawyers wrote."""
    lines = ["-- ", person, dealer.name, dealer.phone]
    if dealer.disclaimer:
        lines += ["", data()["words"][dealer.language]["disclaimer"]]
    return lines


def _line(dealer: Dealer, kind: Kind, quoted: Quoted) -> str:
    instrument = quoted.instrument
    parts = [f"{quoted.bid_size}"] if kind.quantity_first else []
    if kind.id_in_runs and instrument.identifier:
        parts.append(instrument.identifier)
    name, tenor = instrument.named(kind.language), quoted.levels[0].tenor
    parts.append(f"{name:<22}{tenor.lower():<4}" if tenor else f"{name:<22}")
    for level in quoted.levels:
        ask = level.bid if level.ask is None else level.ask
        parts.append(pair(level.bid, ask, level.kind, dealer.language, shorthand=dealer.shorthand))
    if not kind.quantity_first:
        parts.append(dealer.sizes.format(bid=quoted.bid_size, ask=quoted.ask_size))
    return "  ".join(parts)
