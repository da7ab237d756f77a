"""A process that ends amid a change of a disk."""

from __future__ import annotations

import os

DIED = 9
CHANGES = ("pwrite", "fsync", "ftruncate", "replace", "rename", "unlink", "mkdir")


def die_at(step: int) -> None:
    """Let this process end within the step-th operation that changes a disk, half of it done where it can be."""
    left = step

    def counted(name: str) -> None:
        real = getattr(os, name)

        def operation(*given: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                if name == "pwrite":
                    fd, data, position = given
                    assert isinstance(data, memoryview | bytes)
                    real(fd, bytes(data)[: len(data) // 2], position)
                os._exit(DIED)
            return real(*given, **named)

        setattr(os, name, operation)

    for name in CHANGES:
        counted(name)
