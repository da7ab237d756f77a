"""Own words and earlier mails of a body: history is cut before tables are searched (spec 6.1, 6.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Grid, Line
from parsers.mail.marks import attribution_length, forwards, header_block, header_length, opens_message

Block = Grid | Line
_FORWARD = re.compile(r"\s*(?:fwd?|wg|tr|rv|enc|i|doorst|vs)\s*:", re.IGNORECASE)
_QUOTE_MARK = re.compile(r"> ?")
_LOOKED_AHEAD = 8  # lines, for a header or an attribution
_MAX_MESSAGES = 20  # of a chain
_MAX_LEVELS = 20  # of quoting around them
_MAX_ROUNDS = 100  # over what is left, of which each message and each level takes one


class Message(Struct, frozen=True):
    """A mail inside a body; `header` has from, date, to, subject as quoted, {} where only an attribution stood."""

    header: dict[str, str]
    blocks: tuple[Block, ...]


class Parted(Struct, frozen=True):
    """A body cut at its first mark of history."""

    own: tuple[Block, ...]  # with the quoted lines that inline answers refer to
    older: tuple[Message, ...]  # newest first
    is_passed_on: bool = False  # a mail program's mark of a forwarded mail stands before them


def is_forward(subject: str | None) -> bool:
    """FW, WG, TR, RV, ENC, I: the mail passes another one on."""
    return _FORWARD.match(subject or "") is not None


def part_history(blocks: Sequence[Block]) -> Parted:
    """Cut a body into its own words and what it quotes."""
    own, rest = _own(blocks)
    first = next((block for block in rest if not _is_blank(block)), None)
    is_passed_on = isinstance(first, Line) and not first.quoted and forwards(first.text.strip())
    return Parted(own, tuple(_messages(rest)), is_passed_on)


def _own(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], list[Block]]:
    """The sender's own blocks, and the others in order."""
    own: list[Block] = []
    rest: list[Block] = []
    at = 0
    while at < len(blocks):
        block = blocks[at]
        if block.quoted:
            rest.append(block)
            if _is_answered(blocks, at):
                own.append(block)
            at += 1
            continue
        if isinstance(block, Grid) or not block.text or block.text.isspace():  # nothing begins with these
            own.append(block)
            at += 1
            continue
        lines = _texts(blocks, at)
        attribution = attribution_length(lines)
        if attribution and _quoted_follows(blocks, at + attribution):
            rest += blocks[at : at + attribution]
            at += attribution
            continue
        if attribution or _opens(lines):
            rest += blocks[at:]
            break
        own.append(block)
        at += 1
    return tuple(own), rest


def _texts(blocks: Sequence[Block], at: int) -> list[str]:
    """The texts of the lines from here on, up to a grid."""
    texts = []
    for block in blocks[at : at + _LOOKED_AHEAD]:
        if isinstance(block, Grid):
            break
        texts.append(block.text.strip())
    return texts


def _opens(lines: list[str]) -> bool:
    return bool(lines) and (opens_message(lines[0]) or bool(header_block(lines)))


def _quoted_follows(blocks: Sequence[Block], at: int) -> bool:
    """The next block that is not blank is quoted: then only quoted lines are history."""
    for number in range(at, len(blocks)):
        block = blocks[number]
        if isinstance(block, Grid) or block.text.strip():
            return block.quoted
    return False


def _is_answered(blocks: Sequence[Block], at: int) -> bool:
    """Directly below this quoted line stands a line of the sender's own; or, below a blank one, one with a figure."""
    if _is_blank(blocks[at]):
        return False
    below = blocks[at + 1 : at + 3]
    is_apart = len(below) > 1 and _is_blank(below[0])
    answer = below[-1 if is_apart else 0] if below else None
    if not isinstance(blocks[at], Line) or not isinstance(answer, Line) or answer.quoted or _is_blank(answer):
        return False
    return not is_apart or any(letter.isdigit() for letter in answer.text)


def _is_blank(block: Block) -> bool:
    return isinstance(block, Line) and not block.text.strip("> \t")


def _messages(blocks: Sequence[Block]) -> list[Message]:
    """The mails in a history, newest first: each ends where the next begins."""
    found: list[Message] = []
    header: dict[str, str] = {}
    levels = 0
    pending = [_unquoted(block) for block in blocks]
    while pending and len(found) < _MAX_MESSAGES and levels < _MAX_ROUNDS:
        levels += 1
        header, body = _heading(pending)
        own, pending = _own(body)
        if len(own) == len(body):
            pending = []
        elif len(pending) == len(body) and not (body[0].quoted and levels < _MAX_LEVELS):
            # no progress, but for a level of quoting less: it begins with a mark that is no heading
            own, pending = (), pending[1:]
        if header or any(isinstance(block, Grid) or block.text.strip() for block in own):
            found.append(Message(header, own))
        pending = [_unquoted(block) for block in pending]
    return found


def _heading(blocks: list[Block]) -> tuple[dict[str, str], list[Block]]:
    """The header that the history begins with, and what comes after it."""
    at = 0
    while at < len(blocks):
        lines = _texts(blocks, at)
        if not lines:
            break
        if (header := header_block(lines)) != {}:
            return header, blocks[at + header_length(lines) :]
        if length := attribution_length(lines):
            at += length
            return {}, blocks[at:]
        if lines[0] and not opens_message(lines[0]):
            break
        at += 1
    return {}, blocks[at:]


def _unquoted(block: Block) -> Block:
    """One level of quoting less: as its sender wrote it."""
    if not block.quoted:
        return block
    if isinstance(block, Grid):
        return replace(block, quoted=False)
    mark = _QUOTE_MARK.match(block.text)
    start = mark.end() if mark else 0
    text = block.text[start:]
    return replace(block, text=text, char_start=block.char_start + start, quoted=text.startswith(">"))
