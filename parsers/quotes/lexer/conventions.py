"""What is printed alike and reads in two ways: conventions say which reading is taken (spec 4.4, 4.7, 5.11)."""

from __future__ import annotations

from msgspec import Struct


class Conventions(Struct, frozen=True):
    """How a line is printed, as its readers know from its class, its language and the headings over it.

    Each is a question of one kind of atom, which has both readings; only the one that is asked for is made.
    """

    thirty_seconds: bool = False  # `99-16` is one price in 32nds; else two sides
    tenors: bool = False  # `3M` before a level is three months, `ON` a night; else three million, and a ticker
    talk: bool = False  # `98a`, `sub 98`, `98+` are talk, as on a list of bids wanted; else a side, a word, a price
    geld_brief: bool = False  # `G 99,80 B 99,92` are Geld and Brief, bid and ask; else words


PLAIN = Conventions()
"""Of a line of which nothing is known."""
