"""Where a line of a run stands: its class, the headings over it, the block that it is in."""

from __future__ import annotations

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.answers.told import Told
from parsers.quotes.classes import rules_of
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.lines.block import Block
from parsers.values.times.tenors import tenor

_ONLY_TENOR = compiled(
    r"(?:\d{1,3}[Dd]|\d\d?[WMYAJwmy]|\d\d?{tenor_unit_word}s?|\d\d?-\d{1,3}%?|[OTS]/?N)(?:\s{beside_tenor})?"
)
_ONLY_OPTION = compiled(
    r"(?:(?:\d{1,2}[dwmyDWMY]|ON)\s)?(?:ATMF?|(?:10|15|25)\s?[dD]?\s?{smile})(?:\s\d{1,2}[dwmyDWMY])?"
)
"""An option on what a heading names: `1M 25RR`."""


class Scene(Struct, frozen=True, gc=False):
    """Where a line stands."""

    asset_class: str
    class_source: str
    told: Told
    setting: Setting
    block: Block
    region: str | None  # of the sender's desk
    usual: str | None  # the dealer's currency


def titled(name: str, scene: Scene) -> str:
    """A tenor with what the heading over it says that it is of."""
    is_part = _ONLY_TENOR.fullmatch(name) or (" " in name and tenor(name))  # `3M`, `3 mesi`
    is_part = is_part or (scene.asset_class == "fx_option" and _ONLY_OPTION.fullmatch(name))
    title = scene.setting.issuer if rules_of(scene.asset_class).curve and is_part else None
    return f"{title} {name}" if title else name
