"""Price tables, whatever they came in: grids to drafts (spec section 5).

`fitted` tells how much of a grid may be read. `read_grid` reads one: `split` finds its tables, `headers` what their
columns are (by the words of `headings`), `table` what holds whatever the class, `plan` how rows of a class are read,
`rows` makes the drafts. Rows of hidden sheets, rows and columns come with the flag `hidden_source`; the caller, who
alone sees all grids of a part, passes all drafts through `visible_first`.
"""

from __future__ import annotations

from parsers.quotes.tables.grids.fitting import fitted
from parsers.quotes.tables.grids.split import blocks
from parsers.quotes.tables.grids.visible import visible_first
from parsers.quotes.tables.reader import TableResult, read_grid

__all__ = ["TableResult", "blocks", "fitted", "read_grid", "visible_first"]
