"""A file to which a program writes lines, followed through its rotations: by name, by truncation, packed."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from conf.printable import said
from ops.shipping.batch import Batch
from ops.shipping.following import Following, Truncated
from ops.shipping.mark import SAMPLE_BYTES, Inode, Mark, end_of, holds
from ops.shipping.rotated import find, open_content, since

if TYPE_CHECKING:
    from pathlib import Path

    from ops.shipping.batch import Speaker
    from ops.shipping.following import Portion
    from ops.shipping.mark import Content
    from ops.shipping.state import State

logger = logging.getLogger(__name__)

_LOST = "%s was truncated or moved away, and no copy is beside it: lines that came since it was read last are lost"
_MOST_PAST = 20
LINGER_S = 30.0  # a program may write on to a file that was renamed under it


class FileSource:
    """The lines of one file, by the name under which they are written. See `Source`."""

    def __init__(self, path: Path, state: State, speaker: Speaker, *, once: bool) -> None:
        """`once`: what is there now, and no more; what cannot be read raises then, and is told once elsewhere."""
        self._path, self._state, self._speaker, self._once = path, state, speaker, once
        self._opened: list[Following] = []  # the oldest first; the last one has the name, or had it last
        self._before: Mark | None = None  # of the last one, by the process before
        self._past: list[Mark] = []  # of those that are shipped whole: touched or copied, they are not shipped again
        self._said_at: datetime | None = None  # of the lines that are shipped, as of `Behind`
        self._is_begun = False
        self._told = ""
        self.is_over = False

    @property
    def name(self) -> str:
        """Its path."""
        return str(self._path)

    def begin(self) -> None:
        """That it was seen, durably: what it is rotated to from now on is its own."""
        with suppress(OSError):  # `take` tells
            self._look()
            self._keep()

    def take(self) -> Batch | None:
        """The next lines of the oldest file that has any."""
        try:
            batch, trouble = self._take(), ""
        except OSError as error:
            if self._once:
                raise
            batch, trouble = None, said(error)
        if trouble and trouble != self._told:
            logger.warning("not shipped: %s", trouble)
        self._told = trouble
        self.is_over = self._once and batch is None
        return batch

    def meanwhile(self) -> None:
        """A file waits."""

    def close(self) -> None:
        """Its files."""
        for each in self._opened:
            each.content.close()

    def _take(self) -> Batch | None:
        self._look()
        for each in list(self._opened):
            try:
                portion = self._portion(each)
            except Truncated:
                self._truncated(each)
                return self._take()
            if portion:
                return self._batch(portion)
        return None

    def _portion(self, each: Following) -> Portion | None:
        """Of one file, which goes when it was rotated and is read to its end. Raises Truncated, OSError."""
        is_last = each is self._opened[-1]
        is_left = not is_last and (self._once or time.monotonic() - each.grew >= LINGER_S)
        try:
            portion = each.portion(self._speaker, self._said_at, ends=is_left)
        except OSError as error:
            if is_last:
                raise
            logger.warning("the rest of a rotated file is not shipped: %s", said(error))
            portion, is_left = None, True
        if is_left and not portion:
            self._let_go(each)
        return portion

    def _batch(self, portion: Portion) -> Batch:
        todo = [portion.advance]

        def keep() -> None:
            while todo:
                todo.pop()()
            self._said_at = portion.said_at
            self._keep()

        return Batch(portion.records, keep)

    def _go_on(self) -> None:
        """From where it was shipped to."""
        kept, self._opened = self._state.read(), []
        marks = [Mark(**each) for each in kept.get("files", ())]
        self._past = [Mark(**each) for each in kept.get("past", ())]
        self._before = marks[-1] if marks else None
        self._said_at = datetime.fromisoformat(at) if (at := kept.get("last_time")) else None
        empty = [each for each in marks if not each.seen]  # which cannot be told from others ...
        for mark in (each for each in marks if each.seen):
            content = find(mark, self._path)
            if content is None:
                logger.warning(_LOST, self.name)
            else:
                self._opened.append(Following(content, mark))
        self._opened += self._since(empty[0]) if empty else []  # ... but by time
        self._is_begun = True

    def _look(self) -> None:
        """Whether the name is another file's by now. Raises OSError where there never was one."""
        if not self._is_begun:
            self._go_on()
        try:
            inode = Inode.of(self._path.stat())
        except FileNotFoundError:
            if self._opened:
                return
            raise
        last = self._opened[-1] if self._opened else None
        if last and last.began():  # and may have been copied and truncated before
            self._opened += self._since(last.mark())
            last.begin_anew()
        elif last and last.is_truncated():
            self._truncated(last)
        if all(each.inode != inode for each in self._opened):
            self._renamed()
        self._opened.sort(key=lambda each: (each.inode == inode, each.modified_ns()))  # as they were written

    def _renamed(self) -> None:
        """The name is a new file's."""
        content = open_content(self._path, follow=True)
        last = self._opened[-1] if self._opened else None
        mark = last.mark() if last else self._before
        if last and mark and _is_written_anew(content, last, mark):
            self._opened.pop().content.close()
            self._opened.append(Following(content, mark))
        else:
            self._opened += [*(self._since(mark) if mark else ()), Following(content)]
        self._keep()

    def _since(self, mark: Mark) -> list[Following]:
        beside = [each.content for each in self._opened]
        past = [*self._past, *(each.mark() for each in self._opened)]
        return [Following(content) for content in since(mark, self._path, beside, past)]

    def _truncated(self, each: Following) -> None:
        """What was not shipped of it may be in a copy (logrotate's `copytruncate`), and later ones come behind that."""
        mark = each.mark()
        copy = find(mark, self._path)
        if copy:
            self._opened.append(Following(copy, mark))
        else:
            logger.warning(_LOST, self.name)
        each.begin_anew()
        self._opened += self._since(mark)
        self._keep()

    def _let_go(self, each: Following) -> None:
        self._opened.remove(each)
        self._past = [*self._past, each.mark()][-_MOST_PAST:]
        each.content.close()
        self._keep()

    def _keep(self) -> None:
        files, past = (
            [mark.document() for mark in marks] for marks in ([each.mark() for each in self._opened], self._past)
        )
        last_time = self._said_at and self._said_at.isoformat()
        self._state.keep({"files": files, "past": past, "last_time": last_time})


def _is_written_anew(content: Content, last: Following, mark: Mark) -> bool:
    """Whether it holds all of the file that had the name before, as `sed -i` does."""
    return mark.seen == SAMPLE_BYTES and holds(content, mark) and holds(content, end_of(last.content))
