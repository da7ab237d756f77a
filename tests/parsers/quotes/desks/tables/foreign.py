"""Tables of desks that do not write English."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows with `|` between their cells, what they state
    (
        "Actions privilégiées",
        "Symbole | Émetteur | Dividende (%) | Achat | Vente\nBMO.PR.E | Banque de Montréal | 4,85 | 24,35 | 24,50",
        ["BMO.PR.E 4,85 price_unit 24.35/24.5 cpn=4.85 CAD preferred"],
    ),
]
