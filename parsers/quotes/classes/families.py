"""Classes by what their lines name: pairs of currencies, bonds, and what is neither."""

from __future__ import annotations

import re

from parsers.values.currencies import CODE

PAIR = re.compile(rf"\b(?:{CODE})/?(?:{CODE})\b")
IN_PAIRS = frozenset({"fx_option", "fx_forward"})
OF_PAIRS = IN_PAIRS | {"irs", "swaption"}  # `EURUSD 5y xccy basis`
OTHERWISE = OF_PAIRS | {
    *("leveraged_loan", "trade_claim", "preferred", "warrant_equity", "private_equity_secondary", "commercial_paper"),
    *(
        "structured_note",
        "convertible",
        "cds_single",
        "cds_index",
        "cds_tranche",
        "inflation_swap",
        "trs",
        "repo",
        "cd",
    ),
}
"""Classes that no bond is of."""
ON_THE_RUN = frozenset({"inflation_linked", "govt_us", "govt_intl", "govt_canada", "govt_latam_local"})
"""Classes whose benchmarks are named by tenor: `10y`."""
LOCAL = frozenset({"govt_latam_local", "inflation_linked"})
"""Classes whose bonds are named by their maturity under the name of their kind: `TES`, and `nov-29` under it."""
BONDS = "unknown"
"""The class of a section of bonds that no word describes, below one of something else."""
