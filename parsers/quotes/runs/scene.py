"""Where a line of a run stands: its class, the headings over it, the block that it is in."""

from __future__ import annotations

from msgspec import Struct

from parsers.quotes.runs.block import Block
from parsers.quotes.runs.setting import Setting


class Scene(Struct, frozen=True, gc=False):
    """Where a line stands."""

    asset_class: str
    class_source: str
    setting: Setting
    block: Block
    region: str | None  # of the sender's desk
