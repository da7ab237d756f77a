"""What stands beside each row of a part, once all are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from parsers.quotes.answers.told import Told
from parsers.quotes.draft import Beside, Draft
from parsers.quotes.weighing.weighing import Weighed


def with_beside(drafts: Sequence[Draft], weighed: Iterable[Weighed]) -> tuple[Draft, ...]:
    """The rows, each with how many are read like it, and by how much these weigh for their class."""
    counts = Counter([(draft.told, draft.asset_class) for draft in drafts])
    margins: dict[tuple[Told | None, str], int | None] = {(block.told, block.read): block.margin for block in weighed}
    beside = {key: Beside(count, margins.get(key)) for key, count in counts.items()}
    return tuple([replace(draft, beside=beside[draft.told, draft.asset_class]) for draft in drafts])
