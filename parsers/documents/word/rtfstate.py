"""What RTF says of the text to come, by one control word after the other."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

UNREAD = frozenset(
    """fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf
    listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl
    fldinst nonshppict bkmkstart bkmkend annotation *""".split()  # noqa: SIM905 -- a list of literals would fill a page
)
"""Words of groups whose text is none of the document's."""
_HIDES = frozenset({"v", "deleted"})
_MARKS = {"b": "bold", "strike": "struck", "striked": "struck"} | dict.fromkeys(
    ("super", "up", "nosupersub", "sub", "dn"), "raised"
)
_NOT_RAISED = frozenset({"nosupersub", "dn"})


class State(Struct, frozen=True, gc=False):
    """What a group inherits from the one around it."""

    unread: bool = False
    bold: bool = False
    struck: bool = False
    raised: bool = False
    unseen: frozenset[str] = frozenset()  # the words that hide its text


def formatted(state: State, word: str, *, is_on: bool) -> State:
    """The state behind a control word; the same for most words."""
    if word in UNREAD:
        return replace(state, unread=True)
    if state.unread:
        return state
    if word in _MARKS:
        return replace(state, **{_MARKS[word]: is_on and word not in _NOT_RAISED})
    if word in _HIDES:
        return replace(state, unseen=state.unseen | {word} if is_on else state.unseen - {word})
    return State() if word == "plain" else state
