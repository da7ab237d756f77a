"""The sources that are asked for, each with its state, and closed afterwards."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from ops.shipping.batch import Speaker
from ops.shipping.files import FileSource
from ops.shipping.journal import JournalSource, journal_name
from ops.shipping.pipe import PipeSource
from ops.shipping.state import state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@contextmanager
def files_followed(paths: Sequence[Path], root: Path, unit: str | None, *, once: bool) -> Iterator[list[FileSource]]:
    """Files, by absolute paths, and how far each was shipped into the log with this root. Raises OSError."""
    with ExitStack() as opened:
        sources = []
        for path in paths:
            speaker = Speaker(socket.gethostname(), unit or path.name.removesuffix(".log"), "file")
            state = opened.enter_context(state_of(root, str(path)))
            sources.append(opened.enter_context(closing(FileSource(path, state, speaker, once=once))))
        yield sources


@contextmanager
def journal_followed(place: Path | None, root: Path, *, once: bool) -> Iterator[list[JournalSource]]:
    """This machine's journal, or the one in a folder or file. Raises OSError."""
    with (
        state_of(root, journal_name(place)) as state,
        closing(JournalSource(place, state, socket.gethostname(), once=once)) as source,
    ):
        yield [source]


@contextmanager
def pipe_read(descriptor: int, unit: str) -> Iterator[list[PipeSource]]:
    """What comes from a program."""
    yield [PipeSource(descriptor, Speaker(socket.gethostname(), unit, "stdin"))]
